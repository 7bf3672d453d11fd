// SPDX-License-Identifier: MIT
// libtxtap in the page: the only module that accesses WebAssembly's memory. Times are Numbers: ticks since the first event of the
// trace. Events are identified by their index; index 0 is the first event that the decoder ever got.

import { ALIKE_KINDS, CSV_STATES, EVENT_NONE, REPORT_STATES, ROW_NONE, RowColumns, RowSamples, RowValues, WHY_SELECTS } from './abi.js';

/**
 * Objects that answers*.c writes. A row is its number in rows(); -1: no row.
 *
 * @typedef {{index: number, seq: number, ticks: number, id: number, name: string, class: string, text: string,
 *     fields: {name: string, text: string}[], context: string, thread: number, threadName: string, priority: number,
 *     threshold: number, isr: boolean, unixUs: number, core: number, row: number, pending: string[], info: number[]|undefined}}
 *     TraceEvent threadName '', priority and threshold -1, unixUs 0: not known; pending: names of fields that the kernel
 *     had not written yet; info: the information words of an entry, undefined for CTF
 * @typedef {{version: number, events: number, first: number, seqFirst: number, lastSeq: number, from: number, to: number,
 *     hz: number, lost: number, lostExact: boolean, gaps: number, resets: number, earlier: number, earlierExact: boolean,
 *     dropped: number, bytes: number, ended: boolean, full: boolean, rows: number, rowsVersion: number, known: number,
 *     leftOut: number, names: number, lacks: string, heldBytes: number, problem: string, notes: string[]}} TraceState
 * @typedef {{row: number, kind: string, name: string, doubtful: boolean, address: number, number: number, counter: boolean, events: number,
 *     capacity: number, priority: number, form?: ValueForm, event?: number, deepest?: number, unpaired?: number}} TraceRow name '', capacity 0,
 *     priority -1: not known; doubtful: the address had objects with other names, too. Rows of user values also have the form of their values, the id of the event that has the value or
 *     begins the slice, the largest number of slices that were open at the same time, and the number of ends without a begin
 * @typedef {typeof import('./abi.js').VALUE_FORMS[number]} ValueForm
 * @typedef {{from: number, to: number, index: number, next: number, fromKnown: boolean, toKnown: boolean, depth: number}}
 *     TraceSlice
 * @typedef {{from: number, to: number, state: number, reason: number, object: number, index: number, next: number,
 *     fromKnown: boolean, toKnown: boolean, value?: number, text?: string, window?: number}} TraceStep value: of a counter, if it
 *     is known; text: of a user value or a sample, with its unit, or the line of a log; window: a sample was taken at most this
 *     number of ticks before or after `from`; undefined: not known
 * @typedef {'unknown'|'running'|'interrupted'|'ready'|'blocked'|'idle'|'isr'|'init'|'off'|'held'} StateName
 * @typedef {Record<StateName, number>} StateSums ticks in each state
 * @typedef {{index: number, ticks: number, kind: string, text: string, unixUs: number}} TraceMark
 * @typedef {{index: number, from: number, to: number, lost: number, exact: boolean, ended: boolean}} TraceGap
 * @typedef {{index: number, ticks: number, from: number, to: number, object: number, reason: number, since?: number,
 *     latencyTo?: number}} TraceWake from: the row that woke the row `to`. since: when the row `to` began to wait;
 *     latencyTo: when it ran; undefined: not known
 * @typedef {{thread?: string|null, interrupt?: string, function?: string, samples: number, percent: number, low: number, high: number,
 *     effective: number}} ProfileRow low, high: the 95 % interval of percent; effective: number of independent samples with the
 *     same certainty
 * @typedef {{samples: number, asleep: number, dropped: number, threads: ProfileRow[], functions: ProfileRow[],
 *     functions_by_thread: ProfileRow[]}} Profile
 * @typedef {typeof REPORT_STATES[number]} ReportState
 * @typedef {{count: Uint16Array, class: Uint8Array, index: Uint32Array}} EventColumns
 */

const DECODER_PIECE_BYTES = 1 << 20; // bytes per call, so that the page can respond between two calls
const KEEP_MOST = 0xffffffff;

/** Functions that libc imports and nothing calls: there are no files. */
function refuseFiles() {
    const refuse = () => 8; // EBADF

    return { fd_close: refuse, fd_fdstat_get: refuse, fd_seek: refuse, fd_write: refuse };
}

export class Decoder {
    /** @param {WebAssembly.Instance} instance */
    constructor(instance) {
        /** The functions of exports.c.
         *  @type {{memory: WebAssembly.Memory, [name: string]: any}} */
        this.wasm = /** @type {any} */ (instance.exports);
        this.texts = new TextDecoder();
        this.bytes = new Uint8Array(0);
    }

    /** @param {BufferSource | WebAssembly.Module} source decoder.wasm */
    static async load(source) {
        const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
        const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: refuseFiles() });
        const decoder = new Decoder(instance);

        decoder.wasm._initialize();
        return decoder;
    }

    /** Begins a trace. One instance decodes one trace at a time.
     *  @param {{name?: string, hz?: number, hzFound?: boolean, definitions?: string|string[], firmware?: string|string[], profile?: number, keep?: number}} options */
    open(options = {}) {
        return new Trace(this, options);
    }

    /** Returns the current memory. Growing the memory detaches all earlier views. */
    memory() {
        if (this.bytes.buffer !== this.wasm.memory.buffer) this.bytes = new Uint8Array(this.wasm.memory.buffer);
        return this.bytes;
    }

    /** Copies bytes to the decoder, calls use(address, length), and frees the copy.
     *  @param {Uint8Array} bytes @param {(address: number, length: number) => void} use @returns {boolean} false: out of
     *  memory */
    lend(bytes, use) {
        return this.lendAll([bytes], use);
    }

    /** Does the same as lend() for several pieces, in order.
     *  @param {Uint8Array[]} pieces @param {(address: number, length: number) => void} use */
    lendAll(pieces, use) {
        const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
        const address = this.wasm.memory_take(length + 1) >>> 0;
        let to = address;
        if (address === 0) return false;
        for (const piece of pieces) {
            this.memory().set(piece, to);
            to += piece.length;
        }
        this.memory()[to] = 0;
        use(address, length);
        this.wasm.memory_give(address);
        return true;
    }

    /** Returns a text in the decoder's memory.
     *  @param {number} address @param {number} length */
    string(address, length) {
        return this.texts.decode(this.memory().slice(address >>> 0, (address >>> 0) + length));
    }
}

export class Trace {
    /** @param {Decoder} decoder
     *  @param {{name?: string, hz?: number, hzFound?: boolean, definitions?: string|string[], firmware?: string|string[], profile?: number, keep?: number}} options */
    constructor(decoder, { name = '', hz = 0, hzFound = false, definitions = '', firmware = '', profile = 0, keep = Infinity }) {
        this.decoder = decoder;
        this.wasm = decoder.wasm;
        this.options = { name, hz, hzFound, definitions, firmware, profile, keep };
        this.handle = 0;
        /** @type {TraceState|null} */
        this.cached = null;
        /** @type {TraceRow[]|null} */
        this.cachedRows = null;
        /** Number of reports that were begun: only the newest report goes on. */
        this.reports = 0;
        this.cachedRowsVersion = 0;
        const kept = Number.isFinite(keep) ? Math.min(Math.max(Math.floor(keep), 1), KEEP_MOST - 1) : 0;
        decoder.lend(new TextEncoder().encode(name), (address) => {
            this.handle = this.wasm.trace_open(address, hz > 0 ? hz : 0, !hzFound, profile, kept);
        });
        if (!this.handle) throw new Error('not enough memory for a trace');
        for (const text of [definitions].flat()) this.define(text, true);
        for (const text of [firmware].flat()) this.define(text, false);
    }

    /** Defines user events, interrupts and functions.
     *  @param {string} text @param {boolean} ofUser false: made from the firmware's file */
    define(text, ofUser) {
        this.decoder.lend(new TextEncoder().encode(text), (address, length) => this.wasm.trace_define(this.handle, address, length, ofUser));
    }

    /** Sets the rate of the time stamps.
     *  @param {number} hz ticks per second */
    setHz(hz) {
        this.wasm.trace_set_hz(this.handle, hz > 0 ? hz : 0);
    }

    /** Forgets everything. */
    close() {
        if (this.handle) this.wasm.trace_close(this.handle);
        this.handle = 0;
    }

    /** Adds bytes of a recording; they may be split anywhere.
     *  @param {Uint8Array} bytes */
    feed(bytes) {
        for (let at = 0; at < bytes.length; at += DECODER_PIECE_BYTES) {
            const lent = this.decoder.lend(bytes.subarray(at, at + DECODER_PIECE_BYTES),
                (address, length) => this.wasm.trace_feed(this.handle, address, length));
            if (!lent) throw new Error('not enough memory for more events');
        }
    }

    /** Reads whole files. A file may be in several pieces, and several recordings may follow each other.
     *  @param {Uint8Array | Uint8Array[]} bytes */
    load(bytes) {
        const lent = this.decoder.lendAll(Array.isArray(bytes) ? bytes : [bytes],
            (address, length) => this.wasm.trace_load(this.handle, address, length));
        if (!lent) throw new Error('not enough memory for this file');
    }

    /** Registers the beginning of a file. Call this for each file before the first file is read.
     *  @param {Uint8Array} bytes @param {number} size of the file @returns {boolean} is it a file of a recording? */
    addStart(bytes, size) {
        let known = false;

        this.decoder.lend(bytes, (address, length) => { known = !!this.wasm.trace_add_start(this.handle, address, length, size); });
        return known;
    }

    /** Sorts the files of addStart(). They are identified by number. order: order to read them. again: pairs of a
     *  duplicate file and its original. foreign: two files of different recordings.
     *  @returns {{order?: number[], again?: [number, number][], foreign?: [number, number]}} */
    sortStarts() {
        return JSON.parse(this.answer(this.wasm.trace_sort(this.handle)));
    }

    /** Tells the decoder that a file ends here and that another file of the same recording follows. */
    nextFile() {
        this.wasm.trace_next_file(this.handle);
    }

    /** Adds a note for the user.
     *  @param {string} text one line */
    note(text) {
        this.decoder.lend(new TextEncoder().encode(text), (address) => this.wasm.trace_note(this.handle, address));
    }

    /** Ends the trace: no more bytes follow. The last events become known. */
    end() {
        this.wasm.trace_end(this.handle);
    }

    /** Returns the decoder's answer: the text of an object, `length` bytes of JSON.
     *  @param {number} length */
    answer(length) {
        return length === 0 ? '' : this.decoder.string(this.wasm.trace_text(this.handle), length);
    }

    /** Returns the state of the trace as a whole. Returns the same object until something changes. The trace holds the
     * events first to first + events - 1.
     *  @returns {TraceState} */
    state() {
        const version = this.wasm.trace_version(this.handle) >>> 0;
        if (this.cached === null || this.cached.version !== version) {
            this.cached = JSON.parse(this.answer(this.wasm.trace_state(this.handle)));
        }
        return this.cached;
    }

    /** Returns '', or one line with the reason why the decoder cannot read further. */
    get problem() {
        return this.state().problem;
    }

    /** Returns further notes for the user, one line each. */
    get notes() {
        return this.state().notes;
    }

    // ---- events ----

    /** Returns the ticks of an event. If the trace does not hold the event, returns the ticks of the oldest or newest
     *  event.
     *  @param {number} index @returns {number} */
    ticks(index) {
        return this.wasm.trace_ticks(this.handle, Math.max(0, index));
    }

    /** Returns the first event at the time `ticks` or later. If there is no such event: the index after the newest
     *  event.
     *  @param {number} ticks */
    index(ticks) {
        return this.wasm.trace_index(this.handle, Math.max(0, Math.ceil(ticks))) >>> 0;
    }

    /** Returns the number of an event.
     *  @param {number} index @returns {number} */
    seq(index) {
        return this.wasm.trace_seq(this.handle, Math.max(0, index));
    }

    /** Returns the event with the number `seq`, or else the first later event. If there is no such event: the index
     *  after the newest event.
     *  @param {number} seq */
    indexOfSeq(seq) {
        return this.wasm.trace_index_of_seq(this.handle, Math.max(0, seq)) >>> 0;
    }

    /** Returns the first event from `from` to `to` - 1 whose class or JSON has all texts, in upper or lower case; `to`:
     *  no event.
     *  @param {string[]} texts at most TEXTS_MOST @param {number} from @param {number} to */
    candidate(texts, from, to) {
        let found = to;

        this.decoder.lend(new TextEncoder().encode(texts.join('\n').toLowerCase()), (address) => {
            found = this.wasm.trace_find(this.handle, address, from, to) >>> 0;
        });
        return found;
    }

    /** Returns the first event, of `count` events from `from` on in one direction, with the same 'event', 'thread' or
     * 'object' as event index. With 'switch': the first event that begins another context. -1: no event.
     *  @param {number} index @param {typeof ALIKE_KINDS[number]} what @param {boolean} forward @param {number} from
     *  @param {number} count */
    alike(index, what, forward, from, count) {
        const found = this.wasm.trace_alike(this.handle, index, ALIKE_KINDS.indexOf(what), forward, from, count) >>> 0;

        return found === EVENT_NONE ? -1 : found;
    }

    /** @param {number} index @returns {TraceEvent | null} null: the trace does not hold it */
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
            row: more.row,
            pending: event.pending ?? [],
            info: event.info,
        };
    }

    // ---- between events: lists in time order, with at most max entries ----

    /** @param {(handle: number, from: number, to: number, max: number) => number} ask
     *  @param {number} from @param {number} to @param {number} max */
    list(ask, from, to, max) {
        return JSON.parse(this.answer(ask(this.handle, from, to, max)));
    }

    /** Resets, triggers and failed checks. Each mark belongs before event `index`.
     *  @param {number} from ticks @param {number} to ticks @param {number} [max] @returns {TraceMark[]} */
    marksBetween(from, to, max = 1000) {
        return this.list(this.wasm.trace_marks, from, to, max);
    }

    /** Gaps: events were lost before event `index`.
     *  @param {number} from ticks @param {number} to ticks @param {number} [max] @returns {TraceGap[]} */
    gapsBetween(from, to, max = 1000) {
        return this.list(this.wasm.trace_gaps, from, to, max);
    }

    /** Wakes: which row woke which row.
     *  @param {number} from ticks @param {number} to ticks @param {number} [max] @returns {TraceWake[]} */
    wakesBetween(from, to, max = 1000) {
        return this.list(this.wasm.trace_wakes, from, to, max);
    }

    // ---- rows ----

    /** Returns the rows, by number. Returns the same array until state().rowsVersion changes.
     *  @returns {TraceRow[]} */
    rows() {
        const { rowsVersion } = this.state();

        if (this.cachedRows === null || this.cachedRowsVersion !== rowsVersion) {
            this.cachedRows = JSON.parse(this.answer(this.wasm.trace_rows(this.handle)));
            this.cachedRowsVersion = rowsVersion;
        }
        return this.cachedRows;
    }

    /** @param {number} row @param {number} from ticks @param {number} to ticks @returns {StateSums} */
    sums(row, from, to) {
        return JSON.parse(this.answer(this.wasm.trace_sums(this.handle, row, from, to)));
    }

    /** Returns the row's step at that time, or null.
     *  @param {number} row @param {number} ticks @returns {TraceStep|null} */
    step(row, ticks) {
        return JSON.parse(this.answer(this.wasm.trace_step(this.handle, row, ticks)));
    }

    /** Returns the slice of this depth (1: the outermost slice) that is open in the row at that time, or null.
     *  @param {number} row @param {number} ticks @param {number} depth @returns {TraceSlice|null} */
    slice(row, ticks, depth) {
        return JSON.parse(this.answer(this.wasm.trace_slice(this.handle, row, ticks, depth)));
    }

    /** Returns a user value as text, with its unit, for a key of values().
     *  @param {number} row @param {number} key */
    valueText(row, key) {
        return this.answer(this.wasm.trace_value(this.handle, row, key));
    }

    /** Returns a number of samples() as text, with its unit.
     *  @param {number} row @param {number} number */
    sampleText(row, number) {
        return this.answer(this.wasm.trace_sample_value(this.handle, row, number));
    }

    /** Returns the pieces of a row with states in `count` columns from `from` to `to`. Both are whole and not negative:
     * ticks, or indexes if byEvent.
     *  @param {number} row @param {number} from @param {number} to @param {number} count @param {boolean} [byEvent] */
    columns(row, from, to, count, byEvent = false) {
        const length = this.wasm.trace_columns(this.handle, row, from, to, count, byEvent);

        return new RowColumns(this.decoder.memory().buffer, this.wasm.trace_cells(this.handle) >>> 0, length);
    }

    /** Returns the share of each column in which a row was active, exact but for rounding: RowColumns.run(), or ready()
     * if `second` is true. null: all are 0. The array is valid until the next call of the decoder.
     *  @param {number} row @param {boolean} second @param {number} from @param {number} to @param {number} count
     *  @param {boolean} [byEvent] @returns {Uint16Array|null} */
    shares(row, second, from, to, count, byEvent = false) {
        const length = this.wasm.trace_shares(this.handle, row, second, from, to, count, byEvent);

        return length ? new Uint16Array(this.decoder.memory().buffer, this.wasm.trace_cells(this.handle) >>> 0, length) : null;
    }

    /** Returns the busiest window of a core among at most `most` windows of `window` ticks from `next` on, and the start
     * of the windows that were not examined.
     *  @param {number} row @param {number} window @param {number} next @param {number} most
     *  @returns {{from: number, busy: number, next: number, done: boolean}} */
    peak(row, window, next, most) {
        return JSON.parse(this.answer(this.wasm.trace_peak(this.handle, row, window, next, most)));
    }

    /** Returns the nearest event that a row recorded or that changed the row: the first at `ticks` or later, or the last
     * before `ticks`. -1: no such event.
     *  @param {number} row @param {number} ticks @param {boolean} forward */
    near(row, ticks, forward) {
        const found = this.wasm.trace_near(this.handle, row, Math.max(0, ticks), forward) >>> 0;

        return found === EVENT_NONE ? -1 : found;
    }

    /** Returns the row that recorded an event, or -1.
     *  @param {number} index */
    rowOf(index) {
        const row = this.wasm.trace_row_of(this.handle, index);

        return row === ROW_NONE ? -1 : row;
    }

    /** Returns the pieces of a counter row: smallest and largest values.
     *  @param {number} row @param {number} from @param {number} to @param {number} count @param {boolean} [byEvent] */
    values(row, from, to, count, byEvent = false) {
        const length = this.wasm.trace_columns(this.handle, row, from, to, count, byEvent);

        return new RowValues(this.decoder.memory().buffer, this.wasm.trace_cells(this.handle) >>> 0, length);
    }

    /** Returns the pieces of a row of samples.
     *  @param {number} row @param {number} from @param {number} to @param {number} count @param {boolean} [byEvent] */
    samples(row, from, to, count, byEvent = false) {
        const length = this.wasm.trace_columns(this.handle, row, from, to, count, byEvent);

        return new RowSamples(this.decoder.memory().buffer, this.wasm.trace_cells(this.handle) >>> 0, length);
    }

    /** Returns the events that the row recorded in each column; row -1: all rows. The result is valid until the next
     *  call of the decoder.
     *  @param {number} row @param {number} from @param {number} to @param {number} count @param {boolean} [byEvent]
     *  @returns {EventColumns} */
    eventColumns(row, from, to, count, byEvent = false) {
        const length = this.wasm.trace_event_columns(this.handle, row < 0 ? ROW_NONE : row, from, to, count, byEvent);
        const at = this.wasm.trace_cells(this.handle) >>> 0;
        const { buffer } = this.decoder.memory();

        if (length === 0)
            return { count: new Uint16Array(count), class: new Uint8Array(count), index: new Uint32Array(count) };
        return {
            index: new Uint32Array(buffer, at, length),
            count: new Uint16Array(buffer, at + 4 * length, length),
            class: new Uint8Array(buffer, at + 6 * length, length),
        };
    }

    /** Returns the shares of states of all rows together.
     *  @param {number} from @param {number} to @param {number} count @param {boolean} [byEvent] */
    eventsBetween(from, to, count, byEvent = false) {
        return this.eventColumns(-1, from, to, count, byEvent);
    }

    /** Starts a report of the events between `from` and `to`, or of all events. A report that is being computed is abandoned.
     *  @param {number} [from] @param {number} [to] @param {boolean} [flow] report the flow instead of figures */
    beginReport(from = 0, to = Infinity, flow = false) {
        this.reports++;
        if (!this.wasm.report_begin(this.handle, from, to, flow)) throw new Error('not enough memory for a report');
    }

    /** Computes the report for the next `count` events. 2 to 5 million events take a second.
     *  @param {number} count @returns {ReportState} none: the trace dropped events that the report needs, or another report
     *  was started: start again */
    stepReport(count) {
        return REPORT_STATES[this.wasm.report_step(this.handle, count)];
    }

    /** Returns the finished report: the object of 'txtap report -f json', with bars for all figures that have bars. Of a flow:
     *  the object of 'txtap report --flow -f json' (flow/flow_model.js).
     *  @returns {any} */
    endReport() {
        const answer = this.answer(this.wasm.report_answer(this.handle));

        if (answer === '') throw new Error('not enough memory for a report');
        return JSON.parse(answer);
    }

    /** Returns the results of checks over the finished report, as `txtap check` judges them.
     *  @param {string} text checks, one per line
     *  @returns {import('./checks/judge.js').Judged} exit: the exit code of `txtap check`;
     *  checks: see checks_model.js, with the number of the line; line 0: not a single line */
    endChecks(text) {
        let answer = '';

        this.decoder.lend(new TextEncoder().encode(text), (address, length) => {
            answer = this.answer(this.wasm.judge_answer(this.handle, address, length));
        });
        if (answer === '') throw new Error('not enough memory for the checks');
        return JSON.parse(answer);
    }

    /** Returns the figures of the finished report as bytes, for compare().
     *  @returns {Uint8Array} */
    endFigures() {
        const length = this.wasm.compare_figures(this.handle);
        const at = this.wasm.trace_text(this.handle) >>> 0;

        if (length === 0) throw new Error('not enough memory for the figures');
        return this.decoder.memory().slice(at, at + length);
    }

    /** Compares the figures of two traces, as `txtap compare` does.
     *  @param {{name: string, figures: Uint8Array}[]} sides figures of endFigures(), also of another decoder
     *  @returns {import('./compare/figures_table.js').Comparison|{problem: string}} */
    compare(sides) {
        const [a, b] = sides.map(({ name, figures }) => ({ name: new TextEncoder().encode(name), figures }));
        let answer = '';

        this.decoder.lend(a.name, (nameA) => this.decoder.lend(a.figures, (figuresA, lengthA) =>
            this.decoder.lend(b.name, (nameB) => this.decoder.lend(b.figures, (figuresB, lengthB) => {
                answer = this.answer(this.wasm.compare_sides(this.handle, nameA, figuresA, lengthA, nameB, figuresB, lengthB));
            }))));
        if (answer === '') throw new Error('not enough memory to compare the figures');
        return JSON.parse(answer);
    }

    /** Computes a whole report in one call.
     *  @param {number} [from] @param {number} [to] @param {boolean} [flow] report the flow instead of figures */
    report(from, to, flow) {
        this.beginReport(from, to, flow);
        while (this.stepReport(0xffffffff) === 'more');
        return this.endReport();
    }

    /** Starts to explain a span. Continue with stepReport().
     *  @param {import('./why/question.js').Question} question */
    beginWhy(question) {
        const { select, figure = '', address = 0, isThread = false, event = 0, ticks = 0, from = 0, to = Infinity } = question;
        let begun = false;

        this.reports++;
        this.decoder.lend(new TextEncoder().encode(figure), (name) => {
            begun = this.wasm.why_begin(this.handle, WHY_SELECTS.indexOf(select), name, address, isThread, event, ticks, from, to);
        });
        if (!begun) throw new Error('not enough memory for the cause');
    }

    /** Returns the explained span: the object of 'txtap why -f json'. null: the trace does not have it.
     *  @returns {import('./why/question.js').Answer|null} */
    endWhy() {
        const answer = this.answer(this.wasm.why_answer(this.handle));

        if (answer === '') throw new Error('not enough memory for the cause');
        return JSON.parse(answer);
    }

    /** Explains a span in one call.
     *  @param {import('./why/question.js').Question} question */
    why(question) {
        this.beginWhy(question);
        while (this.stepReport(0xffffffff) === 'more');
        return this.endWhy();
    }

    /** Starts to write the events between two times, both inclusive, as CSV.
     *  @param {number} from ticks @param {number} to ticks */
    beginCsv(from, to) {
        if (!this.wasm.csv_begin_at(this.handle, from, to)) throw new Error('these events cannot be written as CSV');
    }

    /** Returns the lines of the next `count` events. State `none`: the trace dropped events, so call beginCsv() again.
     *  @param {number} count @returns {{state: typeof CSV_STATES[number], bytes: Uint8Array}} */
    stepCsv(count) {
        const state = CSV_STATES[this.wasm.csv_step_by(this.handle, count)];
        const at = this.wasm.trace_text(this.handle) >>> 0;

        return { state, bytes: new Uint8Array(this.decoder.memory().slice(at, at + this.wasm.csv_bytes(this.handle))) };
    }

    /** Returns the profile of a part of the trace: the object of 'txtap profile -f json', without lines of source code.
     *  @param {number} from ticks @param {number} to ticks @returns {Profile} */
    profile(from, to) {
        const answer = this.answer(this.wasm.trace_profile(this.handle, from, to));

        if (answer === '') throw new Error('not enough memory for a profile');
        return JSON.parse(answer);
    }

    /** Returns a time with all its digits and its unit.
     *  @param {number} ticks */
    exactTime(ticks) {
        return this.answer(this.wasm.trace_time(this.handle, Math.max(0, ticks)));
    }
}

/** @param {{event?: string, id: number}} event */
function nameOfEvent(event) {
    return event.event ?? `event ${event.id}`;
}

/** @param {unknown} value */
function textOfField(value) {
    return typeof value === 'string' ? value : JSON.stringify(value);
}
