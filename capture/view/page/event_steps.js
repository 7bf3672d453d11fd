// SPDX-License-Identifier: MIT
/*
 * From an event to the next one, or the one before: any, of the same kind, of the same thread, about the same object, or at
 * which another context begins. Looks in pieces, since the next one may be millions of events away. Pure.
 */

/** What a step can go to: name, words for it. */
export const STEP_KINDS = [['any', 'any event'], ['event', 'same event'], ['thread', 'same thread'], ['object', 'same object'],
    ['switch', 'context switch']];

/** Who recorded an event: a thread, or an interrupt, which is not the thread that it found. */
function contextKey(event) {
    return event.context === 'thread' ? event.thread : event.context;
}

/** The object that an event is about is its first word, as in TraceX; of events without words there is none. */
function objectKey(event) {
    const first = event.info?.[0];

    return first ? `${first}` : '';
}

/** @returns {(event: object, before: () => object|null) => boolean} does a step go to this event? */
function stepTest(what, from) {
    switch (what) {
    case 'event':
        return (event) => event.id === from.id;
    case 'thread':
        return (event) => contextKey(event) === contextKey(from);
    case 'object':
        return (event) => objectKey(from) !== '' && objectKey(event) === objectKey(from);
    case 'switch':
        return (event, before) => before() !== null && contextKey(event) !== contextKey(before());
    default:
        return () => true;
    }
}

export class EventStep {
    /**
     * @param {object} trace
     * @param {number} index of the event to start from
     * @param {string} what of STEP_KINDS
     */
    constructor(trace, index, what, forward) {
        this.trace = trace;
        this.by = forward ? 1 : -1;
        this.at = index + this.by;
        /** The event that was found, or -1. */
        this.found = -1;
        const from = trace.event(index);

        this.test = from ? stepTest(what, from) : () => true;
    }

    /** Looks at further events while `goOn` says so. @returns {boolean} the step has ended: see found */
    scan(goOn) {
        for (let steps = 0; steps & 63 || goOn(); steps++) {
            const state = this.trace.state();

            if (this.at < state.first || this.at >= state.first + state.events)
                return true;
            const at = this.at;
            const before = () => (at > state.first ? this.trace.event(at - 1) : null);

            this.at += this.by;
            if (this.test(this.trace.event(at), before)) {
                this.found = at;
                return true;
            }
        }
        return false;
    }
}
