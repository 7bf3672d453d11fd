// SPDX-License-Identifier: MIT
/* Tests the hits of a search, and their order. */
import assert from 'node:assert/strict';
import test from 'node:test';

import { HITS_MOST, SearchHits } from '../../capture/view/page/search_hits.js';
import { contextText, eventMatches, patternMatches, soughtTexts } from '../../capture/view/page/search_match.js';
import { parseQuery } from '../../capture/view/page/search_query.js';
import { madeTrace } from './made_trace.mjs';

test('patterns match a whole text, as in the options', () => {
    const yes = [['*', ''], ['a*', 'a'], ['a*c', 'abbc'], ['?', 'x'], ['[a-c]x', 'bx'], ['[!a-c]x', 'dx'], ['[]]', ']'],
        ['\\*', '*'], ['a*b*c', 'aXbYbZc'], ['', ''], ['*ab', 'aab'], ['[', '[']];
    const no = [['a', 'ab'], ['a*c', 'ab'], ['?', ''], ['[a-c]', 'd'], ['[!a-c]', 'b'], ['\\*', 'x'], ['', 'x']];

    for (const [pattern, text] of yes)
        assert.ok(patternMatches(pattern, text), `${pattern} ${text}`);
    for (const [pattern, text] of no)
        assert.ok(!patternMatches(pattern, text), `${pattern} ${text}`);
});

test('a pattern with much backtracking ends', () => {
    const start = process.cpuUsage();

    assert.ok(!patternMatches('*a'.repeat(50) + 'b', 'a'.repeat(200)));
    assert.ok(process.cpuUsage(start).user < 2e6, 'in steps of pattern times text, not in powers');
});

const event = {
    name: 'tx_queue_send', id: 68, class: 'queue', context: 'thread', thread: 0x20000100, threadName: 'App 1',
    fields: [{ name: 'queue', text: 'samples' }, { name: 'sp', text: '0x20001000' }, { name: 'n', text: '16' }],
};

test('all words must match, each in the place of its prefix', () => {
    const matches = (text) => eventMatches(parseQuery(text).words, event);

    for (const hit of ['queue_send', 'by:app', 'by:0x20000100', 'QUEUE', 'samples', 'tx_* app*', 'thread:app* queue', 'thread:0x20000100', 'object:samp',
        'event:68', 'event:tx_queue_*', 'class:queue', 'thread:app', 'sp=0x2000*', 'n=0x10', 'n=16', '"app 1"'])
        assert.ok(matches(hit), hit);
    for (const miss of ['queue_receive', 'by:isr', 'thread:samples', 'queue other', 'n=1', 'sp=0x2000', 'class:isr', 'send*', 'thread:app?'])
        assert.ok(!matches(miss), miss);
});

test('by: finds the caller, not the thread that an interrupt interrupted', () => {
    const isr = { ...event, context: 'idle', isr: true };
    const matches = (text) => eventMatches(parseQuery(text).words, isr);

    assert.ok(matches('by:isr') && matches('thread:app') && !matches('by:app') && !matches('by:0x20000100'));
    assert.deepEqual(soughtTexts(parseQuery('by:isr by:app').words), ['app'], 'no event has the text isr');
});

test('the context of an event has a name or an address', () => {
    assert.equal(contextText(event), 'App 1');
    assert.equal(contextText({ context: 'thread', thread: 0x100, threadName: '' }), '0x00000100');
    assert.equal(contextText({ context: 'isr', thread: 0x100, threadName: 'App 1' }), 'isr: App 1');
    assert.equal(contextText({ context: 'init', thread: 0 }), 'init');
});

/** Calls the search `calls` times. Each call searches one step. */
function scanSome(hits, calls) {
    for (let i = 0; i < calls; i++) {
        let asked = 0;

        hits.scan(() => asked++ === 0);
    }
}

test('a search starts at the user\'s view and checks each event once', () => {
    const trace = madeTrace({ events: 500, first: 50 });
    const seen = [];
    const hits = new SearchHits(trace, (index) => seen.push(index) && index % 100 === 0, 300);

    scanSome(hits, 1);
    assert.equal(seen[0], 300);
    assert.ok(!hits.isDone());
    assert.ok(hits.part() > 0 && hits.part() < 1);
    scanSome(hits, 60);
    assert.ok(hits.isDone());
    assert.equal(hits.part(), 1);
    assert.deepEqual([...seen].sort((a, b) => a - b), Array.from({ length: 500 }, (_, i) => i + 50));
    assert.deepEqual(hits.list(10), [100, 200, 300, 400, 500]);
    assert.deepEqual([hits.list(3), hits.list(2, 1), hits.list(3, 3), hits.list(2, 9)], [[100, 200, 300], [200, 300], [400, 500], []]);
});

test('next and previous hits cross the start of the search', () => {
    const hits = new SearchHits(madeTrace({ events: 500 }), (index) => index % 100 === 0, 250);

    scanSome(hits, 60);
    assert.deepEqual([-1, 0, 150, 250, 400].map((from) => hits.next(from, true)), [0, 100, 200, 300, -1]);
    assert.deepEqual([500, 400, 300, 250, 100, 0].map((from) => hits.next(from, false)), [400, 300, 200, 200, 0, -1]);
    assert.deepEqual([0, 199, 200, 300].map((index) => hits.has(index)), [true, false, true, true]);
    assert.equal(hits.rank(300), 3);
});

test('columns with a hit have a mark, by time and by event', () => {
    const hits = new SearchHits(madeTrace({ events: 500 }), (index) => index === 100 || index === 101 || index === 400, 0);

    scanSome(hits, 60);
    const set = (columns) => columns.reduce((list, value, at) => (value ? [...list, at] : list), []);

    assert.deepEqual(set(hits.columns(0, 5000, 50, false)), [10, 40]);
    assert.deepEqual(set(hits.columns(1000, 1100, 10, false)), [0, 1]);
    assert.deepEqual(set(hits.columns(0, 500, 500, true)), [100, 101, 400]);
    assert.deepEqual(set(hits.columns(-1000, 1010, 201, false)), [200]);
    assert.deepEqual(set(hits.columns(4001, 5000, 10, false)), []);
});

test('later events are searched, hits of dropped events are removed', () => {
    const trace = madeTrace({ events: 100 });
    const state = trace.state();
    const hits = new SearchHits(trace, (index) => index >= state.first && index % 50 === 0, 0);

    scanSome(hits, 40);
    assert.ok(hits.isDone());
    Object.assign(state, { events: 200, first: 60 });
    assert.ok(!hits.isDone());
    scanSome(hits, 40);
    assert.deepEqual(hits.list(9), [100, 150, 200, 250]);
    assert.ok(hits.isDone());
});

test('a full search continues when its hits are dropped', () => {
    const trace = madeTrace({ events: HITS_MOST + 10 });
    const hits = new SearchHits(trace, () => true, 5);

    hits.scan(() => true);
    assert.ok(hits.isDone() && hits.isFull());
    assert.equal(hits.has(HITS_MOST + 7), false);
    Object.assign(trace.state(), { first: 100, events: HITS_MOST - 90 });
    assert.ok(!hits.isDone());
    hits.scan(() => true);
    assert.ok(hits.isDone() && !hits.isFull());
    assert.deepEqual([hits.count, hits.list(1)[0], hits.has(HITS_MOST + 9)], [HITS_MOST - 90, 100, true]);
});
