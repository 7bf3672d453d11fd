// SPDX-License-Identifier: MIT
/* Makes recordings (docs/reference/recording.md) from trace buffers, with any content that a test needs. */
import { crc32 } from './crc32.mjs';

const BLOCK = { buffer: 1, objects: 2, events: 3, gap: 4, mark: 5, end: 6, definitions: 7, metadata: 9, ctf: 10, file: 11, rate: 12,
    about: 13, meaning: 14,
    channel: 16, samples: 17 };
const UNKNOWN = 0xffffffff;
const ENTRY = 32;
export const EVENTS_MAX = 2047;

const numbers = (layout, values) => {
    const out = Buffer.alloc([...layout].reduce((sum, letter) => sum + { b: 1, h: 2, w: 4, q: 8 }[letter], 0));
    let at = 0;

    [...layout].forEach((letter, i) => {
        if (letter === 'q') at = out.writeBigUInt64LE(BigInt(values[i]), at);
        else at = out.writeUIntLE(values[i], at, { b: 1, h: 2, w: 4 }[letter]);
    });
    return out;
};
const text = (string) => Buffer.concat([Buffer.from(string), Buffer.from([0])]);

/** Collects the blocks of a recording (blocks[0] is the head of the file), or passes each of them to `write`. */
export class Recording {
    /** @param {(bytes: Buffer) => void} [write]
     *  @param {number} [version] 1, or 2 for CTF */
    constructor(write, version = 1) {
        const head = Buffer.concat([Buffer.from('txtaprec'), numbers('w', [version])]);

        this.blocks = [];
        this.count = 0;
        this.write = write ?? ((bytes) => this.blocks.push(bytes));
        this.write(Buffer.concat([head, numbers('w', [crc32(head)])]));
    }

    block(type, payload) {
        const head = numbers('hhwww', [type, 0, payload.length, payload.length, this.count++]);

        this.write(Buffer.concat([head, numbers('w', [crc32(Buffer.concat([head, payload]))]), payload]));
        return this;
    }

    buffer(header, name = 'made.elf') {
        return this.block(BLOCK.buffer, Buffer.concat([header, numbers('q', [1]), text(name)]));
    }

    /** Adds a block of objects: [{pointer, parameters, type, reserved, name, from, events}]. Without `from` and
     * `events`, an object exists all the time. */
    objects(objects, fresh = true) {
        const each = objects.map(({ pointer, parameters, type, reserved, name, from = 0, events = 0xffffffff }) => Buffer.concat([
            numbers('wwwbbbbwqb', [pointer, ...parameters, type, ...reserved, from > 0 ? 2 : 1, events, from, name.length]), name]));

        return this.block(BLOCK.objects, Buffer.concat([numbers('w', [fresh ? 1 : 0]), ...each]));
    }

    events(seq, ticks, entries) {
        return this.block(BLOCK.events,
            Buffer.concat([numbers('qqqww', [seq, ticks, 1, 0, entries.length]), ...entries]));
    }

    gap(seq, lost, exact = true) {
        return this.block(BLOCK.gap, numbers('qqwq', [seq, lost, exact ? 1 : 0, 0]));
    }

    mark(kind, seq, words) {
        return this.block(BLOCK.mark, Buffer.concat([numbers('wqq', [kind, seq, 0]), text(words)]));
    }

    definitions(words) {
        return this.block(BLOCK.definitions, text(words));
    }

    /** Adds the rate of the time stamps. how: 1 given, 2 measured, 3 the firmware's clock. */
    rate(hz, how = 1, low = 0, high = 0) {
        return this.block(BLOCK.rate, numbers('wqqq', [how, ...[hz, low, high].map((each) => Math.round(each * 1e6))]));
    }

    about(words) {
        return this.block(BLOCK.about, text(words));
    }

    /** Adds a text of definitions, in pieces of at most `most` bytes. */
    meaning(words, ofUser, most = 65524) {
        const bytes = Buffer.from(words);

        for (let at = 0; at < bytes.length; at += most)
            this.block(BLOCK.meaning, Buffer.concat([numbers('www', [ofUser ? 1 : 0, bytes.length, at]), bytes.subarray(at, at + most)]));
        return this;
    }

    /** Adds CTF metadata, in pieces of at most `most` bytes. */
    metadata(words, most = 65528) {
        const bytes = Buffer.from(words);

        for (let at = 0; at < bytes.length; at += most)
            this.block(BLOCK.metadata, Buffer.concat([numbers('ww', [bytes.length, at]), bytes.subarray(at, at + most)]));
        return this;
    }

    /** Adds a piece of a stream; `seq` is the number of its first record. */
    ctf(seq, ticks, bytes, another = false) {
        return this.block(BLOCK.ctf, Buffer.concat([numbers('wqq', [another ? 1 : 0, seq, ticks]), bytes]));
    }

    /** Adds the block with the file's number in its recording. Call it after the buffer block. events: number of
     * events in earlier files. */
    file(id, number, events, { kept = 0, doubts = 0 } = {}) {
        return this.block(BLOCK.file, numbers('qwwqqw', [id, number, kept, events, events, doubts]));
    }

    /** Adds a channel. kind: 0 a value, 1 the program counter, 2 a log; form: 0 unsigned, 1 signed, 2 float, 3 bool, 4 address,
     * 5 a state with `words`, [[number, word]]. */
    channel(number, name, { kind = 0, form = 0, unit = '', words = [] } = {}) {
        return this.block(BLOCK.channel, Buffer.concat([numbers('wwww', [number, kind, form, words.length]), text(name), text(unit),
            ...words.map(([value, word]) => Buffer.concat([numbers('q', [BigInt.asUintN(64, BigInt(value))]), text(word)]))]));
    }

    /** Adds samples: [{channel, seq, ticks, bits, state, window, thread, line}]. bits: a BigInt; state: 0 valid, 1 not readable;
     * window: ticks before and after; -1: not known. */
    samples(samples) {
        const each = samples.map(({ channel, seq, ticks, bits = 0n, state = 0, window = 0, thread = 0, line = '' }) => Buffer.concat([
            numbers('hhqqwwqqw', [channel, state, seq, ticks, ...(window < 0 ? [UNKNOWN, UNKNOWN] : [Math.min(window, ticks), window]), 0,
                BigInt.asUintN(64, bits), thread]), text(line)]));

        return this.block(BLOCK.samples, Buffer.concat([numbers('w', [each.length]), ...each]));
    }

    end(events = 0, goesOn = false) {
        return this.block(BLOCK.end, numbers('wqq', [goesOn ? 1 : 0, events, 1]));
    }

    bytes() {
        return Buffer.concat(this.blocks);
    }
}

/** Reads a .trx file of a little-endian target: {header, objects, entries from the oldest on}. */
export function readTrace(bytes) {
    const word = (at) => bytes.readUInt32LE(at);
    const [base, first, end, ringStart, ringEnd, current] = [8, 12, 20, 24, 28, 32].map(word);
    const nameBytes = bytes.readUInt16LE(18);
    const objectBytes = 16 + nameBytes;
    const objects = [];
    const entries = [];

    for (let at = first - base; at + objectBytes <= end - base; at += objectBytes) {
        const name = bytes.subarray(at + 16, at + objectBytes);

        if (bytes[at + 1] !== 0)
            objects.push({
                pointer: word(at + 4), parameters: [word(at + 8), word(at + 12)], type: bytes[at + 1],
                reserved: [bytes[at + 2], bytes[at + 3]], name: name.subarray(0, name.indexOf(0) < 0 ? 31 : name.indexOf(0)),
            });
    }
    for (let at = ringStart; at + ENTRY <= ringEnd; at += ENTRY) {
        const slot = ringStart + (at - ringStart + current - ringStart) % (ringEnd - ringStart) - base;

        if (word(slot) !== 0) entries.push(bytes.subarray(slot, slot + ENTRY));
    }
    return { header: bytes.subarray(0, 48), objects, entries };
}

/**
 * Returns a recording of a trace's entries in blocks of `perBlock` entries. ticks: the ticks of each entry since the
 * first entry.
 */
export function recordingOf({ header, objects, entries }, ticks, perBlock = EVENTS_MAX) {
    const recording = new Recording().buffer(header).objects(objects);

    for (let at = 0; at < entries.length; at += perBlock)
        recording.events(at, ticks[at], entries.slice(at, at + perBlock));
    return recording;
}
