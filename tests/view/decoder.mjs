// SPDX-License-Identifier: MIT
/* Tests the decoder of the page. Its events equal those of 'txtap decode', for input in pieces of any size. Hostile
 * bytes cause no trap. */
import assert from 'node:assert/strict';
import test from 'node:test';

import { filesInOrder } from '../../capture/view/page/file_order.js';
import { fileOf, loaded, newDecoder, randomOf, samples, txtap } from './decoder_files.mjs';
import { ISR_NUMBER, madeTrx } from './made_trx.mjs';
import { Recording, readTrace, recordingOf } from './recording.mjs';

const sample = (name) => samples.find((each) => each.name === name);
/** Normalizes blanks, because the width of a column depends on earlier events. */
const squeezed = (line) => line.trim().replace(/ +/g, ' ');
const linesOf = (trace) => Array.from({ length: trace.state().events }, (_, i) => squeezed(trace.event(i).text));
const decoded = (path, ...options) => txtap('decode', '-f', 'text', ...options, path).split('\n').map(squeezed)
    .filter((line) => line !== '' && !line.startsWith('---'));

/** Returns a recording of a sample, like a live stream. */
async function recorded(name, perBlock) {
    const trace = await loaded(sample(name).bytes);
    const ticks = Array.from({ length: trace.state().events }, (_, i) => trace.ticks(i));

    return recordingOf(readTrace(sample(name).bytes), ticks, perBlock);
}

/** Calls every function of the trace. Only a trap of the decoder makes the test fail. */
function askAll(trace) {
    const { events, first, to } = trace.state();

    for (const index of [first, first + 1, first + (events >> 1), first + events - 1, first + events, first + events + 1e6]) {
        trace.event(index);
        trace.ticks(index);
        trace.seq(index);
        trace.indexOfSeq(trace.seq(index));
    }
    trace.index(to / 2);
    trace.marksBetween(0, to);
    trace.gapsBetween(0, to, 3);
    trace.exactTime(to);
    trace.wakesBetween(0, to, 20);
    for (const { row } of trace.rows().slice(0, 6)) {
        trace.columns(row, 0, to + 1, 50);
        trace.columns(row, 3, 1e18, 65534);
        trace.columns(row, first, first + events + 5, 7, true);
        trace.eventColumns(row, 0, to + 1, 50);
        trace.sums(row, to / 3, to);
        trace.step(row, to / 2);
    }
}

for (const { name, path, bytes } of samples)
    test(`${name}: all events are those of txtap decode`, async () => {
        assert.deepEqual(linesOf(await loaded(bytes)), decoded(path));
        assert.deepEqual(linesOf(await loaded(bytes, { hz: 168e6 })), decoded(path, '--hz', '168M'));
    });

test('an event has its number, its fields, and its context', async () => {
    const trace = await loaded(sample('demo_threadx').bytes);
    const event = trace.event(20);

    assert.equal(event.name, 'Internal Thread Suspend');
    assert.equal(event.class, 'thread');
    assert.equal(event.threadName, 'thread 2');
    assert.deepEqual(event.fields.map(({ name, text }) => `${name}=${text}`),
        ['thread=thread 2', 'new_state=queue_susp', 'stack=0x00011560', 'next_thread=thread 1']);
    assert.equal(trace.indexOfSeq(event.seq), 20);
    assert.ok(trace.index(event.ticks) <= 20);
    assert.equal(trace.event(-1), null);
    assert.equal(trace.event(trace.state().events), null);
});

test('a recording in pieces of any size equals the output of txtap decode', async () => {
    const recording = await recorded('threadx_qemu_wrapped', 100);
    const bytes = recording.end().bytes();
    const whole = await loaded(bytes);

    assert.equal(whole.problem, '');
    assert.deepEqual(linesOf(whole), decoded(fileOf('whole.rec', bytes)));
    for (const piece of [1, 7, 65536]) {
        const trace = (await newDecoder()).open({ name: 'test' });

        for (let at = 0; at < bytes.length; at += piece) trace.feed(bytes.subarray(at, at + piece));
        trace.end();
        assert.deepEqual({ ...trace.state(), version: 0 }, { ...whole.state(), version: 0 });
        assert.deepEqual(linesOf(trace), linesOf(whole));
    }
});

test('a truncated recording keeps its events and has a note', async () => {
    const recording = await recorded('threadx_qemu_wrapped', 100);
    const bytes = recording.bytes();
    const trace = await loaded(bytes.subarray(0, bytes.length - 5));

    assert.equal(trace.problem, '');
    assert.match(trace.notes.join(), /cut within a block/);
    assert.ok(trace.state().events > 0);
});

test('several recordings open one after the other, several traces do not', async () => {
    const made = readTrace(sample('threadx_qemu_wrapped').bytes);
    const part = (from, to) => new Recording().buffer(made.header).objects(made.objects)
        .events(from, from * 1000, made.entries.slice(from, to)).end().bytes();
    const trace = (await newDecoder()).open({ name: 'test' });

    trace.load(part(0, 50));
    trace.load(part(50, 80));
    assert.deepEqual([trace.state().events, trace.state().gaps], [80, 0]);
    trace.load(sample('deadlock').bytes);
    assert.match(trace.problem, /not a recording/);

    const wrong = (await newDecoder()).open({ name: 'test' });

    for (const bytes of [part(50, 80), part(0, 50)])
        wrong.load(bytes);
    assert.deepEqual([wrong.state().events, wrong.problem],
        [30, 'test: an earlier file of the recording follows a later one: what follows is not read']);
});

test('gaps and marks are before the event that follows', async () => {
    const { header, objects, entries } = readTrace(sample('threadx_qemu_wrapped').bytes);
    const trace = await loaded(new Recording().buffer(header).objects(objects).events(0, 0, entries.slice(0, 10))
        .gap(10, 7).events(17, 1000, entries.slice(17, 20)).mark(2, 20, 'by <hand>').events(20, 2000, entries.slice(20, 22))
        .end().bytes());

    assert.deepEqual(trace.gapsBetween(0, Infinity).map(({ index, lost, exact }) => ({ index, lost, exact })),
        [{ index: 10, lost: 7, exact: true }, { index: 13, lost: 0, exact: false }]);
    assert.deepEqual(trace.marksBetween(0, Infinity).map(({ index, kind, text }) => ({ index, kind, text })),
        [{ index: 13, kind: 'reset', text: 'by <hand>' }]);
    assert.equal(trace.seq(10), 17);
    assert.equal(trace.indexOfSeq(12), 10);
    assert.equal(trace.state().lost, 7);
    assert.equal(trace.state().resets, 1);
});

test('events before the first event are counted separately from lost events', async () => {
    const { header, objects, entries } = readTrace(sample('threadx_qemu_wrapped').bytes);
    const begun = new Recording().buffer(header).objects(objects).gap(0, 1000).events(1000, 500, entries.slice(0, 10));
    const counts = ({ gaps, lost, lostExact, earlier, earlierExact }) => [gaps, lost, lostExact, earlier, earlierExact];
    const trace = await loaded(begun.gap(1010, 3, false).events(1013, 1000, entries.slice(10, 20)).end().bytes());

    assert.deepEqual(counts(trace.state()), [1, 3, false, 1000, true]);
    assert.deepEqual(trace.gapsBetween(0, Infinity).map(({ index, lost }) => [index, lost]), [[0, 1000], [10, 3]]);
});

test('a rate that is set late changes the text of events', async () => {
    const trace = await loaded(sample('threadx_qemu_wrapped').bytes);
    const before = trace.event(5).text;

    trace.setHz(1e6);
    const after = trace.event(5).text;

    assert.notEqual(after, before);
    assert.equal(after, (await loaded(sample('threadx_qemu_wrapped').bytes, { hz: 1e6 })).event(5).text);
});

test('an impossible rate counts as not known: the state is JSON, times are ticks', async () => {
    const { bytes } = sample('threadx_qemu_wrapped');
    const ticks = await loaded(bytes);

    for (const hz of [Infinity, 1e300, 1.1e12, 1e-300, -1, NaN]) {
        const given = await loaded(bytes, { hz });
        const late = await loaded(bytes);

        late.setHz(hz);
        for (const trace of [given, late]) {
            assert.equal(trace.state().hz, 0, `${hz}`);
            assert.equal(trace.event(5).text, ticks.event(5).text, `${hz}`);
        }
    }
});

test('definitions name user events: from the user first, then from the file', async () => {
    const { header, objects, entries } = readTrace(sample('threadx_qemu_wrapped').bytes);
    const entry = Buffer.from(entries[0]);

    entry.writeUInt32LE(4100, 8);
    entry.writeUInt32LE(42, 16);
    const bytes = new Recording().buffer(header).definitions('event 4100 "boot" "n {0=n}"').objects(objects)
        .events(0, 0, [entry]).end().bytes();
    const plain = (await loaded(bytes)).event(0);
    const own = (await loaded(bytes, { definitions: 'event 4100 "mine" "{0=x:x}"' })).event(0);

    assert.deepEqual([plain.name, plain.class, plain.fields[0]], ['boot', 'user', { name: 'n', text: '42' }]);
    assert.equal(own.name, 'mine');
    assert.match((await loaded(bytes, { definitions: 'event x' })).notes.join(), /definitions of the user: line 1/);
    const again = new Recording().buffer(header).definitions('event 4100 "boot"').definitions('event 4100 "boot"').end().bytes();

    assert.equal((await loaded(again, { definitions: 'event x' })).notes.length, 1, 'once, however often the target starts');
});

/** Returns a recording of the made trace with blocks that describe it. */
function described(add) {
    const { header, objects, entries } = readTrace(madeTrx(4));

    return add(new Recording().buffer(header)).objects(objects).events(0, 0, entries).end(entries.length);
}

test('a recording knows its rate: the last is the best, and the user knows it better', async () => {
    const bytes = described((recording) => recording.rate(1.1e6, 2, 1e6, 1.2e6).about('firmware made.elf\n').rate(1e6, 3, 9e5, 1.1e6)).bytes();
    const trace = await loaded(bytes);
    const given = await loaded(bytes, { hz: 5000 });

    assert.equal(trace.state().hz, 1e6);
    assert.match(trace.event(1).text, /^ *0\.001000 /);
    assert.equal(given.state().hz, 5000);
    const measured = await loaded(described((recording) => recording.rate(1e6, 2, 996000, 1004000)).bytes(), { hz: 1e6, hzFound: true });

    assert.deepEqual([measured.notes, given.notes], [['Times use a measured rate: 1 MHz ± 0.4 %.'], []]);
    const late = await loaded(bytes.subarray(0, bytes.length - 40));

    late.setHz(7000);
    assert.equal(late.state().hz, 7000);
});

test('a recording names its user events; definitions of the user replace them', async () => {
    const lines = `enum state 0=off\nevent 4096 "cycle" "number {0=n}"\n${'# a long text\n'.repeat(10)}`;
    const bytes = described((recording) => recording.meaning(lines, true, 60).meaning(lines, true)).bytes();
    const trace = await loaded(bytes);
    const given = await loaded(bytes, { definitions: ['enum state 0=on\nevent 4096 "mine"', 'event 4097 "other"'] });

    assert.deepEqual([trace.event(0).name, trace.notes], ['cycle', []], 'repeated texts and pieces are no problem');
    assert.deepEqual([given.event(0).name, given.notes], ['mine', []], 'the same enumeration twice is no problem');
});

test('interrupts have the names of the firmware, if the meaning of their numbers is certain', async () => {
    const vectors = `vector 15 "tick"\nvector ${16 + ISR_NUMBER} "button"\n`;
    const trace = await loaded(described((recording) => recording.meaning(vectors, false)).bytes());
    const isr = (of) => of.rows().find(({ kind }) => kind === 'isr');

    assert.deepEqual([isr(trace).name, isr(trace).number], ['button', ISR_NUMBER]);
    assert.match(trace.event(1).text, / isr_number=7 isr=button /);
    const both = await loaded(described((recording) => recording.meaning(`${vectors}vector ${ISR_NUMBER} "fault"\n`, false)).bytes());

    assert.equal(isr(both).name, '');
    assert.doesNotMatch(both.event(1).text, /isr=/);
    const given = await loaded(madeTrx(4), { firmware: vectors });

    assert.equal(isr(given).name, 'button');
});

test('a trace is found in a memory dump, in text, and after other bytes', async () => {
    const { bytes, path } = sample('isr_nested');
    const want = decoded(path);

    assert.deepEqual(linesOf(await loaded(Buffer.from(`${bytes.toString('hex')}\n`))), want);
    assert.deepEqual(linesOf(await loaded(Buffer.concat([Buffer.alloc(4096, 0x55), bytes]))), want);
    assert.deepEqual(linesOf(await loaded(elfCore(bytes))), want);
    const twice = await loaded(Buffer.concat([Buffer.alloc(64, 1), bytes, bytes]));

    assert.match(twice.problem, /^test: 2 trace buffers: /);
    assert.equal(twice.state().events, 0);
});

/** Returns a core file of a 32-bit little-endian machine with one segment of memory. */
function elfCore(memory) {
    const head = Buffer.alloc(84);

    head.write('\x7fELF\x01\x01\x01', 'latin1');
    head.writeUInt16LE(4, 16); // ET_CORE
    head.writeUInt16LE(40, 18);
    head.writeUInt32LE(1, 20);
    head.writeUInt32LE(52, 28); // program headers
    [52, 32, 1].forEach((value, i) => head.writeUInt16LE(value, 40 + 2 * i));
    [1, 84, memory.readUInt32LE(8), 0, memory.length, memory.length].forEach((value, i) => head.writeUInt32LE(value, 52 + 4 * i));
    return Buffer.concat([head, memory]);
}

test('only the newest events are kept, with their names and numbers', async () => {
    const { header, objects, entries } = readTrace(sample('threadx_qemu_wrapped').bytes);
    const recording = new Recording().buffer(header).objects(objects);
    const many = Array.from({ length: 2000 }, (_, i) => entries[i % entries.length]);

    for (let i = 0; i < 20; i++) recording.events(i * 2000, i * 1e6, many).mark(6, (i + 1) * 2000, `mark ${i}`);
    const bytes = recording.end().bytes();
    const all = await loaded(bytes);
    const kept = await loaded(bytes, { keep: 5000 });
    const { first, events } = kept.state();

    assert.equal(first + events, 40000);
    assert.ok(events >= 5000 && events < 5000 * 9 / 8 + 2048, `${events} are kept`);
    assert.equal(kept.event(first - 1), null);
    for (const index of [first, first + 1, 39999]) assert.deepEqual(kept.event(index), all.event(index));
    assert.equal(kept.marksBetween(0, Infinity).at(-1).text, 'mark 19');
    assert.ok(kept.marksBetween(0, Infinity).length < 5);
});

/** Returns the files of a recording, as the page receives them. */
function filesOf(id, { header, objects, entries }, numbered = true) {
    return Array.from({ length: 4 }, (_, number) => {
        const recording = new Recording().buffer(header);
        const [from, to] = [number * 50, number * 50 + 50];

        if (numbered)
            recording.file(id, number, from);
        const bytes = recording.objects(objects).events(from, from * 1000, entries.slice(from, to)).end(50, number < 3).bytes();

        return Object.assign(new Blob([bytes]), { name: `${id}-${number}.rec` });
    });
}

async function opened(list) {
    const trace = (await newDecoder()).open({ name: 'several' });

    for (const [number, file] of (await filesInOrder(list, trace)).entries()) {
        if (number > 0) trace.nextFile();
        trace.load(new Uint8Array(await file.arrayBuffer()));
    }
    trace.end();
    return trace;
}

for (const numbered of [true, false])
    test(`files of a recording are read in their order, ${numbered ? 'by' : 'without'} their numbers`, async () => {
        const trace = readTrace(sample('threadx_qemu_wrapped').bytes);
        const [a, b, c, d] = filesOf(5, trace, numbered);
        const [, , foreign] = filesOf(6, readTrace(sample('smp2').bytes), true);
        const counted = ({ events, lost, gaps, lostExact }) => [events, lost, gaps, lostExact];
        const cut = Object.assign(b.slice(0, b.size - 100), { name: 'cut' });
        const flipped = Object.assign(new Blob([Uint8Array.of(1), b.slice(1)]), { name: 'flipped' });

        for (const list of [[a, b, c, d], [d, c, b, a], [c, a, d, b]]) {
            const all = await opened(list);

            assert.deepEqual([counted(all.state()), all.notes.filter((line) => /\.rec|several/.test(line))], [[200, 0, 0, true], []]);
            assert.deepEqual([0, 199].map((index) => all.event(index).seq), [0, 199]);
        }
        assert.deepEqual(counted((await opened([a, c, d])).state()), [150, 50, 1, true]);
        assert.deepEqual(counted((await opened([d, a])).state()), [100, 100, 1, true]);
        const twice = await opened([b, a, b, cut, c, d]);
        assert.deepEqual(counted(twice.state()), [200, 0, 0, true]);
        assert.match(twice.notes.join(), /5-1\.rec: the same file of the recording as 5-1\.rec: read once/);
        const short = await opened([a, cut, c, d]);
        assert.deepEqual(counted(short.state()), [150, 50, 1, true]);
        assert.match(short.notes.join(), /cut within a block/);
        const damaged = await opened([a, flipped, c, d]);
        assert.deepEqual(counted(damaged.state()), [150, 50, 1, true]);
        assert.match(damaged.notes.join(), /flipped: skipped: it is not a recording, or its first bytes are damaged/);
        assert.match((await opened([a, b])).notes.join(), /continues in another file, which is missing/);
        await assert.rejects(opened([a, foreign, b]), /6-2\.rec.*belongs to another recording|belongs to another recording.*6-2\.rec/);
        await assert.rejects(opened([foreign.slice(0, 10), new Blob(['no'])].map((blob) => Object.assign(blob, { name: 'x' }))), /not a recording/);
    });

test('a recording with a damaged head is recognized', async () => {
    const { header, objects, entries } = readTrace(sample('threadx_qemu_wrapped').bytes);
    const bytes = new Recording().buffer(header).objects(objects).events(0, 0, entries).end().bytes();

    for (const at of [0, 5, 7, 8, 13]) {
        const flipped = Buffer.from(bytes);

        flipped[at] ^= 1;
        const trace = await loaded(flipped);

        assert.deepEqual([trace.state().events, /its head is damaged: copy it again/.test(trace.problem)], [0, true]);
    }
});

test('a file that is not a trace is refused with one line', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('hello'), Buffer.alloc(100000, 'T'), Buffer.from('txtaprec'),
        sample('smp2').bytes.subarray(0, 40), Buffer.from(':00000001FE\n')]) {
        const trace = await loaded(bytes);

        assert.equal(trace.state().events, 0);
        assert.match(trace.problem + trace.notes.join(), /^[^\n]+$/);
        askAll(trace);
    }
});

test('corrupted and truncated files never trap the decoder', async () => {
    const decoder = await newDecoder();
    const seed = Number(process.env.TXTAP_SEED ?? 1);
    const random = randomOf(seed);
    const recording = (await recorded('threadx_qemu_wrapped', 50)).mark(2, 9, 'x').gap(1, 2).end();
    const files = [...samples.map(({ bytes }) => bytes).filter((bytes) => bytes.length < 40000), recording.bytes()];

    for (let run = 0; run < Number(process.env.TXTAP_RUNS ?? 300); run++) {
        const bytes = Buffer.from(files[run % files.length]);

        for (let i = random(20); i > 0; i--) bytes[random(i % 2 ? 64 : bytes.length)] = random(256);
        const trace = decoder.open({ name: `seed ${seed} run ${run}` });

        trace.load(run % 3 === 0 ? bytes.subarray(0, random(bytes.length + 1)) : bytes);
        trace.end();
        askAll(trace);
        if (run % 20 === 0) trace.report(trace.state().to / 4);
        trace.close();
    }
    for (let blocks = 0; blocks <= recording.blocks.length; blocks++) {
        const trace = decoder.open({ name: `${blocks} blocks` });

        trace.load(Buffer.concat(recording.blocks.slice(0, blocks)));
        trace.end();
        askAll(trace);
        trace.close();
    }
});
