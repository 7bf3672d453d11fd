// SPDX-License-Identifier: MIT
/*
 * The stream of a target that txtap follows. It is read always, also while the page is hidden or paused; when the server is
 * gone it is tried again each second. Each stream begins with the history that the server holds, so it is a trace of its own.
 * The one before stays on the screen until the new one has events, unless txtap was started again: then it has nothing to do
 * with the new one, and goes at once.
 */
import { Backlog, BACKLOG_BYTES_MOST, BACKLOG_PIECE_BYTES } from './backlog.js';
import { isCatchingUp } from './link_state.js';
import { errorText } from './plain_text.js';
import { possibleRate } from './tick_rate.js';
import { Slices } from './trace_reader.js';

/** @typedef {import('./decoder.js').Trace} Trace */

const RETRY_MS = 1000;

/** The answer of a server that has as many streams as it may have. */
const HTTP_UNAVAILABLE = 503;

/** The same when the decoder could not go on: it may well fail again, after all of the history. */
const RETRY_PROBLEM_MS = 30_000;

/** The trace's listeners hear of new events so often, at most. */
const TELL_EVERY_MS = 50;

/** A measured rate becomes more exact: it is asked for again after so many seconds, then twice as many, and so on. */
const RATE_AGAIN_SECONDS = 2;
const RATE_AGAIN_MOST = 3600;

/** What a page that follows shows at first, in seconds; without a rate all there is. */
const FOLLOWED_SECONDS = 1;

function timeOfDay() {
    return new Date().toTimeString().slice(0, 8);
}

/** The server is gone, or the way to it. */
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
     * @param {() => Promise<Trace>} openTrace a new one
     * @param {() => Promise<{hz: number, note: string}>} askRate ticks per second of the target's time stamps, 0 as long as it
     *     is not known; what is to be said of it
     */
    constructor(view, line, openTrace, askRate) {
        this.view = view;
        this.line = line;
        this.openTrace = openTrace;
        this.askRate = askRate;
        this.backlog = new Backlog();
        /** @type {Trace|null} */
        this.trace = null;
        /** Which start of txtap the stream is of; null: there was none yet.
         *  @type {string|null} */
        this.start = null;
        /** @type {ReadableStreamDefaultReader<Uint8Array>|null} */
        this.reader = null;
        this.pumping = false;
        /** The decoder failed: nothing more goes into its trace. */
        this.failed = false;
        this.told = 0;
        /** @type {ReturnType<typeof setTimeout>|undefined} */
        this.timer = undefined;
        this.span = 0;
        /** The rate that txtap said, and when it is asked again. */
        this.rate = { hz: 0, at: 0, wait: RATE_AGAIN_SECONDS };
        this.measured = { seconds: 0, ticks: 0 };
        view.on((changed) => changed.has('paused') && this.pump());
    }

    /** Never returns: a target may come back. */
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

    /** Reads a stream to its end; throws if there is no server, or it goes. */
    async readOnce() {
        const response = await fetch('stream', { cache: 'no-store' }).catch(linkLost);

        if (response.status === HTTP_UNAVAILABLE)
            throw new Error('txtap serves no more pages at a time: close one of them');
        if (!response.ok || !response.body)
            return;
        const trace = await this.openTrace();
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
        try {
            await this.readAll(response.body.getReader(), trace);
        } finally {
            await this.finish(trace);
        }
    }

    /** txtap was started again: nothing of the trace before is shown with the new one. */
    beginAgain() {
        const before = this.view.trace;

        this.view.open(null);
        before?.close?.();
        this.line.set({ startedAgain: timeOfDay() });
    }

    /** Reads no faster than the decoder takes it: what waits is bounded here, and by txtap on its side.
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

    /** Gives the decoder what is due, with pauses in which the page lives. */
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
                this.reader.cancel().catch(() => {}); // else txtap goes on serving it
            this.tellSoon();
        }
    }

    /** No more comes of this stream: its last events become known, once what waits has been taken.
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

    /** Others hear of what has come. */
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

    /** The stream's first events: another trace than the one before. */
    showTrace() {
        const { view } = this;
        const before = view.trace;

        view.set({ follow: true });
        view.open(this.trace); // the URL may want another place
        this.span = view.to - view.from;
        before?.close?.();
    }

    /** While the history is shorter than what is to be seen of it, the view grows with it. */
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

    /** Once a second: does history still come, or the present? */
    measure() {
        const state = this.trace.state();
        const now = { seconds: performance.now() / 1000, ticks: state.to };

        if (now.seconds - this.measured.seconds < 1)
            return;
        this.line.set({ catchingUp: this.backlog.bytes > BACKLOG_PIECE_BYTES || isCatchingUp(this.measured, now, state.hz) });
        this.measured = now;
        if (state.hz && now.seconds < this.rate.at)
            return;
        this.rate.at = now.seconds + this.rate.wait;
        this.rate.wait = Math.min(this.rate.wait * 2, RATE_AGAIN_MOST);
        this.learnRate(this.trace);
    }

    /** txtap measures the rate, if the user did not give it, and ever better: until then times are in ticks.
     *  @param {Trace} trace */
    async learnRate(trace) {
        const { hz, note } = await this.askRate().catch(() => ({ hz: 0, note: '' }));
        const known = trace.state().hz;

        if (!possibleRate(hz) || trace !== this.trace || (known && known !== this.rate.hz)) // in the page the user gave another one
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
