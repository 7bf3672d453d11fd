// SPDX-License-Identifier: MIT
/*
 * The highest load of a core in a window of fixed length. It does not depend on the zoom or the size of the page. The trace is
 * examined in pieces. When it has grown, only the new part is examined. Pure.
 */

/** Length of the window: this part of a second, or this many ticks if the rate is not known. */
const WINDOW_SECONDS = 0.01;
const WINDOW_TICKS = 10_000;

/** A trace has at least this many windows; otherwise the window is a tenth as long. */
const WINDOWS_LEAST = 10;

/** Number of windows that one call examines: a few milliseconds. */
const WINDOWS_AT_ONCE = 20_000;

/** Returns the length of the window, in ticks: 10 ms, or 1 ms, 100 µs, ... in a short trace.
 *  @param {{from: number, to: number, hz: number}} state */
export function peakWindow({ from, to, hz }) {
    let window = hz ? hz * WINDOW_SECONDS : WINDOW_TICKS;

    while (window * WINDOWS_LEAST > to - from && window >= 10)
        window /= 10;
    return Math.max(1, Math.round(window));
}

export class LoadPeak {
    constructor() {
        /** @type {import('./decoder.js').Trace|null} */
        this.trace = null;
        this.window = 0;
        /** The busiest window of each core, by row.
         *  @type {Map<number, {from: number, busy: number, next: number, done: boolean}>} */
        this.cores = new Map();
    }

    /** Examines further windows.
     *  @param {import('./decoder.js').Trace} trace
     *  @returns {boolean} true: all windows were examined */
    update(trace) {
        const state = trace.state();
        const window = peakWindow(state);

        if (trace !== this.trace || window !== this.window) {
            this.trace = trace;
            this.window = window;
            this.cores.clear();
        }
        for (const { row } of trace.rows().filter(({ kind }) => kind === 'core'))
            this.updateCore(row, state.from);
        return [...this.cores.values()].every(({ done }) => done);
    }

    /** @param {number} row @param {number} first ticks of the oldest event: the busiest window may have been dropped */
    updateCore(row, first) {
        const known = this.cores.get(row);
        const before = known && known.from >= first ? known : { from: first, busy: 0, next: first };
        const found = this.trace.peak(row, this.window, before.next, WINDOWS_AT_ONCE);
        const best = found.busy > before.busy ? found : before;

        this.cores.set(row, { from: best.from, busy: best.busy, next: found.next, done: found.done });
    }

    /** Returns the busiest window of all cores; null: not known. isLeast: events are missing, so the peak may be higher.
     *  @returns {{load: number, from: number, window: number, isLeast: boolean}|null} */
    highest() {
        const [best] = [...this.cores.values()].sort((a, b) => b.busy - a.busy);

        return best && this.trace ? {
            load: best.busy / this.window, from: best.from, window: this.window,
            isLeast: this.trace.state().gaps > 0 || !best.done,
        } : null;
    }
}
