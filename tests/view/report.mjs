// SPDX-License-Identifier: MIT
/* Tests a report in the panels: the panels must show each bound and each doubt of the report. */
import assert from 'node:assert/strict';
import test from 'node:test';

import {
    counts, droppedText, measureText, network, quantityText, reportNotes, rowsNote, shares, spans, stackText, stacks, subjectName, waits, worstCases,
} from '../../capture/view/page/report_model.js';
import { coreShares, eventsIn, stateShares } from '../../capture/view/page/range_shares.js';
import { madeTrace } from './made_trace.mjs';

const HZ = 1e6;
const thread = (name) => ({ kind: 'thread', name, address: `0x${name.length}` });
const exact = (value) => ({ value, lower: value, upper: value });
const figure = (section, name, subject, unit, stats, more = {}) => ({ section, name, subject, unit, censored: 0, stats, ...more });
const percent = (name, subject, value) => figure('cpu', name, subject, 'percent', { value: exact(value) });
const at = (event) => ({ max_at: { event, ticks: event * 10 } });
const report = (figures, more = {}) => ({
    gaps: 0, lost: 0, lost_exact: true, resets: 0, window_ticks: 1000, observed_ticks: 1000, left_out: 0, figures, ...more,
});

test('shares are sorted by size, then interrupts and idle; an initialization that did not run is left out', () => {
    const system = { kind: 'system' };
    const list = shares(report([percent('idle', system, 60), percent('interrupts', system, 4), percent('init', system, 0),
        percent('cpu', thread('a'), 6), percent('cpu', thread('bb'), 30)]));

    assert.deepEqual(list.map((share) => [share.name, share.value]), [['bb', 30], ['a', 6], ['interrupts', 4], ['idle', 60]]);
});

test('a number shows its certainty as in txtap report', () => {
    const of = (value, lower, upper, stat = 'max') => measureText({ unit: 'ticks', stats: { [stat]: { value, lower, upper } } }, stat, 0);

    assert.equal(of(5, 5, 5), '5 ticks');
    assert.equal(of(5, 5, null), '≥ 5 ticks');
    assert.equal(of(0, 417, 417), '≥ 417 ticks', 'what is certain, not what was complete');
    assert.equal(of(5, 0, null), '~ 5 ticks');
    assert.equal(of(5, 0, 5, 'min'), '≤ 5 ticks');
    assert.equal(of(5, 4, 5, 'p99'), '5 ticks', 'a percentile has the bounds of its bucket');
    assert.equal(measureText({ unit: 'ticks', stats: {} }, 'max', 0), '–');
});

test('a share has bounds that are rounded away from it, as in txtap report', () => {
    const of = (value, lower, upper) => measureText({ unit: 'percent', stats: { value: { value, lower, upper } } }, 'value', 0);

    assert.equal(of(2.5, 2.5, 2.5), '2.50 %');
    assert.equal(of(97.8, 12.06, 97.8), '97.80 % (12.06 to 97.80)');
    assert.equal(of(2.5, 1.04, 58.71), '2.50 % (1.04 to 58.71)');
    assert.equal(of(0.2112, 0.2112, 0.2145), '0.21 % (0.21 to 0.22)');
    assert.equal(of(2.5, 2.5, null), '≥ 2.50 %');
    assert.equal(measureText({ unit: 'percent', stats: {} }, 'value', 0), 'not recorded');
    assert.match(reportNotes(report([], { uncertain_ticks: 50 }), HZ)[0], /50.00 µs .*enter and exit/);
});

test('quantities have their unit', () => {
    assert.equal(quantityText(2500, 'ticks', HZ), '2.500 ms');
    assert.equal(quantityText(2500, 'ticks', 0), '2\u202f500 ticks');
    assert.equal(quantityText(12.5, 'percent', HZ), '12.50 %');
    assert.equal(quantityText(912, 'bytes', HZ), '912 bytes');
    assert.equal(quantityText(Infinity, 'count', HZ), '–');
});

test('losses are the first note, with their certainty', () => {
    assert.deepEqual(reportNotes(report([]), HZ), []);
    const lossy = report([], { gaps: 2, lost: 7, lost_exact: false, observed_ticks: 900, resets: 1, not_recorded: 'no\nqueues' });

    assert.deepEqual(reportNotes(lossy, HZ), ['At least 7 events lost in 2 gaps: figures are limits.',
        'The target was reset once.', 'Observed: 900.0 µs of 1.000 ms.', 'Not recorded: no·queues.']);
    assert.match(reportNotes(report([], { gaps: 1, lost_exact: false }), HZ)[0], /number unknown/);
});

test('both ends of a range belong to it', () => {
    const trace = madeTrace({ events: 50 });

    assert.deepEqual([[0, 490], [10, 20], [11, 19], [20, 20], [485, 9999]].map(([from, to]) => eventsIn(trace, { from, to })), [50, 2, 0, 1, 1]);
});

test('a note tells that the timeline leaves out rows', () => {
    assert.equal(rowsNote({ leftOut: 0 }), '');
    assert.match(rowsNote({ leftOut: 3 }), /no row/);
});

test('a note tells that some events of a range were dropped', () => {
    const state = { from: 5000, dropped: 70, hz: 0 };

    assert.match(droppedText({ from: 4999, to: 9000 }, state), /before 5.000\b.* are no longer available/);
    assert.equal(droppedText({ from: 5000, to: 9000 }, state), '');
    assert.equal(droppedText({ from: 0, to: 9000 }, { ...state, from: 10, dropped: 0 }), '', 'nothing was there');
});

test('worst cases: the worst of each kind, with its event', () => {
    const stats = (max) => ({ n: exact(3), max: exact(max) });
    const list = worstCases(report([figure('wake', 'wake', thread('a'), 'ticks', stats(10), at(1)),
        figure('wake', 'wake', thread('bb'), 'ticks', stats(30), at(2)),
        figure('inversion', 'inversion', { kind: 'system' }, 'ticks', stats(0), at(3)),
        figure('stack', 'stack', thread('a'), 'percent', { value: exact(50) }, at(4)),
        figure('stack', 'stack', thread('bb'), 'percent', { value: exact(8) }, at(5)),
        figure('stack', 'stack_bytes', thread('bb'), 'bytes', { value: exact(80) }, at(5)),
        figure('stack', 'stack_size', thread('bb'), 'bytes', { value: exact(1000) })]), HZ);

    assert.deepEqual(list.map(({ figure, ...rest }) => rest), [{ text: 'wake-up latency: bb', amount: '30.00 µs', event: 2 },
        { text: 'stack use: bb', amount: '920 of 1\u202f000 bytes (92 %)', event: 5 }]);
});

test('distributions are sorted longest first, unknown distributions are left out', () => {
    const of = (name, stats) => figure('jobs', 'run', thread(name), 'ticks', stats);
    const list = spans(report([of('a', { n: exact(1), max: exact(5) }), of('bb', { n: exact(0), max: exact(0) }),
        of('ccc', { n: exact(0), max: { value: 0, lower: 9, upper: null } })]), 'jobs', 'run');

    assert.deepEqual(list.map((each) => each.subject.name), ['ccc', 'a']);
});

test('stacks have bytes and size, the fullest first', () => {
    const of = (name, subject, unit, value) => figure('stack', name, subject, unit, { value: exact(value) }, at(7));
    const list = stacks(report([of('stack', thread('a'), 'percent', 89), of('stack', thread('bb'), 'percent', 10),
        of('stack_bytes', thread('bb'), 'bytes', 100), of('stack_size', thread('bb'), 'bytes', 1000)]));

    assert.deepEqual(list.map(({ name, used, size, event }) => [name, used.value, size, event]), [['bb', 90, 1000, 7], ['a', 11, 0, 7]]);
    assert.deepEqual(list.map(stackText), ['900 of 1\u202f000 bytes (90 %)', '11 %']);
    const bounded = { value: 100, lower: 0, upper: 100 }; // events are lost: less may have been free

    assert.equal(stackText(stacks(report([of('stack', thread('a'), 'percent', 10), figure('stack', 'stack_bytes', thread('a'), 'bytes', { value: bounded }),
        of('stack_size', thread('a'), 'bytes', 1000)]))[0]), '≥ 900 of 1\u202f000 bytes (90 %)');
});

test('a figure that was not measured has no line, and does not hide the others', () => {
    const system = { kind: 'system' };
    const list = report([figure('stack', 'stack', thread('a'), 'percent', {}), figure('cpu', 'init', system, 'percent', {}),
        figure('cpu', 'idle', system, 'percent', {}), percent('cpu', thread('bb'), 30)]);

    assert.deepEqual([stacks(list), worstCases(list, HZ)], [[], []]);
    assert.deepEqual(shares(list).map(({ name, value }) => [name, value]), [['bb', 30], ['idle', 0]]);
    assert.deepEqual(counts(report([figure('switches', 'switches', system, 'count', {})])), []);
});

test('waits name the reason and the object', () => {
    const wait = (detail, other, sum) => figure('blocking', 'block', thread('a'), 'ticks', { max: exact(sum), sum: exact(sum) },
        { detail, other });
    const list = waits(report([wait('sleep', undefined, 5), wait('queue', { kind: 'queue', name: 'samples' }, 50),
        wait('event_flags', { kind: 'event flags', address: '0x20' }, 20), wait('suspended', undefined, 0)]));

    assert.deepEqual(list.map((each) => each.what), ['queue samples', 'event flags 0x20', 'sleep']);
});

test('counts of 0 have no line', () => {
    const count = (section, name, value) => figure(section, name, { kind: 'system' }, 'count', { value: exact(value), n: exact(value) });

    assert.deepEqual(counts(report([count('switches', 'switches', 12), count('calls', 'failed', 0)])).map((each) => each.text),
        ['context switches']);
});

test('a subject without a name is shown by its kind', () => {
    assert.equal(subjectName({ kind: 'interrupt', number: 22 }), 'interrupt 22');
    assert.equal(subjectName({ kind: 'interrupt', number: 0xffffffff }), 'interrupts');
    assert.equal(subjectName({ kind: 'semaphore', address: '0x200049a8' }), 'semaphore 0x200049a8');
    assert.equal(subjectName({ kind: 'thread', name: 'a\u202eb' }), 'a·b');
});

test('states of threads are shares of a range, even of a range that is longer than the trace', () => {
    const trace = madeTrace({ events: 101 }); // 0 to 1000 ticks
    const asked = [];
    const sums = [{ running: 100, ready: 300, blocked: 600 }, { unknown: 1000 }, { running: 250, interrupted: 250, unknown: 500 }];

    trace.sums = (row, from, to) => {
        asked.push([from, to]);
        return sums[row];
    };
    const list = stateShares(trace, -500, 2000).map(({ row, parts }) => [row.row, Object.fromEntries(parts)]);

    assert.deepEqual(asked, [[0, 1000], [0, 1000], [0, 1000]]);
    assert.deepEqual(list, [[2, { running: 0.25, interrupted: 0.25, unknown: 0.5 }], [0, { running: 0.1, ready: 0.3, blocked: 0.6 }]]);
    assert.deepEqual(stateShares(trace, 3000, 4000), []);
});

test('interrupts and idle have shares of the same time, added up over the cores', () => {
    const trace = madeTrace({ events: 101 });
    const sums = [{ running: 100, isr: 50, init: 0, idle: 850, unknown: 0 }, { running: 0, isr: 0, init: 0, idle: 500, unknown: 500 }];

    trace.rows = () => [{ row: 0, kind: 'core' }, { row: 1, kind: 'core' }, { row: 2, kind: 'idle' }];
    trace.sums = (row) => sums[row];
    assert.deepEqual(coreShares(trace, 0, 1000), { isr: 0.05, init: 0, idle: 1.35, unknown: 0.5, cores: 2 });
    assert.deepEqual(coreShares(trace, 3000, 4000), { isr: 0, init: 0, idle: 0, unknown: 0, cores: 2 });
});

test('counts of FileX, NetX and USBX are listed if they are not 0', () => {
    const sent = (subject, value) => figure('network', 'tcp_sent', subject, 'count', { value: exact(value) });
    const made = report([sent({ kind: 'system' }, 5), sent(thread('a'), 5), sent({ kind: 'system' }, 0)]);

    assert.deepEqual(network(made).map((each) => [each.name, each.figure.stats.value.value]), [['tcp sent', 5]]);
});
