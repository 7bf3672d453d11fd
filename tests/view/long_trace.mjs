// SPDX-License-Identifier: MIT
// A short trace over and over, until it has as many events as wanted: what a real application records, to measure with.
import { closeSync, openSync, writeSync } from 'node:fs';
import { EVENTS_MAX, RecordingWriter } from './made_recording.mjs';
import { ENTRY_BYTES, HEADER_BYTES } from './made_trx.mjs';

const STAMP = 12; // in an entry
const INIT = 0xf0f0f0f0; // its thread word before the first thread

/**
 * What is in a .trx with 32-bit stamps, little-endian: its header, its objects, its entries in their order without those
 * of initialization, which happens once, and its length.
 */
function parts(trx) {
    const word = (at) => trx.readUInt32LE(at);
    const ring = word(24) - word(8);
    const current = word(32) - word(8);
    const entries = Buffer.concat([trx.subarray(current), trx.subarray(ring, current)]);
    const written = [];
    for (let at = 0; at + ENTRY_BYTES <= entries.length; at += ENTRY_BYTES)
        if (![0, INIT].includes(entries.readUInt32LE(at))) written.push(entries.subarray(at, at + ENTRY_BYTES));
    const all = Buffer.concat(written);
    const last = all.readUInt32LE(all.length - ENTRY_BYTES + STAMP);
    return { header: trx.subarray(0, HEADER_BYTES), registry: trx.subarray(HEADER_BYTES, ring), entries: all, ring,
        ticks: (last - all.readUInt32LE(STAMP) >>> 0) + 1 };
}

/** `count` entries of the endless repetition from event `first` on. */
function repeated({ entries, ticks }, first, count) {
    const events = entries.length / ENTRY_BYTES;
    const bytes = Buffer.alloc(count * ENTRY_BYTES);
    for (let i = 0; i < count; i++) {
        const from = ((first + i) % events) * ENTRY_BYTES;
        entries.copy(bytes, i * ENTRY_BYTES, from, from + ENTRY_BYTES);
        const stamp = entries.readUInt32LE(from + STAMP) + Math.floor((first + i) / events) * ticks;
        bytes.writeUInt32LE(stamp % 2 ** 32, i * ENTRY_BYTES + STAMP);
    }
    return bytes;
}

/** A .trx with so many events, at most 2 million. */
export function longTrx(sample, count) {
    const { header, registry, ring, ...rest } = parts(sample);
    const bytes = Buffer.concat([header, registry, repeated(rest, 0, count), Buffer.alloc(ENTRY_BYTES)]);
    const base = bytes.readUInt32LE(8);
    bytes.writeUInt32LE(base + bytes.length, 28);
    bytes.writeUInt32LE(base + ring + count * ENTRY_BYTES, 32);
    bytes.writeUInt16LE(0, 16); // no laps
    return bytes;
}

/** The objects of a registry of 48 bytes an entry, as made_recording.mjs takes them. */
function objectsOf(registry) {
    const objects = [];
    for (let at = 0; at + 48 <= registry.length; at += 48) {
        const name = registry.subarray(at + 16, at + 48);
        objects.push({ type: registry[at + 1], priority: registry[at + 3], address: registry.readUInt32LE(at + 4),
            name: name.subarray(0, name.indexOf(0)).toString() });
    }
    return objects.filter(({ type }) => type !== 0);
}

/** Writes a recording with so many events to `path`. */
export function longRecording(sample, count, path) {
    const { header, registry, ...rest } = parts(sample);
    const events = rest.entries.length / ENTRY_BYTES;
    const begin = rest.entries.readUInt32LE(STAMP);
    const file = openSync(path, 'w');
    const recording = new RecordingWriter((bytes) => writeSync(file, bytes), header);
    recording.objects(objectsOf(registry));
    for (let seq = 0; seq < count; seq += EVENTS_MAX) {
        const entries = repeated(rest, seq, Math.min(EVENTS_MAX, count - seq));
        const round = Math.floor(seq / events) * rest.ticks;
        const ticks = round + (rest.entries.readUInt32LE((seq % events) * ENTRY_BYTES + STAMP) - begin >>> 0);
        recording.events(seq, ticks, entries);
    }
    recording.end(count);
    closeSync(file);
}
