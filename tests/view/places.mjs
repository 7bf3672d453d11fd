// SPDX-License-Identifier: MIT
/* Tests the view in a URL: the page restores the view that it wrote, and invalid URLs do no harm. */
import assert from 'node:assert/strict';
import test from 'node:test';

import { Places } from '../../capture/view/page/places.js';
import { NOTE_LENGTH_MOST, fitsHash, formatHash, isElsewhere, noteText, parseHash } from '../../capture/view/page/view_hash.js';
import { ALL_ROWS } from '../../capture/view/page/row_choice.js';
import { ViewState } from '../../capture/view/page/view_state.js';
import { madeTrace } from './made_trace.mjs';

const place = {
    view: { from: -12.5, to: 1200 }, byEvent: true, event: 812, cursors: [1500, null], range: { from: 0, to: 1900 },
    panel: 'range', query: 'thread:app* "a & b=ü"', marks: [3, 812], notes: new Map([[812, 'first: "over,run" & 5 % = ü']]),
    rows: { density: 18, order: 'cpu', filter: '_rx & ü', hidden: ['thread:20001000', 'queue:5'], only: 'thread:7' },
};

test('a place comes back from its link', () => {
    assert.deepEqual(parseHash(formatHash(place)), place);
    assert.deepEqual(parseHash(formatHash({ view: { from: 1 / 3, to: 2 ** 52 } })), { view: { from: 0.333, to: 2 ** 52 } });
    assert.deepEqual(parseHash(formatHash({ panel: '' })), { panel: '' });
    for (const question of [{ select: 'event', event: 290 }, { select: 'time', address: 0x200049a8, isThread: true, ticks: 106200 },
        { select: 'figure', figure: 'hold', address: 0x2000498c, isThread: false, event: 301 },
        { select: 'figure', figure: 'response', address: 0x200066f0, isThread: true, event: 301, from: 0, to: 500000 }])
        assert.deepEqual(parseHash(formatHash({ question })), { question });
    for (const wrong of ['', 'event', 'event,-1', 'event,1,2', 'time,xyz,5', 'time,t20,5', 'time,20,1e9', 'cpu,t20,5', 'response,20,5', 'response,t20,5,9', 'response,t20,5,9,9'])
        assert.deepEqual(parseHash(`#y=${wrong}`), {}, wrong);
    assert.deepEqual(parseHash('#p=selection&m=5'), { panel: 'selection', marks: [5], notes: new Map() });
});

test('a link leaves out defaults', () => {
    assert.equal(formatHash({ panel: 'summary', cursors: [null, null], event: -1, byEvent: false, query: '', marks: [], rows: ALL_ROWS }), '');
    assert.deepEqual(parseHash(''), {});
    assert.deepEqual(parseHash('#'), {});
});

test('invalid values are ignored, valid values beside them are kept', () => {
    const wrong = ['v=5', 'v=9-3', 'v=3-3', 'v=a-b', 'v=1e9-2e9', 'v=--1-2', 'v=NaN-Infinity', 'e=-1', 'e=1.5', 'e=x',
        'e=99999999999999999', 'c=1', 'c=,', 'c=x,y', 'c=1,2,3', 'r=-5-3', 's=2', 'p=other', 'p=__proto__', 'q=%', 'q=%E0%A4%A',
        'm=', 'm=x,-1', 'd=17', 'd=constructor', 'o=size', 'o=__proto__', 'f=%E0%A4%A', 'h=<b>,thread:', 'h=thread:xyz', 'u=:1', '__proto__=1', 'constructor=2', '=', '&&', 'v', '%', '<script>'];

    for (const part of wrong)
        assert.deepEqual(parseHash(`#${part}&e=7`), part.startsWith('e=') ? { event: 7 } : { event: 7 }, part);
    assert.deepEqual(parseHash('#m=5,x,5,1').marks, [1, 5]);
    assert.deepEqual(parseHash(`#e=7&q=${'x'.repeat(9000)}`), {}, 'too long to be ours');
});

test('the number of marks is limited to fit into a link', () => {
    const many = Array.from({ length: 500 }, (_, i) => i);

    assert.equal(parseHash(formatHash({ marks: many })).marks.length, 100);
});

test('a note is one line of limited length, whatever a link has', () => {
    assert.equal(noteText('  a\nb\u202e<b>  '), 'a·b·<b>');
    assert.equal(noteText('x'.repeat(500)).length, NOTE_LENGTH_MOST);
    assert.equal(Array.from(noteText('😀'.repeat(500))).length, NOTE_LENGTH_MOST, 'never half of a character');
    const place = parseHash(`#m=5:${encodeURIComponent('<img src=x onerror=alert(1)>\u0000\u202e')},7:%E0%A4%A,9:${'y'.repeat(300)},x:no,11`);

    assert.deepEqual(place.marks, [5, 7, 9, 11]);
    assert.deepEqual([...place.notes], [[5, '<img src=x onerror=alert(1)>··'], [9, 'y'.repeat(NOTE_LENGTH_MOST)]]);
});

test('notes that a link has no room for are refused', () => {
    const marks = Array.from({ length: 100 }, (_, i) => i);
    const notes = (many) => new Map(marks.slice(0, many).map((seq) => [seq, 'x'.repeat(NOTE_LENGTH_MOST)]));

    assert.ok(fitsHash({ marks, notes: notes(20) }));
    assert.ok(!fitsHash({ marks, notes: notes(100) }));
    assert.equal(parseHash(formatHash({ marks, notes: notes(20) })).notes.size, 20);
});

test('Back leads to another place, not to another step of the same movement', () => {
    const seen = (from, to, more = {}) => ({ from, to, byEvent: false, follow: false, whole: false, ...more });
    const at = seen(1000, 2000);

    for (const [now, why] of [[at, 'the same'], [seen(1400, 2400), 'moved by less than half'], [seen(900, 2000), 'a step of the wheel']])
        assert.ok(!isElsewhere(at, now), why);
    for (const [now, why] of [[seen(5000, 6000), 'far away'], [seen(1600, 2600), 'moved by more than half'], [seen(1000, 1500), 'zoomed'],
        [seen(0, 9000), 'zoomed out'], [seen(1000, 2000, { byEvent: true }), 'by event'], [seen(1000, 2000, { follow: true }), 'follows']])
        assert.ok(isElsewhere(at, now), why);
    assert.ok(!isElsewhere(seen(0, 10, { whole: true }), seen(0, 1000, { whole: true })), 'a file that is read');
    assert.ok(!isElsewhere(seen(0, 10, { follow: true }), seen(990, 1000, { follow: true })), 'a target that is followed');
});

/** After this time without a move, in ms, the page has written its address. */
const WRITTEN_AFTER_MS = 250;

/** Returns a page whose address has the fragment `hash`. The trace of the page gets its first ten events. */
function openedAt(hash, loading, isBehind) {
    const view = new ViewState();

    globalThis.location = { hash, pathname: '/', search: '' };
    const listeners = {};

    globalThis.addEventListener = (name, listener) => { listeners[name] = listener; };
    const trace = madeTrace({ events: 10 });
    const places = new Places(view, { query: () => '', find: () => {} }, isBehind);

    trace.state().ended = false;
    view.set({ loading, follow: !loading });
    view.open(trace);
    return { view, trace, places, listeners };
}

/** Adds `events` events to the trace. */
function grow({ view, trace }, events) {
    const longer = madeTrace({ events });

    Object.assign(trace, longer, { state: () => longer.state() });
    longer.state().ended = false;
    view.grown();
}

const chosen = ({ view }) => [view.from, view.to, view.selected];

test('a link takes effect when its part of the trace has been read', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    for (const loading of [true, false]) {
        const page = openedAt('#v=600-700&e=165&m=165', loading);

        assert.equal(page.view.selected, -1);
        grow(page, 50);
        assert.equal(page.view.selected, -1);
        grow(page, 100);
        assert.deepEqual(chosen(page), [600, 700, 65]);
        assert.deepEqual(page.places.marks, [165]);
        assert.equal(page.view.follow, false);
        page.view.show(0, 50);
        grow(page, 200);
        assert.deepEqual(chosen(page), [0, 50, 65], 'once');
    }
});

test('parts of a link that the trace does not have are ignored', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const file = openedAt('#e=165&c=20,', true);

    file.view.set({ loading: false });
    assert.deepEqual([file.view.selected, file.view.cursors[0]], [-1, 20]);
    const target = openedAt('#e=165&c=20,', false);

    t.mock.timers.tick(2999);
    assert.deepEqual(target.view.cursors, [null, null]);
    t.mock.timers.tick(1);
    assert.deepEqual([target.view.selected, target.view.cursors[0]], [-1, 20]);
    let behind = true;
    const slow = openedAt('#e=165', false, () => behind);

    t.mock.timers.tick(30_000);
    assert.equal(slow.view.selected, -1);
    grow(slow, 100);
    assert.equal(slow.view.selected, 65, 'history that takes longer');
    const never = openedAt('#e=165&c=20,', false, () => behind);

    t.mock.timers.tick(30_000);
    assert.deepEqual(never.view.cursors, [null, null]);
    behind = false;
    t.mock.timers.tick(3000);
    assert.deepEqual([never.view.selected, never.view.cursors[0]], [-1, 20]);
    const lost = openedAt('#e=50', true);

    assert.deepEqual([lost.view.selected, lost.places.wanted], [-1, null], 'an event that is no longer held');
});

test('a move right after the page has opened is an entry of the history', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const calls = [];
    const record = (name) => (state, title, url) => calls.push([name, url]);

    globalThis.history = { replaceState: record('replace'), pushState: record('push') };
    t.after(() => delete globalThis.history);
    for (const [hash, first] of [['', '/'], ['#v=600-700', '#v=600-700']]) {
        const page = openedAt(hash, true);

        grow(page, 100);
        page.view.set({ loading: false });
        page.view.show(10, 20);
        t.mock.timers.tick(WRITTEN_AFTER_MS);
        assert.deepEqual(calls.splice(0), [['replace', first], ['push', '#v=10-20']]);
    }
});

test('a click on a link counts, although the page is about to write its address', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const go = (state, title, url) => { globalThis.location.hash = url; };

    globalThis.history = { replaceState: go, pushState: go };
    t.after(() => delete globalThis.history);
    const page = openedAt('#v=600-700', true);

    grow(page, 100);
    page.view.set({ loading: false });
    page.view.show(10, 20);
    globalThis.location.hash = '#e=170'; // the browser calls the listener a moment later
    t.mock.timers.tick(WRITTEN_AFTER_MS);
    page.listeners.hashchange();
    assert.equal(page.view.selected, 70);
    page.view.select(80);
    t.mock.timers.tick(WRITTEN_AFTER_MS);
    assert.match(globalThis.location.hash, /e=180/, 'later moves are written');
});
