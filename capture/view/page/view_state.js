// SPDX-License-Identifier: MIT
/*
 * The state of the view: the visible part of the trace, the selection, the cursors. All parts of the page share one ViewState,
 * change it through its functions, and get notified of each change. It draws nothing and knows no elements.
 *
 *     const view = new ViewState();
 *     const forget = view.on((changed) => { if (changed.has('selected')) ... });
 *     view.open(trace);
 *     view.select(1234, { reveal: true });
 *
 * Two units. `from` and `to` are positions on the axis: ticks, or, in the sequential view (`byEvent`), indexes of events.
 * `range`, `cursors` and `hover.ticks` are always ticks; position() and ticksAt() convert.
 */

import { ALL_ROWS } from './row_choice.js';

/** @typedef {import('./decoder.js').Trace} Trace */

/** The closest zoom: this many ticks, or events, from edge to edge. */
const SPAN_LEAST = { ticks: 8, events: 4 };

/** The surroundings of a place that the user goes to: at least `seconds` on each side, and `events` events on one side.
 *  byEvent: number of events on each side in the sequential view. margin: room beyond the farthest of the `events`, as
 *  a factor of their distance. */
const AROUND = { seconds: 1e-3, events: 4, byEvent: 20, margin: 1.25 };

/** Maximum distance of the view's edges outside the trace, as a part of the view's width. */
const VIEW_BEYOND = 0.5;

/**
 * @typedef {{from: number, to: number}} Range in ticks, from < to
 * @typedef {{ticks: number, row: number, index: number, note: string, x: number, y: number}} Hover row -1: no row; note: of the
 *     flag under the pointer, or ''; index: event at the
 * pointer, or -1; x, y: of the pointer on the page
 */

export class ViewState {
    constructor() {
        /** @type {Trace|null} */
        this.trace = null;
        /** Edges of the visible part, on the axis. */
        this.from = 0;
        this.to = 1;
        /** True: the sequential view, in which each event has the same width. */
        this.byEvent = false;
        /** Index of the selected event, or -1. */
        this.selected = -1;
        /** The row in which the event was selected, or -1. */
        this.selectedRow = -1;
        /** @type {Hover|null} */
        this.hover = null;
        /** @type {(number|null)[]} two places to measure between, in ticks */
        this.cursors = [null, null];
        /** @type {Range|null} */
        this.range = null;
        /** True: the right edge stays at the newest event. */
        this.follow = false;
        /** @type {(() => Range)|null} the part of the axis that the view can show, if it is more than the trace */
        this.reach = null;
        /** Note about the trace's rate, or ''. */
        this.rateNote = '';
        /** True while a file is being read: more of the trace follows soon. */
        this.loading = false;
        /** True: the view shows the whole trace because nobody chose a part of it. While a file is read, the view grows with it. */
        this.whole = true;
        /** True: the page takes nothing new from the target's stream. */
        this.paused = false;
        /** @type {import('./search_hits.js').SearchHits|null} the hits of the current search */
        this.search = null;
        /** The user's choice of rows.
         *  @type {import('./row_choice.js').RowChoice} */
        this.rows = ALL_ROWS;
        /** @type {import('./why/panel_why.js').Why|null} the span that the panel "Why" explains */
        this.why = null;
        /** The open panel: a name of PANEL_NAMES in view_hash.js, or '' */
        this.panel = 'summary';
        /** @type {Set<(changed: Set<string>) => void>} */
        this.listeners = new Set();
    }

    /**
     * Calls `listener` after each change, with the names of the changed fields above. Other names: 'view' for from and to;
     * 'data' when the trace got new events or dropped its oldest events; 'hz' when its rate changed.
     * @param {(changed: Set<string>) => void} listener
     * @returns {() => void} unsubscribes
     */
    on(listener) {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }

    /** Opens another trace, or null. Shows all of it and clears the selection of the previous trace.
     *  @param {Trace|null} trace */
    open(trace) {
        Object.assign(this, { trace, selected: -1, selectedRow: -1, hover: null, cursors: [null, null], range: null, why: null });
        const all = this.extent();

        this.from = all.from;
        this.to = all.to;
        this.whole = true;
        this.tell(['trace', 'data', 'view', 'selected', 'hover', 'cursors', 'range', 'why']);
    }

    /**
     * Follows the newest event if the user wants this, or shows all of a file that is being read. A dropped event is no
     * longer selected. Call it after the trace got new events or dropped its oldest events.
     */
    grown() {
        const all = this.extent();
        const grows = this.whole && this.loading;
        const moves = (grows || this.follow) && this.to !== all.to;

        if (moves) {
            this.from = grows ? all.from : Math.max(all.from, all.to - Math.max(this.to - this.from, this.spanLeast()));
            this.to = all.to;
        }
        this.tell(moves ? ['data', 'view'] : ['data']);
        if (this.selected >= 0 && this.selected < this.trace.state().first)
            this.select(-1);
    }

    /** Notes that the trace's rate became known or changed: the texts of all times change. */
    rateChanged() {
        this.tell(['hz', 'data', 'view', 'selected']);
    }

    /** @param {Object<string, unknown>} values new values of fields of the view; throws for unknown names */
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

    /** Returns the whole trace, on the axis. Never empty.
     *  @returns {Range} */
    extent() {
        const state = this.trace ? this.trace.state() : null;
        const from = !state ? 0 : this.byEvent ? state.first : state.from;
        const to = !state ? 1 : this.byEvent ? state.first + state.events : state.to;

        return { from, to: Math.max(to, from + 1) };
    }

    /** Returns the part of the axis that the view can show.
     *  @returns {Range} */
    bounds() {
        return this.reach?.() ?? this.extent();
    }

    spanLeast() {
        return this.byEvent ? SPAN_LEAST.events : SPAN_LEAST.ticks;
    }

    /** Shows from..to of the axis, or the nearest range that the trace allows. Moving away from the newest event ends following.
     *  @param {number} from @param {number} to */
    show(from, to) {
        if (!Number.isFinite(from) || !Number.isFinite(to))
            return;
        const all = this.bounds();
        const most = Math.max((all.to - all.from) * 1.25, this.spanLeast());
        const span = Math.min(Math.max(to - from, this.spanLeast()), most);
        const middle = (from + to) / 2;
        const least = all.from - span * VIEW_BEYOND;
        const start = Math.max(least, Math.min(middle - span / 2, all.to + span * VIEW_BEYOND - span));

        this.whole = false;
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

    /** Shows the whole trace. */
    showAll() {
        const all = this.extent();

        this.show(all.from, all.to);
        this.whole = true;
    }

    /** Zooms with the position `at` fixed. factor 2: shows twice as much, 0.5: half as much.
     *  @param {number} at @param {number} factor */
    zoom(at, factor) {
        const span = this.to - this.from;
        const all = this.bounds();
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
     * Selects an event; -1: clears the selection.
     * @param {number} index
     * @param {{row?: number, reveal?: boolean}} [how] row: the row of the event; reveal: moves the view to the
     * event if it is outside, with a margin to the edges
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

    /** Selects an event at the user's request in the row that recorded it, and shows it. Ends following the newest event.
     *  @param {number} index */
    choose(index) {
        this.set({ follow: false });
        this.select(index, { row: this.trace.event(index)?.row ?? -1, reveal: true });
    }

    /** Shows the details of the selected event, if the user selected it in the picture or in the table and the panel shows nothing
     *  that the user asked for. */
    inspect() {
        if (this.selected >= 0 && this.panel === 'summary')
            this.set({ panel: 'selection' });
    }

    /**
     * Goes to an event at the user's request, as choose() does, and zooms in to its surroundings. Does not zoom out.
     * @param {number} index
     * @param {number} [ticks] the place to show, if it is not the event's own time
     */
    lookAt(index, ticks = this.trace.ticks(index)) {
        const { trace } = this;
        const { first, events, hz } = trace.state();
        const last = first + events - 1;
        /** @param {number} steps */
        const near = (steps) => trace.ticks(Math.min(Math.max(index + steps, first), last));
        const away = Math.max(Math.abs(ticks - trace.ticks(index)), Math.min(Math.abs(ticks - near(-AROUND.events)), Math.abs(near(AROUND.events) - ticks)));
        const half = Math.max((hz || 0) * AROUND.seconds, away * AROUND.margin);
        const { from, to } = this.byEvent ? { from: index - AROUND.byEvent, to: index + AROUND.byEvent } : { from: ticks - half, to: ticks + half };

        this.choose(index);
        if (to - from < this.to - this.from)
            this.show(from, to);
        else
            this.reveal(this.position(ticks));
    }

    /** Moves the view so that a position is well inside, but not beyond an end of the trace.
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

    /** Switches between the sequential view and the view of time. The middle of the view stays.
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

    /** Returns the position of a time on the axis.
     *  @param {number} ticks */
    position(ticks) {
        return this.byEvent && this.trace ? this.trace.index(ticks) : ticks;
    }

    /** Returns the time at a position of the axis.
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

    /** Returns the visible part, in ticks.
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
