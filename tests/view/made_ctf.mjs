// SPDX-License-Identifier: MIT
/* Makes Zephyr's CTF for a small fictional kernel: two threads that wait for a semaphore in turns, and an interrupt. */

const THREAD = 'uint32_t thread_id; text name[20];';
const CALL = 'uint32_t id; uint32_t timeout;';
const EVENTS = [
    ['thread_switched_out', 0x10, THREAD], ['thread_switched_in', 0x11, THREAD], ['thread_ready', 0x17, THREAD],
    ['thread_pending', 0x18, THREAD], ['isr_enter', 0x1b, ''], ['isr_exit', 0x1c, ''],
    ['semaphore_give_enter', 0x22, 'uint32_t id;'], ['semaphore_take_blocking', 0x25, CALL],
    ['semaphore_take_exit', 0x26, `${CALL} int32_t ret;`], ['socket_close_enter', 0x37, 'uint32_t id;'], ['named_event', 0x62, 'text name[20]; uint32_t arg0; uint32_t arg1;'],
];

export const METADATA = `/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 32; align = 8; signed = true; } := int32_t;
typealias integer { size = 8; align = 8; signed = false; encoding = ASCII; } := text;
struct event_header { uint32_t timestamp; uint8_t id; };
trace { major = 1; minor = 8; byte_order = le; };
stream { event.header := struct event_header; };
${EVENTS.map(([name, id, fields]) => `event { name = ${name}; id = ${id}; fields := struct { ${fields} }; };`).join('\n')}
`;

export const THREADS = { reader: 0x20001000, writer: 0x20001100, idle: 0x20001200 };
export const SEMAPHORE = 0x20004000;
export const CYCLE_NS = 1000000;

/** Returns a record: name of the event, time, and fields as numbers or texts of 20 bytes. */
export function record(name, stamp, ...fields) {
    const [, id] = EVENTS.find(([each]) => each === name);
    const head = Buffer.alloc(5);

    head.writeUInt32LE(stamp >>> 0);
    head[4] = id;
    return Buffer.concat([head, ...fields.map((field) => {
        const out = Buffer.alloc(typeof field === 'string' ? 20 : 4);

        if (typeof field === 'string') out.write(field);
        else out.writeInt32LE(field | 0);
        return out;
    })]);
}

/**
 * Returns the records of a cycle: an interrupt wakes the reader, which reads, gives the semaphore to the writer, and
 * waits again.
 */
export function cycle(number, from = 0) {
    const at = (part) => from + number * CYCLE_NS + part * (CYCLE_NS / 1000);
    const thread = (event, part, name) => record(`thread_${event}`, at(part), THREADS[name], name);

    return [
        record('isr_enter', at(0)), thread('ready', 10, 'reader'), record('isr_exit', at(20)),
        thread('switched_out', 30, 'idle'), thread('switched_in', 30, 'reader'),
        record('named_event', at(100), 'count', number, -1),
        record('semaphore_give_enter', at(200), SEMAPHORE), thread('ready', 210, 'writer'),
        thread('pending', 300, 'reader'), thread('switched_out', 310, 'reader'), thread('switched_in', 310, 'writer'),
        record('semaphore_take_exit', at(320), SEMAPHORE, -1, number % 3 === 0 ? 0 : -11),
        record('semaphore_take_blocking', at(700), SEMAPHORE, -1), thread('pending', 701, 'writer'),
        thread('switched_out', 710, 'writer'), thread('switched_in', 710, 'idle'),
    ];
}
export const RECORDS_PER_CYCLE = 16;

/** Returns the records of `many` cycles; the first cycle begins at the time `from`. */
export const cycles = (many, from = 0) => Array.from({ length: many }, (_, i) => cycle(i, from)).flat();
