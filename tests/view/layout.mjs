// SPDX-License-Identifier: MIT
/* Tests the lanes: their order, their names, and how texts are fitted into them. */
import assert from 'node:assert/strict';
import test from 'node:test';

import { ROW_STATE } from '../../capture/view/page/abi.js';
import { chipColour, timesText, whereText } from '../../capture/view/page/card.js';
import { STATE_COLOURS, THREAD_COLOURS, coloursOf } from '../../capture/view/page/colours.js';
import { listAcross } from '../../capture/view/page/paint_across.js';
import { flagText } from '../../capture/view/page/paint_events.js';
import { inkOn } from '../../capture/view/page/paint_labels.js';
import { rowFacts } from '../../capture/view/page/paint_names.js';
import { LoadPeak, peakWindow } from '../../capture/view/page/load_peak.js';
import { loadLayers, stackLayers } from '../../capture/view/page/load_layers.js';
import { shareHeight } from '../../capture/view/page/paint_states.js';
import { ALL_ROWS, rowKey } from '../../capture/view/page/row_choice.js';
import { queryOf, snapped, toPosition, toX } from '../../capture/view/page/frame.js';
import { RowsLayout, rowNames } from '../../capture/view/page/rows_layout.js';
import { roomBetween, TextFit } from '../../capture/view/page/text_fit.js';

const ROWS = [
    { kind: 'core', name: '', number: 0 },
    { kind: 'isr', name: 'SysTick', number: 15 },
    { kind: 'thread', name: 'low', number: 0, address: 0x100, priority: 20 },
    { kind: 'thread', name: '', number: 1, address: 0x20001234, priority: -1 },
    { kind: 'thread', name: 'high', number: 2, address: 0x300, priority: 1 },
    { kind: 'idle', name: '', number: 0 },
    { kind: 'semaphore', name: 'temporary', number: 0, address: 0x400, counter: true },
    { kind: 'queue', name: 'q', number: 1, address: 0x500, counter: true },
    { kind: 'semaphore', name: 'temporary', number: 2, address: 0x600, counter: true },
    { kind: 'flags', name: 'f', number: 3, address: 0x700 },
].map((row, i) => ({ ...row, row: i }));

const titles = (layout) => layout.lanes.map((lane) => lane.title);

function laidOut(quiet = []) {
    const layout = new RowsLayout();

    layout.update(ROWS, { quiet: new Set(quiet) });
    return layout;
}

test('names: a duplicate has a number, a missing name shows the address, a doubtful name has a question mark', () => {
    assert.deepEqual(rowNames(ROWS), ['CPU', 'SysTick (15)', 'low', '0x20001234', 'high', 'idle', 'temporary', 'q', 'temporary (2)', 'f']);
    assert.deepEqual(rowNames([{ kind: 'queue', name: 'q', doubtful: true, number: 0, address: 1 }]), ['q?']);
    assert.deepEqual(rowNames([{ kind: 'core', number: 0 }, { kind: 'core', number: 1 }, { kind: 'isr', number: 7 }]),
        ['CPU 0', 'CPU 1', 'ISR 7']);
    assert.deepEqual(rowNames([{ kind: 'isr', number: 0xffffffff }]), ['interrupts']);
});

test('names: characters that change the direction of text, or hide it, are visible', () => {
    assert.deepEqual(rowNames([{ kind: 'thread', name: '\u202eabc\u0000\u200b\n', number: 0, address: 1 }]), ['·abc···']);
});

test('threads are ordered by priority, threads without a priority last', () => {
    assert.deepEqual(titles(laidOut()), ['CPU', 'Interrupts', 'SysTick (15)', 'Threads', 'high', 'low', '0x20001234', 'idle', 'Objects',
        'q', 'temporary', 'temporary (2)']);
});

test('objects that never change are in a folded group of their own', () => {
    const layout = laidOut([6, 8]);

    assert.deepEqual(titles(layout).slice(-3), ['Objects', 'q', 'Objects that do not change']);
    layout.toggle(layout.lanes.at(-1));
    layout.update(ROWS, { quiet: new Set([6, 8]) });
    assert.deepEqual(titles(layout).slice(-2), ['temporary', 'temporary (2)']);
});

test('a folded group keeps its rows in one lane', () => {
    const layout = laidOut();

    layout.toggle(layout.lanes.find((lane) => lane.title === 'Threads'));
    layout.update(ROWS);
    assert.ok(!titles(layout).includes('high'));
    assert.equal(layout.laneOf(4).title, 'Threads');
    assert.deepEqual(layout.laneOf(4).members.map((row) => row.row), [4, 2, 3]);
});

test('a row moves within its group, and stays there when rows are added', () => {
    const layout = laidOut();
    const lane = (title) => layout.lanes.find((found) => found.title === title);

    layout.move(lane('low'), lane('high'));
    layout.move(lane('low'), lane('q'));
    layout.update([...ROWS]);
    assert.deepEqual(titles(layout).slice(4, 7), ['low', 'high', '0x20001234']);
    layout.move(lane('low'), lane('0x20001234'));
    layout.update([...ROWS]);
    assert.deepEqual(titles(layout).slice(4, 7), ['high', '0x20001234', 'low']);
});

test('lanes adjoin without gaps, and each height finds its lane', () => {
    const layout = laidOut();
    let y = 0;

    for (const lane of layout.lanes) {
        assert.equal(lane.y, y);
        assert.equal(layout.laneAt(y), lane);
        assert.equal(layout.laneAt(y + lane.height - 0.5), lane);
        y += lane.height;
    }
    assert.equal(layout.height, y);
    assert.equal(layout.laneAt(y), null);
    assert.equal(layout.laneAt(-1), null);
});

test('texts are cut to their room, never between the halves of a character', () => {
    const fit = new TextFit((font, text) => Array.from(text).length * 10);

    assert.equal(fit.fit('f', 'sampler', 70), 'sampler');
    assert.equal(fit.fit('f', 'sampler', 69), 'sampl…');
    assert.equal(fit.fit('f', 'sampler', 39), '');
    assert.equal(fit.fit('f', '😀😀😀😀😀', 40), '😀😀😀…');
    assert.equal(fit.whole('f', '123', 29), '');
    assert.equal(fit.fitEnds('f', 'instance 0', 100), 'instance 0');
    assert.equal(fit.fitEnds('f', 'instance 0', 90), 'insta…e 0');
    assert.equal(fit.fitEnds('f', 'instance 0', 50), 'inst…');
});

test('positions and pixels convert in both directions', () => {
    const frame = { left: 200, width: 1000, from: 5000, to: 5400 };

    for (const at of [5000, 5123.4, 5400])
        assert.ok(Math.abs(toPosition(frame, toX(frame, at)) - at) < 1e-9);
});

test('a view that is dragged by whole pixels has the same columns', () => {
    const { from, to } = snapped(1000.3, 1700.3, 350);

    assert.ok(Math.abs(from / 2 - Math.round(from / 2)) < 1e-9);
    assert.ok(Math.abs(to - from - 700) < 1e-9);
});

test('columns are requested only inside the trace, and cover its visible part', () => {
    const all = { from: 0, to: 1000 };

    for (const [from, to] of [[-500, 500], [0, 1000], [10.4, 18.4], [999, 1007], [600, 1600]]) {
        const frame = { left: 100, width: 800, from, to };
        const query = queryOf(frame, all);

        assert.ok(Number.isInteger(query.from) && Number.isInteger(query.to) && query.from >= 0, `${from}`);
        assert.ok(query.count >= 1 && query.count <= 65534);
        assert.ok(query.x <= Math.max(100, toX(frame, 0)) + 0.5);
        assert.ok(Math.abs(toX(frame, query.from) - query.x) <= 0.5);
        assert.ok(Math.abs(toX(frame, query.to) - query.x - query.count) <= 1);
    }
    assert.equal(queryOf({ left: 0, width: 100, from: 5000, to: 6000 }, all).count, 0);
});

test('a share shows how certain it is', () => {
    const thread = { kind: 'thread' };
    const value = (running, unknown) => rowFacts(thread, { running, unknown }, 10000, 0).value;

    assert.equal(value(1700, 0), '17 %');
    assert.equal(value(1700, 1), '17 %');
    assert.equal(value(1700, 500), '≥ 17 %');
    assert.equal(value(3, 500), '> 0 %');
    assert.equal(value(0, 500), '');
    assert.equal(value(0, 10000), '');
    assert.equal(rowFacts({ kind: 'queue', counter: true, capacity: 8 }, null, 100, 3).value, 'queue ≤ 8');
    assert.equal(rowFacts({ kind: 'semaphore', counter: true, capacity: 0 }, null, 100, 3).value, 'semaphore ≤ 3');
});

test('the ink of a text stands out from its bar', () => {
    for (const theme of ['light', 'dark'])
        for (const ground of [...Object.values(STATE_COLOURS[theme]), ...THREAD_COLOURS[theme]]) {
            const ink = inkOn(ground, '#000000', '#ffffff');

            assert.ok(contrast(ground, ink) >= contrast(ground, ink === '#000000' ? '#ffffff' : '#000000') * 0.8, `${theme} ${ground}`);
        }
});

function contrast(a, b) {
    const light = (hex) => [1, 3, 5].map((at) => (parseInt(hex.slice(at, at + 2), 16) / 255) ** 2.2)
        .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
    const [low, high] = [light(a), light(b)].sort((p, q) => p - q);

    return (high + 0.05) / (low + 0.05);
}

test('a text avoids flags over its row: it goes to a place with room for all of it, or else to the widest place', () => {
    const flags = [{ x: 30, end: 60 }, { x: 100, end: 110 }];
    const place = (x, end, wanted) => Object.values(roomBetween(x, end, wanted, flags));

    assert.deepEqual(roomBetween(5, 50, 99, []), { x: 5, room: 45 });
    assert.deepEqual(place(0, 200, 30), [0, 30]);
    assert.deepEqual(place(0, 200, 31), [60, 40]);
    assert.deepEqual(place(0, 200, 50), [110, 90]);
    assert.deepEqual(place(0, 140, 50), [60, 40], 'the widest');
    assert.deepEqual(place(40, 200, 10), [60, 40], 'it begins under one');
    assert.deepEqual(place(120, 200, 10), [120, 80], 'all are to its left');
    assert.deepEqual(place(0, 20, 50), [0, 20], 'all are to its right');
    assert.ok(place(40, 55, 10)[1] <= 0, 'there is none');
});

test('a card shows no end of a step whose end is not in the trace', () => {
    const step = { from: 1000, to: 3000, fromKnown: true, toKnown: true };

    assert.equal(timesText(step, 1e6), '0.001\u202f000 s … 0.003\u202f000 s, for 2.000 ms');
    assert.equal(timesText({ ...step, toKnown: false }, 1e6), '0.001\u202f000 s … after 0.003\u202f000 s, for at least 2.000 ms');
    assert.equal(timesText({ ...step, fromKnown: false }, 0), 'before 1\u202f000 … 3\u202f000, for at least 2\u202f000 ticks');
});

test('a card names the core of an event if there are several cores', () => {
    const event = { context: 'thread', thread: 0x100, threadName: 'app', core: 1 };

    assert.equal(whereText(event, 2), 'app, core 1');
    assert.equal(whereText(event, 1), 'app');
    assert.equal(whereText({ ...event, context: 'idle' }, 2), 'an interrupt, core 1');
});

test('each pixel with a loss shows it, however many losses a picture has', () => {
    const gaps = Array.from({ length: 10_000 }, (_, i) => ({ from: i * 10, to: i * 10 + 1 }));
    let asked = 0;
    const ask = (from, to, most) => {
        asked++;
        return gaps.filter((gap) => gap.to >= from && gap.from <= to).slice(0, most);
    };
    const pixel = 1000;
    const found = listAcross(ask, 0, 100_000, (gap) => (Math.floor(gap.to / pixel) + 1) * pixel);

    assert.equal(new Set(found.map((gap) => Math.floor(gap.to / pixel))).size, 100);
    assert.ok(asked <= 101 && found.length < 2000, `${asked} ${found.length}`);
    assert.deepEqual(listAcross(ask, 500, 540, () => 0).map((gap) => gap.from), [500, 510, 520, 530, 540], 'few are all there');
    assert.deepEqual(listAcross(ask, 2e5, 3e5, () => 0), []);
});

test('a flag has the text of its event', () => {
    const fields = (list) => Object.entries(list).map(([name, text]) => ({ name, text }));

    assert.equal(flagText({ id: 4100, name: 'boot', fields: fields({ n: '42', info2: '0' }) }), 'boot n=42');
    assert.equal(flagText({ id: 4100, name: 'user event', fields: fields({ info1: '7' }) }), '4100: 7');
    assert.equal(flagText({ id: 98, name: 'named_event', fields: fields({ name: 'count', arg0: '1' }) }), 'count arg0=1', 'of Zephyr');
    assert.equal(flagText({ id: 98, name: 'named_event', fields: [] }), 'named_event');
});

test('a thread has one colour, in the lane of a core and in its own; a thread without a row, the colour of running', () => {
    const frame = { colours: coloursOf('light'), layout: { threadColours: [undefined, 0, 1] } };
    const chip = (kind, object, row = 0) => chipColour(frame, { kind, row, counter: false }, { state: ROW_STATE.RUNNING, reason: 0, object });

    assert.equal(chip('core', 2), THREAD_COLOURS.light[1]);
    assert.equal(chip('core', -1), STATE_COLOURS.light.running);
    assert.equal(chip('thread', -1, 2), THREAD_COLOURS.light[1]);
    assert.equal(chipColour(frame, { kind: 'thread', counter: false }, null), frame.colours.levelEdge);
});

test('a thread keeps its colour when other threads appear', () => {
    const layout = laidOut();
    const before = layout.threadColours[4];

    layout.update([...ROWS, { kind: 'thread', name: 'new', number: 9, address: 0x200, priority: 0, row: 10 }]);
    assert.deepEqual([before, layout.threadColours[4], layout.threadColours[10]], [2, 2, 3]);
});

/** Returns the titles of the lanes with a choice of rows. */
function chosen(choice, loads) {
    const layout = new RowsLayout();

    layout.update(ROWS, { choice: { ...ALL_ROWS, ...choice }, loads });
    return [titles(layout), layout.hidden];
}

test('rows are filtered by name, hidden, or shown alone; the number of hidden rows is known', () => {
    assert.deepEqual(chosen({ filter: 'TEMP' }), [['CPU', 'Objects', 'temporary', 'temporary (2)'], 6]);
    assert.deepEqual(chosen({ hidden: [rowKey(ROWS[2]), 'thread:99'] })[1], 1);
    assert.deepEqual(chosen({ only: rowKey(ROWS[4]) }), [['CPU', 'Threads', 'high'], 7]);
    assert.equal(chosen({})[1], 0);
});

test('rows are sorted by priority, as recorded, by CPU time, or by name', () => {
    const threads = (order, loads) => chosen({ order }, loads)[0].filter((title) => ['low', 'high', '0x20001234'].includes(title));

    assert.deepEqual(threads('priority'), ['high', 'low', '0x20001234']);
    assert.deepEqual(threads('recorded'), ['low', '0x20001234', 'high']);
    assert.deepEqual(threads('cpu', new Map([[2, 5], [3, 9], [4, 7]])), ['0x20001234', 'high', 'low']);
    assert.deepEqual(threads('name'), ['0x20001234', 'high', 'low']);
});

test('many threads have lower rows, unless the user chose a height', () => {
    const many = Array.from({ length: 17 }, (_, row) => ({ kind: 'thread', name: `t${row}`, number: row, address: row + 1, row }));
    const heights = (rows, density) => {
        const layout = new RowsLayout();

        layout.update(rows, { choice: { ...ALL_ROWS, density } });
        return layout.lanes.at(-1).height;
    };

    assert.deepEqual([heights(many.slice(0, 16), 0), heights(many, 0), heights(many, 34), heights(many, 10)], [34, 18, 34, 10]);
});

test('the height of a load tells rare activity apart', () => {
    const heights = [0, 0.001, 0.01, 0.1, 1].map((load) => shareHeight(load * 65535, 100, false));

    assert.deepEqual(heights, [0, 25, 50, 75, 100]);
    assert.equal(shareHeight(1, 22, false), 1, 'the least load is seen');
    assert.equal(shareHeight(32768, 22, true), 11);
});

/** A trace with two threads and a core of 4 columns: row 0 is the core, 1 and 2 are threads. */
const LOADED = {
    rows: () => [{ row: 0, kind: 'core' }, { row: 1, kind: 'thread' }, { row: 2, kind: 'thread' }],
    shares: (row, second) => [second ? Uint16Array.of(0, 6554, 0, 0) : Uint16Array.of(65535, 32768, 0, 100), Uint16Array.of(65535, 0, 0, 0),
        Uint16Array.of(0, 32768, 0, 0)][row],
};

test('the load of a core is stacked from interrupts, threads, and time of an unknown thread', () => {
    const columns = { from: 0, to: 4, count: 4, byEvent: false };
    const { layers, total } = loadLayers(LOADED, [LOADED.rows()[0]], columns, true);
    const picture = Array.from({ length: 4 }, () => Array(10).fill('.'));
    const strip = { height: 10, column: (x, y0, y1, of) => picture[x].fill(of, y0, y1) };

    assert.deepEqual(layers.map(({ row }) => row), [-1, 1, 2, -2]);
    assert.deepEqual([...total].map((load) => Math.round(load * 1000)), [1000, 600, 0, 2]);
    stackLayers(strip, { layers, total }, (row) => ({ '-1': 'i', '-2': '?', 1: 'a', 2: 'b' })[row], 10, () => true);
    assert.deepEqual(picture.map((column) => column.join('')), ['aaaaaaaaaa', 'ibbbbb....', '..........', '?.........']);
});

test('the window of the peak is 10 ms, or shorter in a short trace', () => {
    assert.equal(peakWindow({ from: 0, to: 1e9, hz: 1e6 }), 10_000);
    assert.equal(peakWindow({ from: 0, to: 99_999, hz: 1e6 }), 1000);
    assert.equal(peakWindow({ from: 0, to: 3, hz: 1e6 }), 1);
    assert.equal(peakWindow({ from: 0, to: 1e9, hz: 0 }), 10_000);
});

test('the peak is searched on where it was left, and again if its window was dropped', () => {
    const asked = [];
    const state = { from: 0, to: 1e6, hz: 1e6, gaps: 0 };
    const trace = { state: () => state, rows: () => [{ row: 3, kind: 'core' }],
        peak: (row, window, next) => {
            asked.push(next);
            return { from: next, busy: next === 20 ? 50 : 100, next: next + 20, done: next >= 20 };
        } };
    const peak = new LoadPeak();

    assert.equal(peak.update(trace), false);
    assert.equal(peak.update(trace), true);
    assert.deepEqual(peak.highest(), { load: 0.01, from: 0, window: 10_000, isLeast: false });
    state.from = 10;
    peak.update(trace);
    assert.deepEqual(asked, [0, 20, 10]);
});
