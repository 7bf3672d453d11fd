// SPDX-License-Identifier: MIT
/*
 * From an event to the next one, or the one before: any, of the same kind, of the same thread, about the same object, or at
 * which another context begins. Looks in pieces, since the next one may be millions of events away. Pure.
 */

/**
 * What a step can go to: name, words for it.
 * @typedef {'any'|typeof import('./abi.js').ALIKE_KINDS[number]} StepKind
 * @type {[kind: StepKind, words: string][]}
 */
export const STEP_KINDS = [['any', 'any event'], ['event', 'same event'], ['thread', 'same thread'], ['object', 'same object'],
    ['switch', 'context switch']];

/** Events that are looked at before the page may want something else: about a millisecond. */
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
        /** The event that was found, or -1. */
        this.found = -1;
    }

    /** Looks at further events while `goOn` says so.
     *  @returns {boolean} the step has ended: see found
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
