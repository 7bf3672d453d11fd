// SPDX-License-Identifier: MIT
/*
 * The stream of a live target. It is always read, even while the page is hidden or paused. When the server is gone, the page
 * tries to connect each second. Each stream begins with the history that the server holds, so it is a trace of its own. The
 * previous trace stays on screen until the new trace has events. If txtap was started again, the new trace is unrelated, and
 * the previous trace disappears at once.
 */
import { Backlog, BACKLOG_BYTES_MOST, BACKLOG_PIECE_BYTES } from './backlog.js';
import { isCatchingUp } from './link_state.js';
import { errorText } from './plain_text.js';
import { possibleRate } from './tick_rate.js';
import { Slices } from './trace_reader.js';

/**
 * @typedef {import('./decoder.js').Trace} Trace
 * @typedef {{get: (path: string) => Promise<Response>, openLiveTrace: () => Promise<Trace>,
 *     askState: () => Promise<{hz: number, note: string, server?: import('./link_state.js').ServerCounts}>}} LiveSource
 *     get: requests a part of txtap's server; openLiveTrace: makes a new trace; hz: ticks per second of the target's time stamps, 0
 *     while not known; note: remark about the rate; server: its counts
 */

const RETRY_MS = 1000;

/** HTTP status of a server whose streams are all in use. */
const HTTP_UNAVAILABLE = 503;

/** Delay before a new try after the decoder failed: the decoder may fail again after it has read all of the history. */
const RETRY_PROBLEM_MS = 30_000;

/** Time between two measurements of the stream. */
const MEASURE_MS = 1000;

/** Minimum time between two notifications of new events to listeners. */
const TELL_EVERY_MS = 50;

/** A measured rate becomes more exact. The page asks again after this many seconds, then after twice as many, and so on. */
const RATE_AGAIN_SECONDS = 2;
const RATE_AGAIN_MOST = 3600;

/** Initial view of a page that follows a target, in seconds. If the rate is not known, the view shows everything. */
const FOLLOWED_SECONDS = 1;

function timeOfDay() {
    return new Date().toTimeString().slice(0, 8);
}

/** The server, or the connection to it, is gone. */
class LinkLost extends Error {}

/** @returns {never} */
function linkLost() {
    throw new LinkLost();
}

/** @param {number} ms */
function delay(ms) {
    return new Promise((resolve) => setTimeout(resolve, ms));
}

export class LiveStream {
    /**
     * @param {import('./view_state.js').ViewState} view
     * @param {import('./live_line.js').LiveLine} line
     * @param {LiveSource} source
     */
    constructor(view, line, source) {
        this.view = view;
        this.line = line;
        this.source = source;
        this.backlog = new Backlog();
        /** @type {Trace|null} */
        this.trace = null;
        /** The start of txtap that the stream belongs to; null: no stream yet.
         *  @type {string|null} */
        this.start = null;
        /** @type {ReadableStreamDefaultReader<Uint8Array>|null} */
        this.reader = null;
        this.pumping = false;
        /** The decoder failed: its trace takes no more bytes. */
        this.failed = false;
        this.told = 0;
        /** @type {ReturnType<typeof setTimeout>|undefined} */
        this.timer = undefined;
        this.span = 0;
        /** The rate from txtap, and the time of the next request. */
        this.rate = { hz: 0, at: 0, wait: RATE_AGAIN_SECONDS };
        this.measured = { seconds: 0, ticks: 0 };
        /** The losses of the trace at the last request. */
        this.askedLosses = '';
        view.on((changed) => changed.has('paused') && this.pump());
    }

    /** Runs until the page is closed, because a target may come back. */
    async run() {
        this.line.set({ phase: 'connecting' });
        for (;;) {
            try {
                await this.readOnce();
            } catch (error) {
                this.line.set({ problem: error instanceof LinkLost ? '' : errorText(error) });
            }
            if (this.line.link.phase !== 'gone')
                this.line.set({ phase: 'gone', since: timeOfDay(), catchingUp: false });
            await delay(this.trace && this.isOver(this.trace) ? RETRY_PROBLEM_MS : RETRY_MS);
        }
    }

    /** Reads a stream to its end. Throws if there is no server, or if it goes away. */
    async readOnce() {
        const response = await this.source.get('stream').catch(linkLost);

        if (response.status === HTTP_UNAVAILABLE)
            throw new Error('too many pages are connected to txtap: close one of them');
        if (!response.ok || !response.body)
            return;
        const trace = await this.source.openLiveTrace();
        const start = response.headers.get('Txtap-Run');

        if (this.start !== null && start !== this.start)
            this.beginAgain();
        this.start = start;
        this.backlog = new Backlog();
        this.trace = trace;
        this.failed = false;
        this.line.set({ phase: 'open', problem: '', catchingUp: true });
        this.measured = { seconds: performance.now() / 1000, ticks: 0 };
        this.rate = { hz: trace.state().hz, at: this.measured.seconds, wait: RATE_AGAIN_SECONDS };
        const ticker = setInterval(() => this.measure(), MEASURE_MS); // the stream may bring nothing for a long time

        try {
            await this.readAll(response.body.getReader(), trace);
        } finally {
            clearInterval(ticker);
            await this.finish(trace);
        }
    }

    /** Begins again, because txtap was started again: the previous trace must not be shown with the new trace. */
    beginAgain() {
        const before = this.view.trace;

        this.view.open(null);
        before?.close?.();
        this.line.set({ startedAgain: timeOfDay() });
    }

    /** Reads no faster than the decoder decodes. The number of waiting bytes is limited here, and by txtap on its side.
     *  @param {ReadableStreamDefaultReader<Uint8Array>} reader @param {Trace} trace */
    async readAll(reader, trace) {
        this.reader = reader;
        for (;;) {
            const { done, value } = await reader.read().catch(linkLost);

            if (done)
                return;
            this.backlog.push(value);
            this.pump();
            while (this.backlog.bytes > BACKLOG_BYTES_MOST && !this.isOver(trace))
                await delay(TELL_EVERY_MS);
        }
    }

    /** @param {Trace} trace */
    isOver(trace) {
        return this.failed || trace.problem !== '';
    }

    /** Gives the waiting bytes to the decoder, with pauses in which the page can respond. */
    async pump() {
        if (this.pumping || this.failed || !this.trace)
            return;
        this.pumping = true;
        try {
            const slices = new Slices();

            for (let piece; (piece = this.backlog.take(this.view.paused)) !== null;) {
                this.trace.feed(piece);
                this.tellSoon();
                await slices.rest();
            }
        } catch (error) {
            this.failed = true;
            this.line.set({ problem: errorText(error) });
        } finally {
            this.pumping = false;
            if (this.isOver(this.trace))
                this.reader.cancel().catch(() => {}); // otherwise txtap would keep serving the stream
            this.tellSoon();
        }
    }

    /** Decodes the waiting bytes after the end of the stream. Then the trace's last events become known.
     *  @param {Trace} trace */
    async finish(trace) {
        while (this.pumping || (this.backlog.bytes > 0 && !this.isOver(trace)))
            await delay(TELL_EVERY_MS);
        trace.end();
        this.tell();
    }

    tellSoon() {
        const wait = this.told + TELL_EVERY_MS - performance.now();

        if (wait <= 0)
            this.tell();
        else
            this.timer ||= setTimeout(() => this.tell(), wait);
    }

    /** Tells the listeners about new events. */
    tell() {
        const { view, trace } = this;

        clearTimeout(this.timer);
        this.timer = undefined;
        this.told = performance.now();
        this.line.set({ waitingBytes: view.paused ? this.backlog.bytes : 0 });
        if (!this.failed)
            this.line.set({ problem: trace.problem });
        if (!trace.state().events)
            return;
        if (view.trace !== trace)
            this.showTrace();
        else
            view.grown();
        this.widen();
        this.measure();
    }

    /** Shows the new trace instead of the previous trace when the stream has its first events. */
    showTrace() {
        const { view } = this;
        const before = view.trace;

        view.set({ follow: true });
        view.open(this.trace); // the URL may name another place
        this.span = view.to - view.from;
        before?.close?.();
    }

    /** Widens the view with the history until the view has its initial length. */
    widen() {
        const { view } = this;
        const { hz } = this.trace.state();
        const all = view.extent();
        const wanted = Math.min(all.to - all.from, hz && !view.byEvent ? hz * FOLLOWED_SECONDS : Infinity);

        if (!view.follow || view.byEvent || view.to - view.from !== this.span || this.span >= wanted)
            return;
        view.show(all.to - wanted, all.to);
        this.span = view.to - view.from;
    }

    /** Determines whether the stream still delivers history, or the present. Works once a second, however often it is called. */
    measure() {
        const state = this.trace.state();
        const now = { seconds: performance.now() / 1000, ticks: state.to };

        if (now.seconds - this.measured.seconds < MEASURE_MS / 1000)
            return;
        this.line.set({ catchingUp: this.backlog.bytes > BACKLOG_PIECE_BYTES || isCatchingUp(this.measured, now, state.hz) });
        this.measured = now;
        if (this.mustAsk(state, now.seconds))
            this.learn(this.trace);
    }

    /** Reports whether txtap may know more: there are no events, or more events are lost, or a measured rate is more
     *  exact.
     *  @param {import('./decoder.js').TraceState} state @param {number} seconds now */
    mustAsk(state, seconds) {
        const losses = `${state.lost} ${state.earlier}`;

        if (state.hz && state.events && losses === this.askedLosses && seconds < this.rate.at)
            return false;
        this.askedLosses = losses;
        if (seconds >= this.rate.at) {
            this.rate.at = seconds + this.rate.wait;
            this.rate.wait = Math.min(this.rate.wait * 2, RATE_AGAIN_MOST);
        }
        return true;
    }

    /** Asks txtap for its counts and the rate. If the user did not give the rate, txtap measures it, more and more exactly. Until the
     *  rate is known, times are in ticks.
     *  @param {Trace} trace */
    async learn(trace) {
        const { hz, note, server } = await this.source.askState().catch(() => ({ hz: 0, note: '', server: undefined }));

        if (trace !== this.trace)
            return;
        if (server)
            this.line.set({ server });
        const known = trace.state().hz;

        // if another rate is known, the user has set it in the page
        if (!possibleRate(hz) || (known && known !== this.rate.hz))
            return;
        this.rate.hz = hz;
        this.view.set({ rateNote: note });
        if (hz === known)
            return;
        trace.setHz(hz);
        this.span = this.view.to - this.view.from;
        this.view.rateChanged();
    }
}
