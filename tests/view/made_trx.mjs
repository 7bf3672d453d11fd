// SPDX-License-Identifier: MIT
// Makes traces with known pictures and figures: a .trx from any objects and events, and a trace of an application
// that repeats the same cycle of 10,000 ticks.
const HEADER_BYTES = 48;
export const ENTRY_BYTES = 32;
const BASE = 0x20000000;
const ISR = 0xffffffff;

const [RESUME, SUSPEND, ISR_ENTER, ISR_EXIT, QUEUE_RECEIVE, QUEUE_SEND, SEMAPHORE_GET, SEMAPHORE_PUT, USER] =
    [1, 2, 3, 4, 68, 69, 83, 88, 4096];
const [QUEUE_SUSP, SEMAPHORE_SUSP] = [5, 6]; // thread states of ThreadX
const FOREVER = 0xffffffff;

export const TYPE = { thread: 1, queue: 3, semaphore: 4 };

/**
 * Returns a .trx: objects {type, address, name, priority} and events [ticks, thread, priority word, id, info...]. null
 * instead of an object: the slot of the object was never written. @returns {Buffer}
 */
export function trx(objects, events, nameBytes = 32) {
    const objectBytes = 16 + nameBytes;
    const ring = HEADER_BYTES + objects.length * objectBytes;
    const bytes = Buffer.alloc(ring + (events.length + 1) * ENTRY_BYTES); // one slot stays unwritten
    const words = [0x54585442, 0xffffffff, BASE, BASE + HEADER_BYTES, nameBytes << 16, BASE + ring, BASE + ring,
        BASE + bytes.length, BASE + ring + events.length * ENTRY_BYTES, 0xaaaaaaaa, 0xbbbbbbbb, 0xcccccccc];
    words.forEach((word, i) => bytes.writeUInt32LE(word >>> 0, i * 4));
    objects.forEach(({ type, address, name, priority = 0 }, i) => {
        const at = HEADER_BYTES + i * objectBytes;
        bytes.set([0, type, 0x80, priority], at);
        bytes.writeUInt32LE(address, at + 4);
        Buffer.from(name).copy(bytes, at + 16, 0, nameBytes - 1);
    });
    events.forEach((event, i) => {
        if (!event) return;
        const [ticks, thread, priority, id, ...info] = event;
        const at = ring + i * ENTRY_BYTES;
        [thread, priority, id, ticks, ...info].forEach((word, k) => bytes.writeUInt32LE(word >>> 0, at + k * 4));
    });
    return bytes;
}

export const CYCLE_TICKS = 10000;
export const EVENTS_PER_CYCLE = 11;
export const ISR_NUMBER = 7;

/** The states of each thread and of the interrupt in a cycle: [state, from, to]. */
export const CYCLE = {
    alpha: [['blocked', 0, 1100], ['ready', 1100, 1200], ['running', 1200, 3000], ['blocked', 3000, 10000]],
    beta: [['blocked', 0, 2000], ['ready', 2000, 3000], ['running', 3000, 5000], ['blocked', 5000, 10000]],
    gamma: [['running', 0, 1000], ['interrupted', 1000, 1200], ['ready', 1200, 5000], ['running', 5000, 10000]],
};
export const ADDRESS = { alpha: 0x20001000, beta: 0x20002000, gamma: 0x20003000, inbox: 0x20004000, done: 0x20005000 };
const PRIORITY = { alpha: 5, beta: 10, gamma: 15 };

/** Returns the objects. Names can be replaced: { alpha: '<script>' }. */
export function objects(names = {}) {
    const types = { inbox: TYPE.queue, done: TYPE.semaphore };
    return Object.entries(ADDRESS).map(([name, address]) =>
        ({ type: types[name] ?? TYPE.thread, address, name: names[name] ?? name, priority: PRIORITY[name] ?? 0 }));
}

/**
 * Returns the events of a cycle: an interrupt sends to alpha; alpha puts the semaphore that beta waits for; gamma runs
 * in the remaining time.
 */
function cycle(number) {
    const { alpha, beta, gamma, inbox, done } = ADDRESS;
    const at = number * CYCLE_TICKS;
    const by = (name) => [ADDRESS[name], 0x80000000 + PRIORITY[name] * 0x10000 + PRIORITY[name]];
    return [
        [at, ...by('gamma'), USER, number],
        [at + 1000, ISR, gamma, ISR_ENTER, 0, ISR_NUMBER],
        [at + 1050, ISR, gamma, QUEUE_SEND, inbox, 0, 0, 0],
        [at + 1100, ISR, gamma, RESUME, alpha, QUEUE_SUSP, 0, alpha],
        [at + 1200, ISR, gamma, ISR_EXIT, 0, ISR_NUMBER],
        [at + 1990, ...by('alpha'), SEMAPHORE_PUT, done, 0, 1],
        [at + 2000, ...by('alpha'), RESUME, beta, SEMAPHORE_SUSP, 0, alpha],
        [at + 2950, ...by('alpha'), QUEUE_RECEIVE, inbox, 0, FOREVER, 0],
        [at + 3000, ...by('alpha'), SUSPEND, alpha, QUEUE_SUSP, 0, beta],
        [at + 4950, ...by('beta'), SEMAPHORE_GET, done, FOREVER, 0],
        [at + 5000, ...by('beta'), SUSPEND, beta, SEMAPHORE_SUSP, 0, gamma],
    ];
}

/** Returns a trace of `cycles` cycles. The events of cycle `lost`, if given, are missing. In the cycle `late.cycle`, if
 * given, alpha and beta end late.ticks later. */
export function madeTrx(cycles, { names = {}, lost = -1, nameBytes = 32, late = { cycle: -1, ticks: 0 } } = {}) {
    const events = [];
    for (let number = 0; number < cycles; number++) {
        const shift = (ticks) => (number === late.cycle && ticks % CYCLE_TICKS > 1200 ? ticks + late.ticks : ticks);
        events.push(...cycle(number).map(([ticks, ...more]) => (number === lost ? null : [shift(ticks), ...more])));
    }
    return trx(objects(names), events, nameBytes);
}
