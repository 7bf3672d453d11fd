// SPDX-License-Identifier: MIT
// Makes a recording with samples whose picture is known: two variables, a state machine, a log, and program counters. Events are
// lost in one place, and a variable cannot be read in another.
import { TYPE, trx } from './made_trx.mjs';
import { readTrace, Recording } from './recording.mjs';

export const ENDS = 100000; // ticks
export const LOST = { from: 60000, to: 66000, events: 40 };
export const UNREADABLE = { from: 30000, to: 36000 };
export const THREADS = [0x20001000, 0x20002000];

/** A log line that would do harm if a page took it for HTML. */
export const ODD_LINE = '<img src=x onerror=alert(1)> \u202eabc';

export const [SPEED, COUNT, MODE, UART, PC, GONE] = [3, 4, 5, 6, 7, 9];

export const speedAt = (ticks) => 12.5 * Math.sin(ticks / 9000);
export const MODES = [[2000, 0], [10000, 1], [35000, -2], [52000, 1], [70000, 0], [90000, 7]];
export const LINES = [[5000, 'boot: clock 168 MHz'], [20000, 'motor: on'], [20030, 'motor: 12.5 rpm'], [55000, ODD_LINE], [80000, 'done']];

export const FUNCTIONS = `function 0x08000100 "main"
function 0x08000200 "control_loop"
function 0x08000400 "filter"
function 0x08000800 "__end"
`;

/** Program counters: a fraction of 60, 30 and 10 percent in three functions. */
export const PC_EVERY = 20;
const FUNCTION_OF = [0x08000200, 0x08000200, 0x08000210, 0x08000250, 0x080002fe, 0x08000300, 0x08000400, 0x08000402, 0x08000500, 0x08000100];

const bitsOf = (number) => new BigUint64Array(new Float64Array([number]).buffer)[0];
const isLost = (ticks) => ticks > LOST.from && ticks <= LOST.to;

/** Returns all samples, sorted by time, without their seq. */
function allSamples() {
    const all = [];

    for (let at = 0; at <= ENDS; at += 100) {
        const unreadable = at > UNREADABLE.from && at <= UNREADABLE.to;

        all.push({ channel: SPEED, ticks: at, window: 7, ...(unreadable ? { state: 1, window: -1 } : { bits: bitsOf(speedAt(at)) }) });
        all.push({ channel: COUNT, ticks: at + 3, bits: 18446744073709551615n - BigInt(Math.floor(at / 1000)) });
    }
    for (let at = MODES[0][0]; at <= ENDS; at += 250)
        all.push({ channel: MODE, ticks: at, bits: BigInt(MODES.findLast(([from]) => from <= at)[1]), window: 40 });
    for (const [at, line] of LINES) all.push({ channel: UART, ticks: at, line });
    for (let at = 0, i = 0; at < ENDS; at += PC_EVERY, i++)
        all.push({ channel: PC, ticks: at, bits: BigInt(FUNCTION_OF[i % 10]), thread: THREADS[i % 10 < 8 ? 0 : 1] });
    return all.filter(({ ticks }) => !isLost(ticks)).sort((a, b) => a.ticks - b.ticks);
}

/** Returns the recording. */
export function sampleRecording() {
    const times = Array.from({ length: ENDS / 250 + 1 }, (_, i) => i * 250).filter((at) => !isLost(at));
    const bytes = trx(THREADS.map((address, i) => ({ type: TYPE.thread, address, name: ['control', 'logger'][i], priority: 4 + i })),
        times.map((at, i) => [at, THREADS[i % 2], 0x80040004, 4096, i]));
    const { header, objects, entries } = readTrace(bytes);
    const before = times.filter((at) => at <= LOST.from).length;
    const seqs = times.map((_, i) => (i < before ? i : i + LOST.events));
    const recording = new Recording().buffer(header).objects(objects).meaning(FUNCTIONS, false)
        .channel(SPEED, 'motor.speed', { form: 2, unit: 'V' }).channel(COUNT, 'count')
        .channel(MODE, 'mode', { form: 5, words: [[-2, 'BROKEN'], [0, 'IDLE'], [1, 'RUNNING']] })
        .channel(UART, 'uart', { kind: 2 }).channel(PC, 'pc', { kind: 1, form: 4 });
    const samples = allSamples().map((sample) => ({ ...sample, seq: seqs[times.findIndex((at) => at >= sample.ticks)] ?? seqs.at(-1) + 1 }));
    /** Adds the events with these indexes, and the samples before them. */
    const add = (from, to) => {
        const first = from === 0 ? -1 : times[from - 1];
        const some = samples.filter(({ ticks }) => ticks > first && (to === times.length || ticks <= times[to - 1]));

        for (let at = 0; at < some.length; at += 1000)
            recording.samples(some.slice(at, at + 1000));
        recording.events(seqs[from], times[from], entries.slice(from, to));
    };

    for (let from = 0; from < times.length; from += 40) {
        const to = Math.min(from + 40, times.length);

        add(from, from < before ? Math.min(to, before) : to);
        if (from < before && to >= before) {
            recording.gap(before, LOST.events);
            if (to > before) add(before, to);
        }
    }
    return recording.end().bytes();
}
