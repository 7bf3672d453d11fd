// SPDX-License-Identifier: MIT
// Writes recordings (docs/FORMAT.md, Recordings), block by block: what a test wants in them, not what a target wrote.
const MAGIC = 'txtaprec';
const VERSION = 1;
const TYPE = { buffer: 1, objects: 2, events: 3, gap: 4, mark: 5, end: 6 };
const ENTRY_BYTES = 32;
const [LIVE, ALWAYS] = [1, 2]; // flags of an object: it exists, and its pointer always meant it
export const EVENTS_MAX = 2047; // in one block
export const MARK = { detached: 0, attached: 1, reset: 2, moved: 3, trigger: 6, check: 10 };

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, i) => {
    let value = i;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value >>> 0;
});

function crc32(...parts) {
    let crc = 0xffffffff;
    for (const part of parts)
        for (let i = 0; i < part.length; i++) crc = CRC_TABLE[(crc ^ part[i]) & 255] ^ (crc >>> 8);
    return ~crc >>> 0;
}

/** Numbers in a row, little-endian: each is [bytes, value]. */
function numbers(...fields) {
    const bytes = Buffer.alloc(fields.reduce((sum, [size]) => sum + size, 0));
    let at = 0;
    for (const [size, value] of fields) {
        if (size === 8) bytes.writeBigUInt64LE(BigInt(value), at);
        else bytes.writeUIntLE(value >>> 0, at, size);
        at += size;
    }
    return bytes;
}

const text = (string, most = 1023) => Buffer.concat([Buffer.from(string).subarray(0, most), Buffer.alloc(1)]);

/** Gives each piece of the file to `write`, a function that takes a Buffer. */
export class RecordingWriter {
    #blocks = 0;

    /** header: the 48 bytes of a control header. */
    constructor(write, header, name = 'made.elf') {
        this.write = write;
        const head = Buffer.concat([Buffer.from(MAGIC), numbers([4, VERSION])]);
        write(Buffer.concat([head, numbers([4, crc32(head)])]));
        this.buffer(header, name);
    }

    buffer(header, name) {
        this.#block(TYPE.buffer, header.subarray(0, 48), numbers([8, 0]), text(name));
    }

    /** What made_trx.mjs calls objects; they replace those before. */
    objects(list) {
        const each = list.map(({ type, address, name, priority = 0 }) => {
            const bytes = Buffer.from(name).subarray(0, 63);
            return Buffer.concat([numbers([4, address], [4, 0], [4, 0], [1, type], [1, 0x80], [1, priority],
                [1, LIVE + ALWAYS], [4, 0xffffffff], [8, 0], [1, bytes.length]), bytes]);
        });
        this.#block(TYPE.objects, numbers([4, 1]), ...each);
    }

    /** entries: as in the ring, at most EVENTS_MAX of them. */
    events(seq, ticks, entries) {
        const count = entries.length / ENTRY_BYTES;
        this.#block(TYPE.events, numbers([8, seq], [8, ticks], [8, 0], [4, 0], [4, count]), entries);
    }

    gap(seq, lost, exact = true) {
        this.#block(TYPE.gap, numbers([8, seq], [8, lost], [4, exact ? 1 : 0], [8, 0]));
    }

    mark(kind, seq, what = '') {
        this.#block(TYPE.mark, numbers([4, kind], [8, seq], [8, 0]), text(what));
    }

    end(events) {
        this.#block(TYPE.end, numbers([4, 0], [8, events], [8, 0]));
    }

    #block(type, ...parts) {
        const bytes = parts.reduce((sum, part) => sum + part.length, 0);
        const head = numbers([2, type], [2, 0], [4, bytes], [4, bytes], [4, this.#blocks++]);
        this.write(Buffer.concat([head, numbers([4, crc32(head, ...parts)]), ...parts]));
    }
}
