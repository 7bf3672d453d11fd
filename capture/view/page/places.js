// SPDX-License-Identifier: MIT
/*
 * The view in the URL. The page writes it when the user stops moving, and reads it when the page opens or the hash changes.
 * Also holds the marked events.
 */
import { copyText, element } from './dom.js';
import { formatHash, parseHash } from './view_hash.js';

/** @typedef {import('./view_hash.js').Place} Place */

const WRITE_AFTER_MS = 250;

/** Time after which the history of a live target has arrived, in ms. */
const HISTORY_MS = 3000;

export class Places {
    /**
     * @param {import('./view_state.js').ViewState} view
     * @param {{query: () => string, find: (text: string) => void}} search the text of the search box, and a function to set it
     */
    constructor(view, search) {
        this.view = view;
        this.search = search;
        /** Numbers of marked events, sorted.
         *  @type {number[]} */
        this.marks = [];
        /** @type {Set<() => void>} called when the marks change */
        this.listeners = new Set();
        /** The place that the URL names, until the trace has it.
         *  @type {Place|null} */
        this.wanted = parseHash(location.hash);
        /** @typedef {ReturnType<typeof setTimeout>|undefined} Timer @type {Timer} */
        this.timer = undefined;
        /** @type {Timer} */
        this.patience = undefined;
        view.on((changed) => this.changed(changed));
        addEventListener('hashchange', () => {
            this.wanted = parseHash(location.hash);
            this.apply(true);
        });
    }

    /** @param {Set<string>} changed */
    changed(changed) {
        if (changed.has('trace'))
            this.traceChanged();
        else if (changed.has('data') || changed.has('loading'))
            this.apply(changed.has('loading') && !this.view.loading);
        if (!['view', 'selected', 'cursors', 'range', 'byEvent', 'panel', 'follow', 'search'].some((name) => changed.has(name)))
            return;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.write(), WRITE_AFTER_MS);
    }

    traceChanged() {
        clearTimeout(this.patience);
        if (!this.view.trace) {
            this.wanted = null; // it was a place of the previous trace
            this.setMarks([]);
            return;
        }
        if (this.wanted)
            this.patience = setTimeout(() => this.apply(!this.view.loading), HISTORY_MS);
        this.apply();
    }

    /** @returns {Place} */
    place() {
        const { view } = this;
        const { from, to } = view;
        const all = view.extent();
        const whole = from === all.from && to === all.to;

        return {
            view: view.follow || whole ? undefined : { from, to },
            byEvent: view.byEvent,
            event: view.trace && view.selected >= 0 ? view.trace.seq(view.selected) : -1,
            cursors: view.cursors,
            range: view.range ?? undefined,
            panel: view.panel,
            query: this.search.query(),
            marks: this.marks,
        };
    }

    write() {
        if (!this.view.trace || this.wanted)
            return;
        const hash = formatHash(this.place());

        if (hash === location.hash)
            return;
        try {
            history.replaceState(null, '', hash || location.pathname + location.search);
        } catch {
            // the page has no URL of its own, or there were too many changes in a short time: the next change tries again
        }
    }

    /**
     * Shows the place of the URL as soon as the trace has it. Leaves out parts that the trace can never have.
     * @param {boolean} [now] do not wait for more data
     */
    apply(now = false) {
        const { view, wanted } = this;
        const state = view.trace?.state();

        if (!wanted || !state?.events || !(now || state.ended || this.isThere(wanted, state)))
            return;
        clearTimeout(this.patience);
        this.wanted = null;
        if (wanted.byEvent !== undefined)
            view.setByEvent(wanted.byEvent);
        if (wanted.view) {
            view.set({ follow: false });
            view.show(wanted.view.from, wanted.view.to);
        }
        this.applyRest(wanted);
    }

    /** Reports whether the trace has the place. view.show() shows a view unchanged if its middle is in the trace.
     *  @param {Place} wanted @param {import('./decoder.js').TraceState} state */
    isThere({ view, byEvent, event = 0 }, state) {
        const { first, events, from, to, lastSeq } = state;
        const [start, end] = byEvent ? [first, first + events] : [from, to];

        return event <= lastSeq && (!view || ((view.from + view.to) / 2 <= end && view.to - view.from <= end - start));
    }

    /** @param {Place} wanted */
    applyRest(wanted) {
        const { view } = this;
        /** @type {Object<string, unknown>} */
        const values = {};

        for (const name of /** @type {const} */ (['cursors', 'range', 'panel']))
            if (wanted[name] !== undefined)
                values[name] = wanted[name];
        view.set(values);
        if (wanted.event !== undefined)
            this.selectNumber(wanted.event, !wanted.view);
        if (wanted.query)
            this.search.find(wanted.query);
        this.setMarks(wanted.marks ?? this.marks);
    }

    /** Selects the event with the number `seq`, if the trace holds it.
     *  @param {number} seq @param {boolean} reveal */
    selectNumber(seq, reveal) {
        const { trace } = this.view;
        const index = trace.indexOfSeq(seq);
        const event = trace.seq(index) === seq ? trace.event(index) : null;

        if (event)
            this.view.select(index, { row: event.row, reveal });
    }

    /** @param {number[]} marks */
    setMarks(marks) {
        this.marks = marks;
        for (const listener of this.listeners)
            listener();
        this.changed(new Set(['selected']));
    }

    /** Marks the selected event, or removes its mark. */
    toggleMark() {
        const { view } = this;

        if (!view.trace || view.selected < 0)
            return;
        const seq = view.trace.seq(view.selected);

        this.setMarks(this.marks.includes(seq) ? this.marks.filter((mark) => mark !== seq)
            : [...this.marks, seq].sort((a, b) => a - b));
    }

    /** @param {HTMLElement} button */
    async copyLink(button) {
        this.write();
        const copied = await copyText(location.href);

        button.textContent = copied ? 'Copied' : 'See the address bar';
        setTimeout(() => (button.textContent = 'Copy link'), 1500);
    }

    /** @returns {HTMLElement} the button of the header */
    linkButton() {
        const button = element('button', { type: 'button', id: 'copy_link', title: 'Copy a link to this view' }, 'Copy link');

        button.addEventListener('click', () => this.copyLink(button));
        return button;
    }
}
