// SPDX-License-Identifier: MIT
/*
 * What the user looks at: the part of the trace that is shown, what is selected, the cursors. All parts of the page share
 * one of these, change it through its functions, and hear of each change. It draws nothing and knows no element.
 *
 *     const view = new ViewState();
 *     const forget = view.on((changed) => { if (changed.has('selected')) ... });
 *     view.open(trace);
 *     view.select(1234, { reveal: true });
 *
 * Two units. `from` and `to` are positions on the axis: ticks, or, in the sequential view (`byEvent`), indexes of events.
 * `range`, `cursors` and `hover.ticks` are always ticks; position() and ticksAt() convert.
 */

/** @typedef {import('./decoder.js').Trace} Trace */

/** The closest zoom: this many ticks, or events, from edge to edge. */
const SPAN_LEAST = { ticks: 8, events: 4 };

/** How far the view may go beyond the trace, as a part of its own width. */
const VIEW_BEYOND = 0.5;

/**
 * @typedef {{from: number, to: number}} Range in ticks, from < to
 * @typedef {{ticks: number, row: number, index: number, x: number, y: number}} Hover row -1: none; index: of the event that is
 *     meant, or -1; x, y: of the pointer on the page
 */

export class ViewState {
    constructor() {
        /** @type {Trace|null} */
        this.trace = null;
        /** Edges of what is shown, on the axis. */
        this.from = 0;
        this.to = 1;
        /** The sequential view: each event is equally wide. */
        this.byEvent = false;
        /** Index of the selected event, or -1. */
        this.selected = -1;
        /** The row in which it was selected, or -1. */
        this.selectedRow = -1;
        /** @type {Hover|null} */
        this.hover = null;
        /** @type {(number|null)[]} two places to measure between, in ticks */
        this.cursors = [null, null];
        /** @type {Range|null} */
        this.range = null;
        /** The right edge stays at the newest event. */
        this.follow = false;
        /** What is to be said of the trace's rate, or ''. */
        this.rateNote = '';
        /** A file is being read: more of it comes soon. */
        this.loading = false;
        /** Nothing new is taken from the target's stream. */
        this.paused = false;
        /** @type {import('./search_hits.js').SearchHits|null} the hits of the search that goes on */
        this.search = null;
        /** Which panel is open: 'summary', 'range', 'search' or '' */
        this.panel = 'summary';
        /** @type {Set<(changed: Set<string>) => void>} */
        this.listeners = new Set();
    }

    /**
     * Calls `listener` after each change, with the names of what changed: the fields above, 'view' for from and to,
     * 'data' when the trace got more or lost its oldest events, 'hz' when its rate did.
     * @param {(changed: Set<string>) => void} listener
     * @returns {() => void} ends it
     */
    on(listener) {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }

    /** Another trace, or null: shows it whole, and forgets what was selected in the one before.
     *  @param {Trace|null} trace */
    open(trace) {
        Object.assign(this, { trace, selected: -1, selectedRow: -1, hover: null, cursors: [null, null], range: null });
        const all = this.extent();

        this.from = all.from;
        this.to = all.to;
        this.tell(['trace', 'data', 'view', 'selected', 'hover', 'cursors', 'range']);
    }

    /**
     * The trace got more events, or dropped its oldest: to be called after each. Follows the newest if that is wanted. An event
     * that was dropped is no longer selected.
     */
    grown() {
        const all = this.extent();
        const moves = this.follow && this.to !== all.to;

        if (moves) {
            this.from = Math.max(all.from, all.to - Math.max(this.to - this.from, this.spanLeast()));
            this.to = all.to;
        }
        this.tell(moves ? ['data', 'view'] : ['data']);
        if (this.selected >= 0 && this.selected < this.trace.state().first)
            this.select(-1);
    }

    /** The trace's rate became known, or is another one: every time has another text. */
    rateChanged() {
        this.tell(['hz', 'data', 'view', 'selected']);
    }

    /** @param {Object<string, unknown>} values of fields of this; unknown names are refused */
    set(values) {
        /** @type {Object<string, unknown>} */
        const fields = /** @type {any} */ (this);
        const changed = Object.keys(values).filter((name) => fields[name] !== values[name]);

        for (const name of changed) {
            if (name === 'byEvent' || name === 'trace' || !Object.hasOwn(this, name))
                throw new Error(`view.set: ${name}`);
            fields[name] = values[name];
        }
        if (changed.includes('from') || changed.includes('to'))
            changed.push('view');
        if (changed.length)
            this.tell(changed);
    }

    /** All there is, on the axis. Never empty.
     *  @returns {Range} */
    extent() {
        const state = this.trace ? this.trace.state() : null;
        const from = !state ? 0 : this.byEvent ? state.first : state.from;
        const to = !state ? 1 : this.byEvent ? state.first + state.events : state.to;

        return { from, to: Math.max(to, from + 1) };
    }

    spanLeast() {
        return this.byEvent ? SPAN_LEAST.events : SPAN_LEAST.ticks;
    }

    /** Shows from..to of the axis, or as near to it as the trace allows. Who looks elsewhere no longer follows.
     *  @param {number} from @param {number} to */
    show(from, to) {
        if (!Number.isFinite(from) || !Number.isFinite(to))
            return;
        const all = this.extent();
        const most = Math.max((all.to - all.from) * 1.25, this.spanLeast());
        const span = Math.min(Math.max(to - from, this.spanLeast()), most);
        const middle = (from + to) / 2;
        const least = all.from - span * VIEW_BEYOND;
        const start = Math.max(least, Math.min(middle - span / 2, all.to + span * VIEW_BEYOND - span));

        if (start === this.from && start + span === this.to)
            return;
        this.from = start;
        this.to = start + span;
        if (this.follow && this.to < all.to) {
            this.follow = false;
            this.tell(['view', 'follow']);
        } else {
            this.tell(['view']);
        }
    }

    /** All of the trace. */
    showAll() {
        const all = this.extent();

        this.show(all.from, all.to);
    }

    /** Zooms with the position `at` staying where it is; factor 2: twice as much is shown, 0.5: half as much.
     *  @param {number} at @param {number} factor */
    zoom(at, factor) {
        const span = this.to - this.from;
        const all = this.extent();
        const wanted = Math.min(Math.max(span * factor, this.spanLeast()),
            Math.max((all.to - all.from) * 1.25, this.spanLeast()));
        const share = (at - this.from) / span;

        this.show(at - wanted * share, at + wanted * (1 - share));
    }

    /** Moves by `delta`, in units of the axis.
     *  @param {number} delta */
    pan(delta) {
        this.show(this.from + delta, this.to + delta);
    }

    /**
     * Selects an event; -1: none.
     * @param {number} index
     * @param {{row?: number, reveal?: boolean}} [how] row: in which it is looked at; reveal: moves the view there if it is
     *     outside, and a little off the edges
     */
    select(index, how = {}) {
        const row = how.row ?? -1;

        if (index !== this.selected || row !== this.selectedRow) {
            this.selected = index;
            this.selectedRow = row;
            this.tell(['selected']);
        }
        if (how.reveal && index >= 0 && this.trace)
            this.reveal(this.byEvent ? index + 0.5 : this.trace.ticks(index));
    }

    /** Selects an event that the user asked for, where it was recorded, and shows it: the newest is no longer followed.
     *  @param {number} index */
    choose(index) {
        this.set({ follow: false });
        this.select(index, { row: this.trace.event(index)?.row ?? -1, reveal: true });
    }

    /** Moves the view so far that a position is well inside; not over an end of the trace for that.
     *  @param {number} at */
    reveal(at) {
        const span = this.to - this.from;
        const edge = span * 0.1;
        const all = this.extent();
        const least = Math.min(all.from, this.from);
        const most = Math.max(all.to - span, this.from);

        if (at < this.from + edge)
            this.show(Math.max(at - span / 2, least), Math.max(at - span / 2, least) + span);
        else if (at > this.to - edge)
            this.show(Math.min(at - span / 2, most), Math.min(at - span / 2, most) + span);
    }

    /** The sequential view, or that of time: what is in the middle stays there.
     *  @param {boolean} on */
    setByEvent(on) {
        if (on === this.byEvent)
            return;
        const from = this.ticksAt(this.from);
        const to = this.ticksAt(this.to);

        this.byEvent = on;
        this.from = this.position(from);
        this.to = Math.max(this.position(to), this.from + this.spanLeast());
        this.tell(['byEvent', 'view']);
    }

    /** Where on the axis a time is.
     *  @param {number} ticks */
    position(ticks) {
        return this.byEvent && this.trace ? this.trace.index(ticks) : ticks;
    }

    /** The time at a position of the axis.
     *  @param {number} position */
    ticksAt(position) {
        if (!this.byEvent || !this.trace)
            return position;
        const state = this.trace.state();
        const index = Math.floor(position);

        if (index < state.first)
            return state.from;
        return index >= state.first + state.events ? state.to : this.trace.ticks(index);
    }

    /** What is shown, in ticks.
     *  @returns {Range} */
    shown() {
        return { from: this.ticksAt(this.from), to: this.ticksAt(this.to) };
    }

    /** @param {string[]} names */
    tell(names) {
        const changed = new Set(names);

        for (const listener of this.listeners)
            listener(changed);
    }
}
