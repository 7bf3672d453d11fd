// SPDX-License-Identifier: MIT
/*
 * The hits of a search in progress. The search starts at the user's view, goes to the end of the trace, and then searches the
 * part before the start. It also searches events that arrive later. Each call of scan() does a limited piece of work. Pure.
 */

/** Maximum number of kept hits. The search pauses at this number until the trace drops events with hits. */
export const HITS_MOST = 200_000;

/** Number of events per request for the next candidate: a fraction of a millisecond. */
const PIECE_EVENTS = 128;

export class SearchHits {
    /**
     * @param {import('./decoder.js').Trace} trace
     * @param {(index: number) => boolean} matches is the event a hit?
     * @param {number} start index of the first event to search
     * @param {(from: number, to: number) => number} [candidate] the first event from `from` to `to` - 1 that may be a hit;
     * `to`: no event
     */
    constructor(trace, matches, start, candidate = (from) => from) {
        const state = trace.state();

        this.trace = trace;
        this.matches = matches;
        this.candidate = candidate;
        this.start = Math.min(Math.max(start, state.first), state.first + state.events);
        /** The next event to search after the start, and the next event to search before it. */
        this.ahead = this.start;
        this.behind = state.first;
        /** Hits from the start on, sorted.
         *  @type {number[]} */
        this.later = [];
        /** Hits before the start.
         *  @type {number[]} */
        this.earlier = [];
    }

    get count() {
        return this.later.length + this.earlier.length;
    }

    isFull() {
        return this.count >= HITS_MOST;
    }

    end() {
        const state = this.trace.state();

        return state.first + state.events;
    }

    isDone() {
        return !this.hasDropped() && (this.isFull() || this.hasSeenAll());
    }

    hasSeenAll() {
        return this.ahead >= this.end() && this.behind >= this.start;
    }

    /** Does the trace no longer hold some of the hits? */
    hasDropped() {
        return (this.earlier[0] ?? this.later[0]) < this.trace.state().first;
    }

    /** Returns the searched part of the trace, 0 to 1. */
    part() {
        const state = this.trace.state();
        const left = Math.max(0, this.end() - Math.max(this.ahead, state.first)) +
            Math.max(0, this.start - Math.max(this.behind, state.first));

        return state.events ? 1 - left / state.events : 1;
    }

    /**
     * Removes hits whose events were dropped, and searches further events while goOn() returns true.
     * @param {() => boolean} goOn called from time to time
     */
    scan(goOn) {
        const first = this.trace.state().first;
        const end = this.end();

        this.ahead = Math.max(this.ahead, first);
        this.behind = Math.max(this.behind, first);
        for (const list of [this.earlier, this.later])
            list.splice(0, placeIn(list, first));
        for (let steps = 0; !this.isFull() && (steps & 15 || goOn()); steps++) {
            if (this.ahead < end)
                this.ahead = this.look(this.ahead, end, this.later);
            else if (this.behind < this.start)
                this.behind = this.look(this.behind, this.start, this.earlier);
            else
                break;
        }
    }

    /** Searches the next piece for a hit.
     *  @returns {number} index of the next event to search
     *  @param {number} from @param {number} end @param {number[]} list */
    look(from, end, list) {
        const to = Math.min(from + PIECE_EVENTS, end);
        const index = this.candidate(from, to);

        if (index >= to)
            return to;
        if (this.matches(index))
            list.push(index);
        return index + 1;
    }

    /** @param {number} index */
    has(index) {
        const list = index >= this.start ? this.later : this.earlier;
        const at = placeIn(list, index);

        return list[at] === index;
    }

    /** Returns the nearest hit after or before an event; -1: no known hit.
     *  @param {number} index @param {boolean} forward */
    next(index, forward) {
        const at = forward ? placeIn(this.later, index + 1) : placeIn(this.earlier, index) - 1;

        if (forward) {
            const before = this.earlier[placeIn(this.earlier, index + 1)];

            return before ?? this.later[at] ?? -1;
        }
        return this.later[placeIn(this.later, index) - 1] ?? this.earlier[at] ?? -1;
    }

    /** Returns at most `most` hits in order, starting with rank `from`.
     *  @param {number} most @param {number} [from] */
    list(most, from = 0) {
        const first = this.earlier.slice(from, from + most);
        const behind = Math.max(0, from - this.earlier.length);

        return [...first, ...this.later.slice(behind, behind + most - first.length)];
    }

    /** Returns the number of hits before this event.
     *  @param {number} index */
    rank(index) {
        return placeIn(this.earlier, index) + placeIn(this.later, index);
    }

    /**
     * Returns the columns of the axis that have a hit.
     * @param {number} from left edge, in ticks, or in events if byEvent
     * @returns {Uint8Array} 1: the column has a hit
     * @param {number} to @param {number} count @param {boolean} byEvent
     */
    columns(from, to, count, byEvent) {
        const columns = new Uint8Array(count);
        const scale = count / (to - from);
        const first = byEvent ? Math.floor(from) : this.trace.index(Math.max(from, 0));

        for (const list of [this.earlier, this.later])
            for (let at = placeIn(list, first); at < list.length;) {
                const position = byEvent ? list[at] + 0.5 : this.trace.ticks(list[at]);
                const column = Math.floor((position - from) * scale);

                if (column >= count)
                    break;
                if (column >= 0)
                    columns[column] = 1;
                at = this.behindColumn(list, at, from + (column + 1) / scale, byEvent);
            }
        return columns;
    }

    /** Returns the next hit in another column: thousands of hits may be in one column.
     *  @param {number[]} list @param {number} at @param {number} edge @param {boolean} byEvent */
    behindColumn(list, at, edge, byEvent) {
        const index = byEvent ? Math.ceil(edge - 0.5) : this.trace.index(Math.max(edge, 0));

        return Math.max(at + 1, placeIn(list, index));
    }
}

/** Returns the index of the first element of a sorted list that is not smaller than `number`.
 *  @param {number[]} list @param {number} number */
function placeIn(list, number) {
    let low = 0;
    let high = list.length;

    while (low < high) {
        const middle = (low + high) >> 1;

        if (list[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
