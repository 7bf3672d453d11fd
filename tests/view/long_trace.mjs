// SPDX-License-Identifier: MIT
// Makes a long trace for measurements: repeats the events of a real application until there are as many as wanted.
import { closeSync, openSync, writeSync } from 'node:fs';
import { ENTRY_BYTES } from './made_trx.mjs';
import { EVENTS_MAX, Recording, readTrace } from './recording.mjs';

const STAMP = 12; // offset in an entry
const INIT = 0xf0f0f0f0; // thread word of the initialization, before the first thread

/**
 * Returns the part of a trace that is repeated: everything after the initialization, which happens once. `ticks` is its
 * duration.
 */
function repeatable(trx) {
    const { header, objects, entries: all } = readTrace(trx);
    const entries = all.filter((entry) => entry.readUInt32LE(0) !== INIT);
    const begin = entries[0].readUInt32LE(STAMP);
    const ticks = entries.map((entry) => entry.readUInt32LE(STAMP) - begin >>> 0);
    return { header, objects, entries, ticks, period: ticks.at(-1) + 1 };
}

/** Returns the ticks of event `number` of the endless repetition, from the repetition's first event on. */
const ticksOf = ({ ticks, period }, number) => Math.floor(number / ticks.length) * period + ticks[number % ticks.length];

/** Returns `count` entries of the repetition from event `first` on, each a Buffer. */
function repeated(sample, first, count) {
    const bytes = Buffer.alloc(count * ENTRY_BYTES);
    const begin = sample.entries[0].readUInt32LE(STAMP);
    return Array.from({ length: count }, (_, i) => {
        const entry = bytes.subarray(i * ENTRY_BYTES, (i + 1) * ENTRY_BYTES);
        sample.entries[(first + i) % sample.entries.length].copy(entry);
        entry.writeUInt32LE((begin + ticksOf(sample, first + i)) % 2 ** 32, STAMP);
        return entry;
    });
}

/** Returns a .trx with `count` events, at most 2 million. */
export function longTrx(trx, count) {
    const ring = trx.readUInt32LE(24) - trx.readUInt32LE(8);
    const entries = repeated(repeatable(trx), 0, count);
    const bytes = Buffer.concat([trx.subarray(0, ring), ...entries, Buffer.alloc(ENTRY_BYTES)]);
    const base = bytes.readUInt32LE(8);
    bytes.writeUInt16LE(0, 16); // this trace does not count laps
    bytes.writeUInt32LE(base + bytes.length, 28);
    bytes.writeUInt32LE(base + ring + count * ENTRY_BYTES, 32);
    return bytes;
}

/** Writes a recording with `count` events to `path`. */
export function longRecording(trx, count, path) {
    const sample = repeatable(trx);
    const file = openSync(path, 'w');
    const recording = new Recording((bytes) => writeSync(file, bytes)).buffer(sample.header).objects(sample.objects);
    for (let seq = 0; seq < count; seq += EVENTS_MAX)
        recording.events(seq, ticksOf(sample, seq), repeated(sample, seq, Math.min(EVENTS_MAX, count - seq)));
    recording.end(count);
    closeSync(file);
}
