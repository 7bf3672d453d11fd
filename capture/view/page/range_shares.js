// SPDX-License-Identifier: MIT
/*
 * The states of the threads and of the processor in a part of the time, to the tick. They are sums over the timeline's own
 * rows, so they agree with the picture at any zoom and are cheap. Every share is a share of the selected time. Pure.
 */

/** @typedef {import('./decoder.js').Trace} Trace */

/** Returns the number of events in a report from `from` to `to`, both inclusive.
 *  @param {Trace} trace @param {{from: number, to: number}} of */
export function eventsIn(trace, { from, to }) {
    return Math.max(0, trace.index(to + 1) - trace.index(from));
}

/** States of a thread, in display order.
 *  @type {ShareState[]} */
export const SHARE_STATES = ['running', 'interrupted', 'ready', 'blocked', 'init', 'unknown'];

/**
 * @typedef {'running'|'interrupted'|'ready'|'blocked'|'init'|'unknown'} ShareState
 * @param {Trace} trace
 * @param {number} from ticks
 * @param {number} to ticks
 * @returns {{row: import('./decoder.js').TraceRow, parts: Map<ShareState, number>}[]} the nonzero shares of each thread,
 * sorted by running time, longest first. Threads whose states are all unknown are left out
 */
export function stateShares(trace, from, to) {
    const { start, span } = within(trace, from, to);

    if (!(span > 0))
        return [];
    return trace.rows().filter((row) => row.kind === 'thread').map((row) => {
        const sums = trace.sums(row.row, start, start + span);
        /** @type {Map<ShareState, number>} */
        const parts = new Map();

        for (const name of SHARE_STATES)
            if (sums[name] > 0)
                parts.set(name, sums[name] / span);
        return { row, parts };
    }).filter(({ parts }) => parts.size > 0 && (parts.get('unknown') ?? 0) < 1)
        .sort((a, b) => (b.parts.get('running') ?? 0) - (a.parts.get('running') ?? 0) ||
            (b.parts.get('ready') ?? 0) - (a.parts.get('ready') ?? 0));
}

/** Returns the selected time that the trace has, in whole ticks.
 *  @param {Trace} trace @param {number} from @param {number} to */
function within(trace, from, to) {
    const state = trace.state();
    const start = Math.round(Math.max(from, state.from));

    return { start, span: Math.round(Math.min(to, state.to)) - start };
}

/**
 * Returns the shares of the processor that no thread had, and the unknown share. With several cores each core counts as 1.
 * @typedef {{isr: number, init: number, idle: number, unknown: number, cores: number}} CoreShares
 * @param {Trace} trace
 * @param {number} from ticks
 * @param {number} to ticks
 * @returns {CoreShares}
 */
export function coreShares(trace, from, to) {
    const { start, span } = within(trace, from, to);
    const cores = trace.rows().filter((row) => row.kind === 'core');
    const shares = { isr: 0, init: 0, idle: 0, unknown: 0, cores: cores.length };

    for (const { row } of span > 0 ? cores : []) {
        const sums = trace.sums(row, start, start + span);

        for (const name of /** @type {const} */ (['isr', 'init', 'idle', 'unknown']))
            shares[name] += sums[name] / span;
    }
    return shares;
}
