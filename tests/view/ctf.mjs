// SPDX-License-Identifier: MIT
/* Tests a recording of Zephyr's CTF in the page: figures, names, fields, input in pieces of any size, invalid
 * input. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { inflateRawSync } from 'node:zlib';

import { EVENT_CLASSES } from '../../capture/view/page/abi.js';
import { directoryOf, fileOf, loaded, newDecoder, txtap, txtapFails } from './decoder_files.mjs';
import { CYCLE_NS, METADATA, RECORDS_PER_CYCLE, SEMAPHORE, cycles, record } from './made_ctf.mjs';
import { Recording } from './recording.mjs';

const HZ = 1e9;
const CYCLES = 20;
const VERSION = 2;
const MARK_RESET = 2;

/** Returns a recording whose blocks have `perBlock` records. */
function recordingOf(records, perBlock, recording = new Recording(undefined, VERSION).metadata(METADATA)) {
    for (let at = 0; at < records.length; at += perBlock)
        recording.ctf(at, records[at].readUInt32LE() - records[0].readUInt32LE(), Buffer.concat(records.slice(at, at + perBlock)));
    return recording;
}

/** Returns the recording that txtap makes from a directory of CTF and puts into its page. */
function inPage(directory) {
    const page = txtap('view', '-o', '-', directory);
    const [, packed] = page.match(/id="data" data-format="deflate-raw">([^<]*)</);

    return inflateRawSync(Buffer.from(packed, 'base64'));
}

function comparable({ jobs, ...report }) { // txtap why lists the causes of jobs
    return { ...report, trace: '', figures: report.figures.map(({ bars, ...figure }) => figure) };
}

function sameFigures(trace, directory, range) {
    const limits = range ? ['--from', String(range[0]), '--to', String(range[1])] : [];
    const want = comparable(JSON.parse(txtap('report', '-f', 'json', ...limits, directory)));

    assert.deepEqual(comparable(trace.report(...(range ?? []))), want, limits.join(' '));
    assert.ok(want.figures.length > 20);
}

const directory = (name, records) => directoryOf(name, { metadata: METADATA, channel0_0: Buffer.concat(records) });

test('a directory has the figures of txtap report, whole and in ranges', async () => {
    const records = cycles(CYCLES);
    const path = directory('trace', records);
    const trace = await loaded(inPage(path), { hz: HZ });
    const { events, lacks, from, to, lost } = trace.state();

    assert.deepEqual([events, from, to, lost], [CYCLES * RECORDS_PER_CYCLE, 0, (CYCLES - 1) * CYCLE_NS + 0.71 * CYCLE_NS, 0]);
    assert.match(lacks, /priorities/);
    for (const range of [null, [0, 5 * CYCLE_NS], [3.5 * CYCLE_NS, 9.25 * CYCLE_NS], [to / 2, to]]) sameFigures(trace, path, range);
});

test('blocks and pieces of any size give the same result', async () => {
    const records = cycles(CYCLES);
    const path = directory('pieces', records);

    for (const [perBlock, most, piece] of [[1, 100, 1], [7, 65528, 333], [1000, 40, 65536]]) {
        const bytes = recordingOf(records, perBlock, new Recording(undefined, VERSION).metadata(METADATA, most)).end().bytes();
        const trace = (await newDecoder()).open({ name: 'test', hz: HZ });

        for (let at = 0; at < bytes.length; at += piece) trace.feed(bytes.subarray(at, at + piece));
        trace.end();
        assert.deepEqual([trace.problem, trace.notes], ['', []]);
        sameFigures(trace, path, null);
    }
});

test('an event has its name, its fields, and the names of threads', async () => {
    const trace = await loaded(recordingOf(cycles(3), 100).end().bytes(), { hz: HZ });
    const shown = (index) => {
        const { name, context, threadName, fields } = trace.event(index);
        return [name, context, threadName, ...fields.map((field) => `${field.name}=${field.text}`)];
    };

    assert.deepEqual(shown(0), ['isr_enter', 'isr', '']);
    assert.deepEqual(shown(4), ['thread_switched_in', 'thread', 'reader', 'thread_id=reader', 'name=reader']);
    assert.deepEqual(shown(5), ['named_event', 'thread', 'reader', 'name=count', 'arg0=0', 'arg1=4294967295']);
    assert.deepEqual(shown(6), ['semaphore_give_enter', 'thread', 'reader', 'id=0x20004000']);
    assert.deepEqual(shown(11 + RECORDS_PER_CYCLE),
        ['semaphore_take_exit', 'thread', 'writer', 'id=0x20004000', 'timeout=4294967295', 'ret=-11']);
    assert.equal(trace.event(6).text, '0.000200000  reader  semaphore_give_enter  id=0x20004000');
    assert.equal(trace.event(6).id, 0x22);
    assert.equal(SEMAPHORE, 0x20004000);
});

test('ticks are nanoseconds by default', async () => {
    const bytes = recordingOf(cycles(1), 100).end().bytes();

    assert.deepEqual([(await loaded(bytes)).state().hz, (await loaded(bytes, { hz: 5 })).state().hz], [HZ, 5]);
});

test('events have marks on the rows, in the colour of their class', async () => {
    const trace = await loaded(recordingOf(cycles(1), 100).end().bytes(), { hz: HZ });
    const marks = (name) => {
        const { row } = trace.rows().find((each) => (each.name || each.kind) === name);
        const { count, class: classes } = trace.eventColumns(row, 0, CYCLE_NS, 1000);
        return [...count].flatMap((many, at) => (many ? [`${at} ${many} ${EVENT_CLASSES[classes[at]]}`] : []));
    };

    assert.deepEqual(marks('reader'), ['30 1 thread', '100 1 user', '200 1 semaphore', '210 1 thread', '300 1 thread', '310 1 thread']);
    assert.deepEqual(marks('isr').slice(0, 1), ['0 1 isr']);
    assert.equal(trace.rows().reduce((sum, { events }) => sum + events, 0), RECORDS_PER_CYCLE);
});

test('an event has the class of its name', async () => {
    const trace = await loaded(recordingOf([...cycles(1), record('socket_close_enter', CYCLE_NS, 3)], 100).end().bytes(), { hz: HZ });

    assert.deepEqual([0, 1, 5, 6, 16].map((index) => trace.event(index).class), ['isr', 'thread', 'user', 'semaphore', 'net']);
    assert.equal(trace.candidate(['semaphore '], 0, 17), 6);
    assert.deepEqual(trace.event(16).fields, [{ name: 'id', text: '3' }], 'a socket has a number, not an address');
});

test('events are found by text, by common thread or object, and by number', async () => {
    const trace = await loaded(recordingOf(cycles(3), 100).end().bytes(), { hz: HZ });

    assert.equal(trace.candidate(['named_event'], 6, 48), 5 + RECORDS_PER_CYCLE);
    assert.equal(trace.candidate(['ret', '-11'], 0, 48), 11 + RECORDS_PER_CYCLE);
    assert.equal(trace.alike(5, 'event', true, 6, 48), 5 + RECORDS_PER_CYCLE);
    assert.equal(trace.alike(6, 'object', true, 7, 48), 11);
    assert.equal(trace.alike(5, 'switch', true, 6, 48), 10);
    assert.equal(trace.indexOfSeq(20), 20);
});

test('the rows have threads with states and names', async () => {
    const trace = await loaded(recordingOf(cycles(3), 100).end().bytes(), { hz: HZ });
    const threads = trace.rows().filter(({ kind }) => kind === 'thread');
    const sums = (name) => trace.sums(threads.find((row) => row.name === name).row, CYCLE_NS, 2 * CYCLE_NS);

    assert.deepEqual(threads.map(({ name }) => name).sort(), ['reader', 'writer']);
    assert.deepEqual([sums('reader').running, sums('reader').ready], [0.28 * CYCLE_NS, 0.02 * CYCLE_NS]);
    assert.deepEqual([sums('writer').running, sums('writer').ready], [0.4 * CYCLE_NS, 0.1 * CYCLE_NS]);
});

test('decoding continues after missing blocks and after a reset', async () => {
    const records = cycles(6);
    const recording = new Recording(undefined, VERSION).metadata(METADATA);
    const cut = 2 * RECORDS_PER_CYCLE;
    const later = cycles(2, 123456789); // the clock and the stream restarted
    const put = (from, to) => recording.ctf(from, records[from].readUInt32LE(), Buffer.concat(records.slice(from, to)));

    put(0, cut).gap(cut, 2 * RECORDS_PER_CYCLE);
    put(2 * cut, 3 * cut).mark(MARK_RESET, 3 * cut, 'a reset');
    const bytes = recording.ctf(3 * cut, 7 * CYCLE_NS, Buffer.concat(later), true).end().bytes();
    const trace = await loaded(bytes, { hz: HZ });
    const { events, lastSeq, lost, resets } = trace.state();

    assert.deepEqual([trace.problem, events, lastSeq, lost, resets], ['', 3 * cut, 4 * cut - 1, cut, 1]);
    assert.deepEqual([cut - 1, cut, 2 * cut].map((index) => trace.seq(index)), [cut - 1, 2 * cut, 3 * cut]);
    assert.deepEqual([trace.ticks(cut), trace.ticks(2 * cut), trace.ticks(3 * cut - 1)],
        [4 * CYCLE_NS, 7 * CYCLE_NS, 8 * CYCLE_NS + 0.71 * CYCLE_NS]);
    assert.ok(trace.report().figures.length > 20);
});

test('a long trace drops its oldest events', async () => {
    const trace = await loaded(recordingOf(cycles(1000), 500).end().bytes(), { hz: HZ, keep: 5000 });
    const { first, events, lastSeq, to } = trace.state();

    assert.ok(first > 9000 && events < 7000 && lastSeq === 15999);
    assert.equal(trace.event(first).name, trace.event(first + RECORDS_PER_CYCLE).name);
    assert.ok(trace.report(to / 2, to).figures.length > 20);
});

test('a record that the metadata lack is a gap, and the records after it are left out', async () => {
    const records = [...cycles(2), Buffer.from([0, 0, 0, 9, 0xee]), ...cycles(1, 9e6)];
    const path = directory('unknown', records);
    const trace = await loaded(inPage(path), { hz: HZ });
    const { events, gaps, lostExact } = trace.state();

    assert.deepEqual([events, gaps, lostExact], [2 * RECORDS_PER_CYCLE, 1, false]);
    assert.match(trace.notes.join(), /^a record is not in the metadata/);
    sameFigures(trace, path, null);
});

test('damage is reported in one line', async () => {
    const says = async (recording, pattern) => {
        const trace = await loaded(recording.end().bytes());

        assert.match(trace.problem, pattern);
        trace.state();
        trace.report();
    };
    const begun = () => new Recording(undefined, VERSION);
    const one = record('isr_enter', 0);

    await says(begun().metadata(METADATA.replace('uint32_t thread_id', 'nothing thread_id')), /metadata, line 9: .*not known/);
    await says(begun().metadata(METADATA).metadata(METADATA), /cannot be opened behind/);
    await says(begun().block(9, Buffer.concat([Buffer.from([200, 0, 0, 0, 0, 0, 0, 0]), Buffer.from('trace')])).gap(0, 1), /not whole/);
    await says(begun().block(9, Buffer.concat([Buffer.from([200, 0, 0, 0, 0, 0, 0, 0]), Buffer.from('trace')])).ctf(0, 0, one), /not whole/);
    await says(begun().metadata(METADATA).definitions(''), /damaged/);
});

test('other commands explain how to use a recording of CTF', () => {
    const path = fileOf('ctf.rec', recordingOf(cycles(2), 10).end().bytes());

    for (const command of ['decode', 'report'])
        assert.match(txtapFails(command, path), /ctf\.rec: a recording of CTF, which has no entries of a ring: use 'txtap view'/);
    assert.ok(txtap('view', '-o', '-', path).length > 1000);
});
