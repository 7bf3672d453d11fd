// SPDX-License-Identifier: MIT
/* Tests the table of events: the visible rows and their contents. */
import assert from 'node:assert/strict';
import test from 'node:test';

import { earlierText, gapText, lossText, shortGapText } from '../../capture/view/page/loss.js';
import { lineText, tableLines } from '../../capture/view/page/table_lines.js';
import {
    SCROLL_HEIGHT_MOST, clampRow, lastFirstRow, rowAtScroll, rowToSee, rowsSeen, rowsToSee, scrollHeight, scrollOfRow,
} from '../../capture/view/page/virtual_rows.js';
import { madeTrace } from './made_trace.mjs';

const list = (count) => ({ count, rowHeight: 20, height: 190 });

test('the scrollbar reaches the first and the last of any number of rows', () => {
    for (const count of [0, 1, 9, 10, 1000, 10_000_000, 2 ** 32 - 2]) {
        const rows = list(count);
        const way = scrollHeight(rows) - rows.height;

        assert.ok(scrollHeight(rows) <= SCROLL_HEIGHT_MOST);
        assert.equal(rowAtScroll(rows, 0), 0);
        assert.equal(rowAtScroll(rows, way), lastFirstRow(rows));
        assert.equal(rowAtScroll(rows, 1e12), lastFirstRow(rows));
        assert.equal(rowAtScroll(rows, -5), 0);
    }
});

test('the scrollbar position of a row leads to that row', () => {
    for (const count of [10, 1000, 300_000])
        for (const row of [0, 1, 7, lastFirstRow(list(count))])
            assert.equal(rowAtScroll(list(count), scrollOfRow(list(count), row)), clampRow(list(count), row));
    const many = list(10_000_000);

    for (const row of [0, 123_456, 9_999_000]) // the scrollbar has one position for several rows
        assert.ok(Math.abs(rowAtScroll(many, Math.round(scrollOfRow(many, row))) - row) <= many.count / SCROLL_HEIGHT_MOST * 10);
});

test('a visible row stays, an adjacent row scrolls by one row, other rows go to the middle', () => {
    const rows = list(1000);

    assert.equal(rowsSeen(rows), 9);
    assert.equal(rowToSee(rows, 100, 104), 100);
    assert.equal(rowToSee(rows, 100, 109), 101);
    assert.equal(rowToSee(rows, 100, 99), 99);
    assert.equal(rowToSee(rows, 100, 500), 496);
    assert.equal(rowToSee(rows, 100, 0), 0);
    assert.equal(rowToSee(rows, 100, 999), 991);
});

test('a place between two rows shows both', () => {
    const rows = list(1000);

    assert.equal(rowsToSee(rows, 100, 104), 100, 'both are visible');
    assert.equal(rowsToSee(rows, 100, 100), 99);
    assert.equal(rowsToSee(rows, 100, 500), 496);
    assert.equal(rowsToSee(rows, 100, 0), 0, 'before the first');
    assert.equal(rowsToSee(rows, 100, 1000), 991, 'after the last');
});

test('an event has a line with its number, its time, and the time since the previous event', () => {
    const [line, next] = tableLines(madeTrace(), 5, 2);

    assert.deepEqual([line.number, line.delta, line.context, line.event, line.className],
        ['#105', '10.00 ms', 'app 2', 'queue_send', 'queue']);
    assert.equal(line.fields, 'queue=samples sp=0x20000005');
    assert.equal(next.index, 6);
    assert.equal(tableLines(madeTrace(), 0, 1)[0].delta, '', 'of the first event nobody knows');
    assert.equal(tableLines(madeTrace({ first: 7 }), 7, 1)[0].delta, '', 'of the oldest that is held neither');
    assert.equal(lineText(line).split('\t').length, 6);
});

test('gaps and marks have lines of their own, before the event that follows', () => {
    const gaps = [{ index: 3, at: 25, from: 20, to: 30, lost: 17, exact: false }];
    const marks = [{ index: 3, at: 26, ticks: 26, kind: 'reset', text: 'target was reset' },
        { index: 100, at: 990, ticks: 990, kind: 'detached', text: '' }];
    const trace = madeTrace({ gaps, marks });
    const lines = tableLines(trace, 2, 4);

    assert.deepEqual(lines.map((line) => line.kind), ['event', 'gap', 'mark', 'event']);
    assert.equal(lines[1].event, 'at least 17 events lost');
    assert.equal(lines[2].event, 'target was reset');
    assert.equal(tableLines(trace, 98, 4).at(-1).event, 'detached', 'also behind the last event');
    assert.deepEqual(tableLines(trace, 98, 2, true).map((line) => line.kind), ['event', 'mark']);
});

test('the table never requests events that the trace does not hold', () => {
    assert.deepEqual(tableLines(madeTrace({ events: 0 }), 0, 10), []);
    assert.deepEqual(tableLines(madeTrace({ first: 50, events: 5 }), 0, 10).map((line) => line.index), [50, 51, 52, 53, 54]);
    assert.deepEqual(tableLines(madeTrace(), 500, 10), []);
});

test('the text of a loss shows its certainty', () => {
    assert.equal(lossText(1, true), '1 event lost');
    assert.equal(lossText(2500, true), '2\u202f500 events lost');
    assert.equal(lossText(3, false), 'at least 3 events lost');
    assert.match(lossText(0, false), /^unknown number of events lost$/);
    assert.equal(gapText({ index: 3, lost: 17, exact: false }), 'at least 17 events lost');
    assert.equal(gapText({ index: 3, lost: 0, exact: false }), lossText(0, false), 'never "at least 0"');
    assert.deepEqual([[17, false], [17, true], [0, false]].map(([lost, exact]) => shortGapText({ lost, exact })), ['≥ 17 lost', '17 lost', 'lost']);
});

test('events before the first event may not have been lost', () => {
    assert.equal(gapText({ index: 0, lost: 1200, exact: true }), '1\u202f200 earlier events lost or no longer kept');
    assert.equal(earlierText(1, false), 'at least 1 earlier event lost or no longer kept');
    assert.equal(earlierText(0, false), 'earlier events lost or no longer kept');
});

test('names of a target cannot change the direction of a line', () => {
    const trace = madeTrace();
    const event = trace.event;

    trace.event = (index) => ({ ...event(index), threadName: 'a\u202eb\u200bc\nd', fields: [{ name: 'n', text: '\t<b>' }] });
    const [line] = tableLines(trace, 1, 1);

    assert.equal(line.context, 'a·b·c·d');
    assert.equal(line.fields, 'n=·<b>');
});
