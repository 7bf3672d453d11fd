// SPDX-License-Identifier: MIT
/* Tests the rows of the page: their sums equal the figures of 'txtap report'; columns, steps and events are
 * consistent. */
import assert from 'node:assert/strict';
import test from 'node:test';

import { loaded, samples, txtap } from './decoder_files.mjs';
import { ADDRESS, objects, trx } from './made_trx.mjs';
import { readTrace, recordingOf } from './recording.mjs';

const hex = (address) => `0x${address.toString(16).padStart(8, '0')}`;
const sample = (name) => samples.find((each) => each.name === name);
const whole = (trace) => [trace.state().from, trace.state().to];

for (const { name, path, bytes } of samples)
    test(`${name}: threads ran as long as txtap report says`, async () => {
        const trace = await loaded(bytes);
        const report = JSON.parse(txtap('report', '-f', 'json', '--section', 'cpu', path));
        const ran = report.figures.filter((figure) => figure.name === 'cpu_ticks' && figure.subject.kind === 'thread');
        const threads = new Map(trace.rows().filter(({ kind }) => kind === 'thread').map((row) => [hex(row.address), row]));

        assert.ok(ran.length > 0, 'there are threads');
        for (const { subject, stats } of ran) {
            const row = threads.get(subject.address);

            const running = row ? trace.sums(row.row, ...whole(trace)).running : 0;

            assert.equal(running, stats.value.value, subject.address);
            if (row && subject.name !== undefined) assert.equal(row.name, subject.name);
        }
    });

test('the columns of a row cover the trace and agree with its steps', async () => {
    const trace = await loaded(sample('demo_threadx').bytes);
    const [from, to] = whole(trace);

    for (const { row, kind, counter } of trace.rows()) {
        const cells = counter ? trace.values(row, from, to, 500) : trace.columns(row, from, to, 500);
        const { x0, x1 } = { x0: Array.from({ length: cells.length }, (_, i) => cells.x0(i)), x1: cells.length ? cells.x1(cells.length - 1) : 0 };
        const indexes = counter ? [] : Array.from({ length: cells.length }, (_, i) => cells.index(i));

        assert.deepEqual(x0, [...x0].sort((a, b) => a - b), kind);
        if (cells.length > 0) assert.ok(x0[0] === 0 && x1 === 500, `${kind} from ${x0[0]} to ${x1}`);
        for (const index of indexes) assert.ok(index < trace.state().events);
    }
});

test('the rows together have all events', async () => {
    const trace = await loaded(sample('demo_threadx').bytes);
    const [from, to] = whole(trace);
    const sum = (list) => list.reduce((a, b) => a + b, 0);

    for (const count of [1, 7, 640]) {
        const all = sum(trace.eventsBetween(from, to + 1, count).count);
        const each = trace.rows().map(({ row }) => sum(trace.eventColumns(row, from, to + 1, count).count));

        assert.equal(all, trace.state().events);
        assert.equal(sum(each), all);
        assert.equal(sum(trace.eventsBetween(0, trace.state().events, count, true).count), all);
    }
});

test('an event is in the row that recorded it, a wake is between the rows that it names', async () => {
    const trace = await loaded(sample('demo_threadx').bytes);
    const rows = trace.rows();

    for (let index = 0; index < trace.state().events; index++) {
        const event = trace.event(index);

        if (event.context === 'thread') assert.equal(rows[event.row].address, event.thread);
    }
    const wakes = trace.wakesBetween(...whole(trace));

    assert.ok(wakes.length > 10);
    for (const wake of wakes) {
        assert.equal(rows[wake.to].kind, 'thread');
        assert.equal(trace.ticks(wake.index), wake.ticks);
    }
});

test('a step ends where the next step begins', async () => {
    const trace = await loaded(sample('demo_threadx').bytes);
    const { row } = trace.rows().find(({ kind, events }) => kind === 'thread' && events > 20);

    for (let step = trace.step(row, 0), i = 0; step && step.toKnown && i < 50; i++) {
        const next = trace.step(row, step.to);

        assert.equal(next.from, step.to);
        assert.equal(trace.ticks(next.index), next.from);
        step = next;
    }
    assert.equal(trace.step(row, 1e15), null);
    assert.equal(trace.step(9999, 0), null);
});

test('the shares of a thread in columns add up to the time that it ran', async () => {
    const trace = await loaded(sample('demo_threadx').bytes);
    const [from, to] = whole(trace);
    const count = 64;

    for (const { row, kind } of trace.rows().filter((each) => each.kind === 'thread' || each.kind === 'core')) {
        const shares = trace.shares(row, false, from, to, count);
        const ran = trace.sums(row, from, to).running;
        const sum = [...shares ?? []].reduce((a, share) => a + share, 0) / 65535 * (to - from) / count;

        assert.ok(Math.abs(sum - ran) <= (to - from) / 65535 + count, `${kind} ${row}: ${sum}, not ${ran}`);
    }
    assert.equal(trace.shares(9999, false, from, to, count), null);
});

test('the busiest window of a core is the busiest of all windows', async () => {
    const trace = await loaded(sample('demo_threadx').bytes);
    const [first, last] = whole(trace);
    const { row } = trace.rows().find(({ kind }) => kind === 'core');
    const window = Math.floor((last - first) / 37);
    const busy = (from) => {
        const sums = trace.sums(row, from, from + window);
        return sums.running + sums.isr;
    };
    let most = 0;

    for (let from = first; from + window <= last; from += window) most = Math.max(most, busy(from));
    let found = { next: first, busy: 0, done: false };
    for (let best = 0; !found.done;) {
        found = trace.peak(row, window, found.next, 5);
        found.busy = best = Math.max(best, found.busy);
    }
    assert.equal(found.busy, most);
});

test('the events around a moment of a row are its own', async () => {
    const trace = await loaded(sample('demo_threadx').bytes);
    const middle = Math.floor(whole(trace)[1] / 2);
    const { row } = trace.rows().find(({ kind, events }) => kind === 'thread' && events > 20);
    const [before, after] = [trace.near(row, middle, false), trace.near(row, middle, true)];
    const isOwn = (index) => trace.rowOf(index) === row || trace.step(row, trace.ticks(index)).from === trace.ticks(index);

    assert.ok(trace.ticks(before) < middle && trace.ticks(after) >= middle && before < after);
    assert.ok(isOwn(before) && isOwn(after));
    for (let index = before + 1; index < after; index++) assert.ok(trace.rowOf(index) !== row, `${index}`);
    assert.deepEqual([trace.near(row, 0, false), trace.near(9999, 0, true), trace.rowOf(-1)], [-1, -1, -1]);
    for (let index = 0; index < 50; index++) assert.equal(trace.rowOf(index), trace.event(index).row);
});

/** Returns the rows of a recording in which gamma puts a semaphore that was deleted and created again. */
async function rowsAfterDelete(names) {
    const by = [ADDRESS.gamma, 0x800f000f];
    const [create, remove, put] = [81, 82, 88];
    const events = [[0, ...by, put, ADDRESS.done], [10, ...by, remove, ADDRESS.done], [20, ...by, create, ADDRESS.done, 1],
        [30, ...by, put, ADDRESS.done], [40, ...by, put, ADDRESS.done]];
    const known = objects(names);
    const trace = await loaded(recordingOf(readTrace(trx(known, events)), events.map(([ticks]) => ticks)).end(5).bytes());

    return trace.rows().filter(({ address }) => address === ADDRESS.done);
}

test('an object that was deleted, and created again, keeps its last known name', async () => {
    const rows = await rowsAfterDelete({ done: 'temporary' });

    assert.deepEqual([...new Set(rows.map(({ name }) => name))], ['temporary']);
    assert.ok(rows.every(({ doubtful }) => !doubtful));
});
