// SPDX-License-Identifier: MIT
// Makes a trace with many threads and objects: forty threads, sixty objects, an hour. All figures are known: each thread runs at
// regular times for a known mean part of the time, and one of them is busy in minute 31. The same call returns the same bytes.
import { trx } from './made_trx.mjs';

export const FOREST_HZ = 1e6;
const STEMS = ['net', 'usb', 'can', 'adc', 'motor', 'ui', 'log', 'fs', 'ota', 'mqtt', 'ble', 'imu', 'pid', 'safety', 'wdg', 'gps',
    'lcd', 'audio', 'crypto', 'cli'];
const ISR = 0xffffffff;
const [RESUME, SUSPEND, ISR_ENTER, ISR_EXIT, MUTEX_GET, MUTEX_PUT, QUEUE_RECEIVE, QUEUE_SEND, SEMAPHORE_GET, SEMAPHORE_PUT, USER] =
    [1, 2, 3, 4, 52, 57, 68, 69, 83, 88, 4096];
const FOREVER = 0xffffffff;
/** How threads wait: the state, the interrupt that wakes, the service that wakes, the service that waits, the kind of object. */
const WAITS = [
    { state: 4, isr: 15 },
    { state: 5, isr: 22, put: QUEUE_SEND, get: QUEUE_RECEIVE, kind: 'queue' },
    { state: 6, isr: 39, put: SEMAPHORE_PUT, get: SEMAPHORE_GET, kind: 'sem' },
];
const TYPES = { queue: 3, sem: 4, mutex: 5, flags: 6, pool: 7 };
const KINDS = ['queue', 'sem', 'mutex'];

/** Seconds of the hour in which the thread of FOREST_BURST has a load of FOREST_BURST.load. */
export const FOREST_BURST = { name: 'ota_rx', from: 1800, to: 1860, load: 0.4 };

/** Returns the threads: their names, loads (parts of the time), periods in s, priorities. */
export function forestThreads(count = 40) {
    const loads = [0.0005, 0.001, 0.002, 0.004, 0.007, 0.01, 0.015, 0.02];
    const periods = [1.1, 2.3, 4.7, 9.1, 3.1, 1.7, 6.3];
    return Array.from({ length: count }, (_, i) => ({
        name: `${STEMS[i % STEMS.length]}_${i < STEMS.length ? 'rx' : 'tx'}`, load: loads[i % loads.length],
        period: periods[i % periods.length], priority: 1 + Math.floor(i * 30 / count), address: 0x20010000 + i * 0x200,
        wait: WAITS[i % WAITS.length],
    }));
}

/** Returns the objects, `count` in all, of five types. */
function forestObjects(count) {
    return Array.from({ length: count }, (_, i) => {
        const kind = i < count - 10 ? KINDS[i % KINDS.length] : i < count - 5 ? 'flags' : 'pool';
        return { type: TYPES[kind], kind, address: 0x20008000 + i * 0x40, name: `${STEMS[Math.floor(i / 3) % STEMS.length]}_${kind}` };
    });
}

/** Returns a number from 0 to 1, the same for the same numbers. */
function scattered(a, b) {
    const mixed = Math.imul(Math.imul(a + 1, 0x9e3779b1) ^ (b + 0x7f4a7c15), 0x85ebca6b);
    return ((mixed ^ mixed >>> 15) >>> 0) / 2 ** 32;
}

/** The load of a thread varies slowly and from job to job; its mean is 1. */
function variation(number, job, at) {
    const slow = 1 + 0.6 * Math.sin(2 * Math.PI * at / (300 + 170 * (number % 7)) + number);
    return slow * (0.4 + 1.2 * scattered(number, job));
}

/** Returns the moments at which a thread becomes ready, as [ticks, thread, ticks that it runs]. */
function jobsOf(thread, number, seconds, speed) {
    const jobs = [];
    const add = (at, load, period) => jobs.push([Math.round(at * FOREST_HZ / speed), number, Math.max(20, Math.round(load * period * FOREST_HZ / speed))]);
    const first = thread.period * ((number * 37 % 101) / 101);
    for (let at = first; at < seconds; at += thread.period) {
        const bursts = thread.name === FOREST_BURST.name && at >= FOREST_BURST.from && at < FOREST_BURST.to;
        if (!bursts) add(at, thread.load * variation(number, jobs.length, at), thread.period);
    }
    if (thread.name === FOREST_BURST.name)
        for (let at = FOREST_BURST.from; at < Math.min(seconds, FOREST_BURST.to); at += 0.1) add(at, FOREST_BURST.load, 0.1);
    return jobs;
}

/** Returns the events of a job that begins at `at`. */
function jobEvents(thread, at, runs, objects, turn) {
    const { wait, address } = thread;
    const of = (kind) => objects[kind][turn.number % objects[kind].length].address;
    const object = wait.kind && of(wait.kind);
    const mutex = of('mutex');
    const by = [address, 0x80000000 + thread.priority * 0x10000 + thread.priority];
    const events = [[at, ISR, 0, ISR_ENTER, 0, wait.isr]];
    if (object) events.push([at + 1, ISR, 0, wait.put, object, 0, 1, 0]);
    events.push([at + 2, ISR, 0, RESUME, address, wait.state, 0, address], [at + 4, ISR, 0, ISR_EXIT, 0, wait.isr]);
    if (turn.job % 4 === 0) events.push([at + 6, ...by, USER + turn.number % 4, turn.job, runs]);
    events.push([at + 8, ...by, MUTEX_GET, mutex, FOREVER, 0, 0], [at + 4 + (runs >> 1), ...by, MUTEX_PUT, mutex, address, 1, 0]);
    if (object) events.push([at + 2 + runs, ...by, wait.get, object, FOREVER, 0, 0]);
    events.push([at + 4 + runs, ...by, SUSPEND, address, wait.state, 0, 0]);
    return events;
}

/**
 * Returns a .trx. seconds: of the hour, from its start; speed: everything is that much faster, so 360 gives 10 s.
 * @returns {Buffer}
 */
export function forestTrx({ threads: count = 40, objects: objectCount = 60, seconds = 3600, speed = 1 } = {}) {
    const threads = forestThreads(count);
    const objects = forestObjects(objectCount);
    const jobs = threads.flatMap((thread, number) => jobsOf(thread, number, seconds, speed)).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const ofKind = Object.fromEntries(KINDS.map((each) => [each, objects.filter(({ kind }) => kind === each)]));
    const turns = threads.map((_, number) => ({ number, job: 0 }));
    const events = [];
    let free = 0; // when the CPU is idle again
    for (const [wanted, number, runs] of jobs) {
        const at = Math.max(wanted, free);
        events.push(...jobEvents(threads[number], at, runs, ofKind, turns[number]));
        turns[number].job++;
        free = at + runs + 6;
    }
    return trx([...threads.map(({ address, name, priority }) => ({ type: 1, address, name, priority })), ...objects], events);
}
