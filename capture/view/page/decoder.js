// SPDX-License-Identifier: MIT
// libtxtap in the page: the only module that knows WebAssembly's memory. Times are Numbers, ticks since the trace's first
// event; events are named by their index, which counts from the first one ever taken.

/** @typedef {{index: number, seq: number, ticks: number, id: number, name: string, class: string, text: string,
 *   fields: {name: string, text: string}[], context: string, thread: number, threadName: string, priority: number,
 *   isr: boolean, unixUs: number, core: number, row: number}} TraceEvent */

const DECODER_PIECE_BYTES = 1 << 20; // handed over at a time, so that the page stays alive between pieces if it wants to
const KEEP_MOST = 0xffffffff;

/** The functions that libc asks for and nothing uses: there are no files. */
function refuseFiles() {
    const refuse = () => 8; // EBADF

    return { fd_close: refuse, fd_seek: refuse, fd_write: refuse };
}

export class Decoder {
    /** @param {WebAssembly.Instance} instance */
    constructor(instance) {
        this.wasm = instance.exports;
        this.texts = new TextDecoder();
        this.bytes = new Uint8Array(0);
    }

    /** @param {BufferSource | WebAssembly.Module} source decoder.wasm */
    static async load(source) {
        const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
        const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: refuseFiles() });
        instance.exports._initialize();
        return new Decoder(instance);
    }

    /** One instance holds one trace at a time.
     *  @param {{name?: string, hz?: number, definitions?: string, profile?: number, keep?: number}} options */
    open(options = {}) {
        return new Trace(this, options);
    }

    /** The memory as it is now: each growth makes the earlier views empty. */
    memory() {
        if (this.bytes.buffer !== this.wasm.memory.buffer) this.bytes = new Uint8Array(this.wasm.memory.buffer);
        return this.bytes;
    }

    /** Copies bytes to the decoder, calls use(address, length), and frees them. */
    lend(bytes, use) {
        const address = this.wasm.memory_take(bytes.length + 1) >>> 0;
        if (address === 0) return false;
        this.memory().set(bytes, address);
        this.memory()[address + bytes.length] = 0;
        use(address, bytes.length);
        this.wasm.memory_give(address);
        return true;
    }

    /** A text of the decoder's. */
    string(address, length) {
        return this.texts.decode(this.memory().slice(address >>> 0, (address >>> 0) + length));
    }
}

export class Trace {
    constructor(decoder, { name = '', hz = 0, definitions = '', profile = 0, keep = Infinity }) {
        this.decoder = decoder;
        this.wasm = decoder.wasm;
        this.options = { name, hz, definitions, profile, keep };
        this.handle = 0;
        this.cached = null;
        const kept = Number.isFinite(keep) ? Math.min(Math.max(Math.floor(keep), 1), KEEP_MOST - 1) : 0;
        decoder.lend(new TextEncoder().encode(name), (address) => {
            this.handle = this.wasm.trace_open(address, hz > 0 ? hz : 0, profile, kept);
        });
        if (!this.handle) throw new Error('there is no memory for a trace');
        if (definitions) {
            decoder.lend(new TextEncoder().encode(definitions), (address, length) => this.wasm.trace_define(this.handle, address, length));
        }
    }

    /** Forgets everything. */
    close() {
        if (this.handle) this.wasm.trace_close(this.handle);
        this.handle = 0;
    }

    /** Bytes of a recording, cut anywhere. @param {Uint8Array} bytes */
    feed(bytes) {
        for (let at = 0; at < bytes.length; at += DECODER_PIECE_BYTES) {
            const lent = this.decoder.lend(bytes.subarray(at, at + DECODER_PIECE_BYTES),
                (address, length) => this.wasm.trace_feed(this.handle, address, length));
            if (!lent) throw new Error('there is no memory for further events');
        }
    }

    /** A whole file; several recordings one after the other. @param {Uint8Array} bytes */
    load(bytes) {
        const lent = this.decoder.lend(bytes, (address, length) => this.wasm.trace_load(this.handle, address, length));
        if (!lent) throw new Error('there is no memory for this file');
    }

    /** No more comes: the last events become known. */
    end() {
        this.wasm.trace_end(this.handle);
    }

    /** The answer of that length. */
    answer(length) {
        return length === 0 ? '' : this.decoder.string(this.wasm.trace_text(this.handle), length);
    }

    /** What is known of the trace as a whole; the same object until something changes. Events first to first + events are
     *  held. */
    state() {
        const version = this.wasm.trace_version(this.handle) >>> 0;
        if (this.cached === null || this.cached.version !== version) {
            this.cached = JSON.parse(this.answer(this.wasm.trace_state(this.handle)));
        }
        return this.cached;
    }

    /** '' or why nothing more can be read, in one line. */
    get problem() {
        return this.state().problem;
    }

    /** What else the user should know, one line each. */
    get notes() {
        return this.state().notes;
    }

    // ---- events ----

    /** The ticks of an event; those of the oldest or newest if it is not held. */
    ticks(index) {
        return this.wasm.trace_ticks(this.handle, Math.max(0, index));
    }

    /** The first event at that time or later; behind the newest if there is none. */
    index(ticks) {
        return this.wasm.trace_index(this.handle, Math.max(0, Math.ceil(ticks))) >>> 0;
    }

    seq(index) {
        return this.wasm.trace_seq(this.handle, Math.max(0, index));
    }

    /** The event with that number, or of the later ones the first; behind the newest if there is none. */
    indexOfSeq(seq) {
        return this.wasm.trace_index_of_seq(this.handle, Math.max(0, seq)) >>> 0;
    }

    /** @returns {TraceEvent | null} null: it is not held */
    event(index) {
        const answer = index >= 0 ? this.answer(this.wasm.trace_event(this.handle, index)) : '';
        if (answer === '') return null;
        const end = answer.indexOf('}\n') + 1;
        const more = JSON.parse(answer.slice(0, end));
        const { event } = more;
        return {
            index,
            seq: event.seq,
            ticks: more.ticks,
            id: event.id,
            name: nameOfEvent(event),
            class: more.class,
            text: answer.slice(end + 1),
            fields: Object.entries(event.fields ?? {}).map(([name, value]) => ({ name, text: textOfField(value) })),
            context: event.context,
            thread: more.thread,
            threadName: event.thread ?? '',
            priority: event.priority ?? -1,
            threshold: event.threshold ?? -1,
            isr: event.context === 'isr' || event.context === 'idle',
            unixUs: event.unix_us ?? 0,
            core: more.core,
            pending: event.pending ?? [],
            info: event.info,
        };
    }

    // ---- between events ----

    between(from, to, max) {
        return JSON.parse(this.answer(this.wasm.trace_notes(this.handle, Math.max(0, Math.floor(from)), Math.max(0, Math.ceil(to)), max)));
    }

    /** [{index, ticks, kind, text, unixUs}]: resets, triggers, failed checks, in front of event index. */
    marksBetween(from, to, max = 1000) {
        return this.between(from, to, max).filter(({ kind }) => kind !== 'gap')
            .map(({ index, to: ticks, kind, text, unixUs }) => ({ index, ticks, kind, text, unixUs }));
    }

    /** [{index, from, to, lost, exact}]: events were lost in front of event index. */
    gapsBetween(from, to, max = 1000) {
        return this.between(from, to, max).filter(({ kind }) => kind === 'gap');
    }

    /** A time with all its digits and its unit. */
    exactTime(ticks) {
        return this.answer(this.wasm.trace_time(this.handle, Math.max(0, ticks)));
    }
}

function nameOfEvent(event) {
    return event.event ?? `event ${event.id}`;
}

function textOfField(value) {
    return typeof value === 'string' ? value : JSON.stringify(value);
}
