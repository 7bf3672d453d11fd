// SPDX-License-Identifier: MIT
/* Which lanes there are, in which order, under which names; and texts that fit into them. */
import assert from 'node:assert/strict';
import test from 'node:test';

import { queryOf, snapped, toPosition, toX } from '../../capture/view/page/frame.js';
import { RowsLayout, rowNames } from '../../capture/view/page/rows_layout.js';
import { TextFit } from '../../capture/view/page/text_fit.js';

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

    layout.update(ROWS, new Set(quiet));
    return layout;
}

test('names: the address where a name is there twice, or none', () => {
    assert.deepEqual(rowNames(ROWS), ['CPU', 'SysTick', 'low', 'thread 0x20001234', 'high', 'idle', 'temporary 0x00000400', 'q',
        'temporary 0x00000600', 'f']);
    assert.deepEqual(rowNames([{ kind: 'core', number: 0 }, { kind: 'core', number: 1 }, { kind: 'isr', number: 7 }]),
        ['CPU 0', 'CPU 1', 'ISR 7']);
});

test('names: what would turn or hide the text around them is seen', () => {
    assert.deepEqual(rowNames([{ kind: 'thread', name: '\u202eabc\u0000\u200b\n', number: 0, address: 1 }]), ['·abc···']);
});

test('threads are in the order of their priorities, those without one last', () => {
    assert.deepEqual(titles(laidOut()), ['CPU', 'Interrupts', 'SysTick', 'Threads', 'high', 'low', 'thread 0x20001234', 'idle', 'Objects',
        'q', 'temporary 0x00000400', 'temporary 0x00000600']);
});

test('objects that never change are folded away, apart', () => {
    const layout = laidOut([6, 8]);

    assert.deepEqual(titles(layout).slice(-3), ['Objects', 'q', 'Objects that do not change']);
    layout.toggle(layout.lanes.at(-1));
    layout.update(ROWS, new Set([6, 8]));
    assert.deepEqual(titles(layout).slice(-2), ['temporary 0x00000400', 'temporary 0x00000600']);
});

test('a folded group keeps its rows in one lane', () => {
    const layout = laidOut();

    layout.toggle(layout.lanes.find((lane) => lane.title === 'Threads'));
    layout.update(ROWS);
    assert.ok(!titles(layout).includes('high'));
    assert.equal(layout.laneOf(4).title, 'Threads');
    assert.deepEqual(layout.laneOf(4).members.map((row) => row.row), [4, 2, 3]);
});

test('a row moves within its group, and stays there when rows come', () => {
    const layout = laidOut();
    const lane = (title) => layout.lanes.find((found) => found.title === title);

    layout.move(lane('low'), lane('high'));
    layout.move(lane('low'), lane('q'));
    layout.update([...ROWS]);
    assert.deepEqual(titles(layout).slice(4, 7), ['low', 'high', 'thread 0x20001234']);
    layout.move(lane('low'), lane('thread 0x20001234'));
    layout.update([...ROWS]);
    assert.deepEqual(titles(layout).slice(4, 7), ['high', 'thread 0x20001234', 'low']);
});

test('lanes lie on each other without a hole, and each height finds its lane', () => {
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
});

test('positions and pixels are each other\'s reverse', () => {
    const frame = { left: 200, width: 1000, from: 5000, to: 5400 };

    for (const at of [5000, 5123.4, 5400])
        assert.ok(Math.abs(toPosition(frame, toX(frame, at)) - at) < 1e-9);
});

test('a view that is dragged by whole pixels has the same columns', () => {
    const { from, to } = snapped(1000.3, 1700.3, 350);

    assert.ok(Math.abs(from / 2 - Math.round(from / 2)) < 1e-9);
    assert.ok(Math.abs(to - from - 700) < 1e-9);
});

test('columns are asked for inside the trace alone, and cover what is seen of it', () => {
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
