// SPDX-License-Identifier: MIT
/* Tests that reports of the page equal those of 'txtap report', for whole traces and for ranges: every figure, every
 * bound. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { reportInSlices } from '../../capture/view/page/report_slices.js';
import { fileOf, loaded, newDecoder, samples, txtap } from './decoder_files.mjs';
import { trx, TYPE } from './made_trx.mjs';
import { Recording, readTrace, recordingOf } from './recording.mjs';

const RANGES = [[0, 1 / 3], [1 / 3, 2 / 3], [1 / 2, 1], [0.05, 0.95]];
const USUAL = ['wake', 'run', 'response']; // figures with bars in --histograms

/** Removes the parts that may differ: the name of the file, bars that the test did not request from txtap, and the causes of
 *  jobs, which txtap why lists. */
function comparable({ jobs, ...report }) {
    return {
        ...report,
        trace: '',
        figures: report.figures.map(({ bars, ...figure }) => (USUAL.includes(figure.name) ? { ...figure, bars } : figure)),
    };
}

function same(trace, path, range, options) {
    const limits = range ? ['--from', String(range[0]), '--to', String(range[1])] : [];
    const want = JSON.parse(txtap('report', '-f', 'json', '--histograms', ...options, ...limits, path));

    assert.deepEqual(comparable(trace.report(...(range ?? []))), comparable(want), `${path} ${limits.join(' ')}`);
    return want.figures.length;
}

function compareAll(trace, path, options = []) {
    const { from, to } = trace.state();

    assert.ok(same(trace, path, null, options) > 10);
    for (const [a, b] of RANGES)
        same(trace, path, [Math.floor(from + (to - from) * a), Math.floor(from + (to - from) * b)], options);
}

for (const { name, path, bytes } of samples)
    test(`${name}: whole, and four ranges of it`, async () => {
        const trace = await loaded(bytes);

        compareAll(trace, path);
        assert.deepEqual(trace.report().jobs, JSON.parse(txtap('why', '-f', 'json', path)).jobs, 'the causes of the longest jobs');
    });

test('with a rate, figures have seconds', async () => {
    const { path, bytes } = samples.find(({ name }) => name === 'demo_threadx');
    const trace = await loaded(bytes, { hz: 1e6 });

    same(trace, path, null, ['--hz', '1M']);
});

test('threads that were created at one address have figures of their own', async () => {
    const [maker, worker] = [0x20001000, 0x20002000];
    const [resume, suspend, create, other] = [1, 2, 100, 112];
    const priority = 0x80040004;
    const bytes = trx([{ type: TYPE.thread, address: maker, name: 'maker', priority: 4 },
        { type: TYPE.thread, address: worker, name: 'worker two', priority: 4 }], [
        [5, maker, priority, resume, worker, 3, 0, worker],
        [17, worker, priority, suspend, worker, 1, 0, maker],
        [22, maker, priority, create, worker, 4, 0x20008000, 512],
        [27, maker, priority, resume, worker, 3, 0, worker],
        [57, worker, priority, suspend, worker, 1, 0, maker],
        [62, maker, priority, other, 0, 0, 0, 0],
    ]);
    const trace = await loaded(bytes);
    const path = fileOf('recreated.trx', bytes);

    same(trace, path, null, []);
    assert.deepEqual(trace.report().figures.filter(({ name }) => name === 'cpu_ticks')
        .map(({ subject, stats }) => [subject.name, subject.address, subject.life, stats.value.value]), [
        ['maker', '0x20001000', undefined, 15],
        [undefined, '0x20002000', 1, 12],
        ['worker two', '0x20002000', 2, 30],
    ]);
});

test('a recording in blocks of any size, with late names', async () => {
    for (const name of ['threadx_qemu_wrapped', 'demo_live', 'jitter']) {
        const { bytes } = samples.find((sample) => sample.name === name);
        const plain = await loaded(bytes);
        const ticks = Array.from({ length: plain.state().events }, (_, i) => plain.ticks(i));

        for (const perBlock of [7, 100]) {
            const recording = recordingOf(readTrace(bytes), ticks, perBlock).end().bytes();

            compareAll(await loaded(recording), fileOf(`${name}.${perBlock}.rec`, recording));
        }
    }
});

test('a recording with gaps, a reset, other names, and a second file', async () => {
    const { header, objects, entries } = readTrace(samples.find(({ name }) => name === 'threadx_qemu_wrapped').bytes);
    const block = (recording, at, count) => recording.events(at, at * 500, entries.slice(at, at + count));
    const other = objects.map((object) => ({ ...object, name: Buffer.from(`${object.name}'`) }));
    const recording = new Recording().buffer(header).objects(objects.slice(0, 3));

    block(recording, 0, 50).objects(objects, false);
    block(recording, 50, 50).gap(100, 30);
    block(recording, 130, 40).mark(2, 170, 'reset').objects(other);
    block(recording, 170, 60).end();
    const second = new Recording().buffer(header).objects(other);
    const bytes = Buffer.concat([recording.bytes(), block(second, 230, 60).end().bytes()]);

    const path = fileOf('several.rec', bytes);
    const trace = await loaded(bytes);
    const interrupted = (from) => (({ gaps, lost, lost_exact, resets }) => [gaps, lost, lost_exact, resets])(trace.report(from));

    compareAll(trace, path);
    assert.deepEqual(interrupted(1), [2, 30, false, 1]);
    assert.deepEqual(interrupted(trace.ticks(100)), [1, 0, false, 1], 'the gap was before it');
    same(trace, path, [trace.ticks(100), trace.state().to], []);
    assert.deepEqual(interrupted(trace.ticks(140)), [0, 0, true, 0], 'and so was the reset');
    same(trace, path, [trace.ticks(140), trace.state().to], []);
});

/** Computes the report in steps of `count` events; calls `between` after each step. */
function inSteps(trace, range, count, between) {
    trace.beginReport(...range);
    for (let turn = 0; trace.stepReport(count) === 'more'; turn++)
        between(turn);
    return trace.endReport();
}

test('a report in steps of any size covers the events that existed at its start', async () => {
    const { bytes } = samples.find(({ name }) => name === 'demo_live');
    const plain = await loaded(bytes);
    const ticks = Array.from({ length: plain.state().events }, (_, i) => plain.ticks(i));
    const recording = recordingOf(readTrace(bytes), ticks, 100).end();
    const half = recording.blocks.length >> 1;
    const { to } = plain.state();

    for (const range of [[], [to / 8, to / 3], [to / 4, to / 4 + 1], [to, to / 2], [to / 3, to]])
        for (const count of [1, 7, 1000]) {
            const trace = (await newDecoder()).open({ name: 'test' });
            const rest = recording.blocks.slice(half);

            trace.feed(Buffer.concat(recording.blocks.slice(0, half)));
            const want = trace.report(...range);

            assert.deepEqual(inSteps(trace, range, count, (turn) => turn % 20 === 0 && rest.length && trace.feed(rest.shift())), want);
            assert.equal(trace.stepReport(1), 'none', 'it is gone');
            assert.throws(() => trace.endReport());
        }
});

test('a report ends without a result if the trace drops its events', async () => {
    const { bytes } = samples.find(({ name }) => name === 'demo_live');
    const { header, objects, entries } = readTrace(bytes);
    const trace = (await newDecoder()).open({ name: 'test', keep: 100 });
    const recording = new Recording().buffer(header).objects(objects).events(0, 0, entries.slice(0, 500));

    trace.feed(recording.bytes());
    trace.beginReport();
    assert.equal(trace.stepReport(50), 'more');
    for (let turn = 1; trace.state().dropped === 0; turn++)
        trace.feed(recording.events(500 * turn, 1e6 * turn, entries.slice(0, 500)).blocks.at(-1));
    assert.equal(trace.stepReport(50), 'none');
    assert.throws(() => trace.endReport());
    const begun = reportInSlices(trace, 0, Infinity, () => true);

    for (let turn = 1e4, { dropped } = trace.state(); trace.state().dropped === dropped; turn++)
        trace.feed(recording.events(500 * turn, 1e6 * turn, entries.slice(0, 500)).blocks.at(-1));
    assert.deepEqual((await begun).report, trace.report(), 'in slices it begins again, with what is left');
    trace.beginReport();
    trace.close();
});

test('names and properties of objects outlive the events that introduced them', async () => {
    const { bytes } = samples.find(({ name }) => name === 'demo_live');
    const { header, objects, entries } = readTrace(bytes);
    const many = entries.length;
    const trace = (await newDecoder()).open({ name: 'test', keep: 1000 });
    const recording = new Recording().buffer(header).objects(objects).events(0, 0, entries);
    const nameOf = ({ subject }) => subject.name ?? subject.address;
    const subjects = () => new Set(trace.report().figures.map(nameOf).filter((name) => name && name !== '0x20001000')); // names of the jobs
    const job = { ...objects.find(({ type }) => type === 1), pointer: 0x20001000, name: Buffer.from('job') };

    trace.feed(Buffer.concat(recording.blocks.splice(0)));
    const before = subjects();

    for (let turn = 1; turn < 100; turn++) { // each of these turns was a different job
        recording.objects([{ ...job, name: Buffer.from(`job ${turn}`), from: many * turn, events: many / 2 | 0 }], false);
        recording.events(many * turn, 1e6 * turn, entries);
        trace.feed(Buffer.concat(recording.blocks.splice(0)));
    }
    assert.ok(trace.state().dropped > 90 * many);
    assert.deepEqual(subjects(), before);
    assert.ok(trace.state().names < objects.length + 10, `${trace.state().names}`);
});

test('a report in slices is the same, unless another report starts meanwhile', async () => {
    const trace = await loaded(samples.find(({ name }) => name === 'demo_rec').bytes);
    const { to } = trace.state();
    const ended = reportInSlices(trace, 0, to, () => false);
    const { report, ms } = await reportInSlices(trace, to / 4, to / 2, () => true);

    assert.equal(await ended, null);
    assert.ok(ms > 0);
    assert.deepEqual(report, trace.report(to / 4, to / 2));
    assert.notDeepEqual(report, trace.report());
});

test('a recording of Zephyr\'s event logger is translated, with a note of what is missing', async () => {
    const { header } = readTrace(samples.find(({ name }) => name === 'smp2').bytes);
    const definitions = readFileSync(new URL('../../capture/ring/event_logger.events', import.meta.url), 'utf8');
    const entries = Array.from({ length: 300 }, (_, i) => {
        const entry = Buffer.alloc(32);
        const id = i % 3 === 0 ? 4097 : i % 7 === 0 ? 4098 : i % 5 === 0 ? 4099 : 4096 + 20;

        entry.writeUInt32LE(id === 4097 ? 0x20000000 + (i % 4) * 64 : 0xffffffff, 0);
        entry.writeUInt32LE(id, 8);
        entry.writeUInt32LE(i * 100, 12);
        entry.writeUInt32LE(id === 4097 ? 0x20000000 + (i % 4) * 64 : i % 3, 16);
        return entry;
    });
    const recording = new Recording().buffer(header).definitions(definitions).events(0, 0, entries.slice(0, 100))
        .events(100, 10000, entries.slice(100, 200)).gap(200, 5).events(205, 20500, entries.slice(205)).end().bytes();
    const path = fileOf('logger.rec', recording);
    const trace = await loaded(recording);

    assert.match(trace.state().lacks, /priorities/);
    for (const range of [null, [3000, 9000], [0, 20600], [9999, 25000]]) same(trace, path, range, []);
    const { events, to } = trace.state();

    assert.equal(events, 295);
    for (const { row } of trace.rows())
        for (const byEvent of [false, true]) {
            const cells = trace.columns(row, 0, byEvent ? events : to, 40, byEvent);

            for (let i = 0; i < cells.length; i++) assert.ok(cells.x0(i) < cells.x1(i) && cells.x1(i) <= 40);
        }
});
