// SPDX-License-Identifier: MIT
/*
 * Steps from an event to the next or previous event: to any event, to an event of the same kind, of the same thread or
 * about the same object, or to an event that begins another context. Searches in pieces, since the event may be
 * millions of events away. Pure.
 */

/**
 * Kinds of steps, each with its text.
 * @typedef {'any'|typeof import('./abi.js').ALIKE_KINDS[number]} StepKind
 * @type {[kind: StepKind, words: string][]}
 */
export const STEP_KINDS = [['any', 'any event'], ['event', 'same event'], ['thread', 'same thread'], ['object', 'same object'],
    ['switch', 'context switch']];

/** Number of events to search per call: about a millisecond. */
const STEP_EVENTS = 20_000;

export class EventStep {
    /**
     * @param {import('./decoder.js').Trace} trace
     * @param {number} index of the event to start from
     * @param {StepKind} what
     * @param {boolean} forward
     */
    constructor(trace, index, what, forward) {
        this.trace = trace;
        this.index = index;
        this.what = what;
        this.forward = forward;
        this.at = index + (forward ? 1 : -1);
        /** The index of the found event, or -1. */
        this.found = -1;
    }

    /** Searches further events while goOn() returns true.
     *  @returns {boolean} true: the search has ended, and `found` is its result
     *  @param {() => boolean} goOn */
    scan(goOn) {
        while (goOn()) {
            const { first, events } = this.trace.state();

            if (this.at < first || this.at >= first + events)
                return true;
            this.found = this.what === 'any' ? this.at
                : this.trace.alike(this.index, this.what, this.forward, this.at, STEP_EVENTS);
            if (this.found >= 0)
                return true;
            this.at += this.forward ? STEP_EVENTS : -STEP_EVENTS;
        }
        return false;
    }
}
