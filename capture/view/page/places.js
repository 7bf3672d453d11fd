// SPDX-License-Identifier: MIT
/*
 * The view in the URL. The page writes it when the user stops moving, and reads it when the page opens or the hash changes.
 * Another place (isElsewhere()) becomes a new entry of the browser's history, so Back shows the previous place. Also holds the
 * marked events and their notes.
 */
import { copyText, element } from './dom.js';
import { fitsHash, formatHash, isElsewhere, noteText, parseHash } from './view_hash.js';

/**
 * @typedef {import('./view_hash.js').Place} Place
 * @typedef {import('./view_hash.js').Seen} Seen
 */

const WRITE_AFTER_MS = 250;

/** After this time, in ms, the history of a live target counts as complete, unless the page knows that history is
 *  missing. */
const HISTORY_MS = 3000;

export class Places {
    /**
     * @param {import('./view_state.js').ViewState} view
     * @param {{query: () => string, find: (text: string) => void}} search the text of the search box, and a function to set it
     * @param {() => boolean} [isBehind] reports whether a live stream still delivers history
     */
    constructor(view, search, isBehind = () => false) {
        this.view = view;
        this.search = search;
        this.isBehind = isBehind;
        /** Numbers of marked events, sorted.
         *  @type {number[]} */
        this.marks = [];
        /** Notes of marked events, by number.
         *  @type {Map<number, string>} */
        this.notes = new Map();
        /** The view for which the current entry of the history was made; null: not known yet.
         *  @type {Seen|null} */
        this.entry = null;
        /** @type {Set<() => void>} called when the marks or notes change */
        this.listeners = new Set();
        /** The place that the URL names, until the trace has it.
         *  @type {Place|null} */
        this.wanted = parseHash(location.hash);
        /** The part of the URL after # that the page has written or read last. If the URL has another, hashChanged() is about to be
         *  called. */
        this.hash = location.hash;
        /** @typedef {ReturnType<typeof setTimeout>|undefined} Timer @type {Timer} */
        this.timer = undefined;
        /** @type {Timer} */
        this.patience = undefined;
        view.on((changed) => this.changed(changed));
        addEventListener('hashchange', () => this.hashChanged());
    }

    /** Shows the place of the address after Back or Forward, or after the user changed the address. Back keeps the panel, the
     *  search, and the marks. */
    hashChanged() {
        const { panel, query, marks, notes, ...place } = parseHash(location.hash);
        const more = history.state?.txtap ? {} : { panel, query, marks, notes };

        this.entry = null;
        this.hash = location.hash;
        this.wanted = { byEvent: false, event: -1, cursors: [null, null], range: null, question: null, ...place, ...more };
        this.apply(true);
    }

    /** @param {Set<string>} changed */
    changed(changed) {
        if (changed.has('trace'))
            this.traceChanged();
        else if (changed.has('data') || changed.has('loading'))
            this.apply(changed.has('loading') && !this.view.loading);
        if (!['view', 'selected', 'cursors', 'range', 'byEvent', 'panel', 'follow', 'search', 'rows', 'why'].some((name) => changed.has(name)))
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
            this.waitForHistory();
        this.apply();
    }

    /** When the history has arrived, gives up the parts of the place that the trace does not have. */
    waitForHistory() {
        this.patience = setTimeout(() => {
            if (this.isBehind())
                this.waitForHistory();
            else
                this.apply(!this.view.loading);
        }, HISTORY_MS);
    }

    /** @returns {Place} */
    place() {
        const { view } = this;
        const { from, to } = view;
        const all = view.extent();
        const whole = from === all.from && to === all.to;
        const event = view.trace && view.selected >= 0 ? view.trace.seq(view.selected) : -1;

        return {
            view: view.follow || (whole && event < 0) ? undefined : { from, to },
            byEvent: view.byEvent,
            event,
            cursors: view.cursors,
            range: view.range ?? undefined,
            panel: view.panel,
            query: this.search.query(),
            marks: this.marks,
            notes: this.notes,
            rows: view.rows,
            question: view.why?.question,
        };
    }

    write() {
        const { view } = this;

        if (!view.trace || this.wanted || this.hash !== location.hash)
            return;
        const hash = formatHash(this.place());
        const { from, to, byEvent, follow, whole } = view;
        const now = { from, to, byEvent, follow, whole };
        const another = this.entry !== null && isElsewhere(this.entry, now);

        if (hash === location.hash && this.entry)
            return;
        try {
            history[another ? 'pushState' : 'replaceState']({ txtap: true }, '', hash || location.pathname + location.search);
            this.hash = location.hash;
            this.entry = another ? now : this.entry ?? now;
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
        } else if (wanted.event === -1) {
            this.showDefault(state);
        }
        this.applyRest(wanted);
        this.write(); // now: a move of the user within WRITE_AFTER_MS must be another entry
    }

    /** Shows the view of a page without a place: the newest events of a target, or the whole trace.
     *  @param {import('./decoder.js').TraceState} state */
    showDefault(state) {
        const { view } = this;
        const { to } = view.extent();

        if (state.ended || view.loading) {
            view.showAll();
        } else if (!view.follow) {
            view.show(to - (view.to - view.from), to);
            view.set({ follow: true });
        }
    }

    /** Reports whether the trace has the place. view.show() shows a view unchanged if its middle is in the trace.
     *  @param {Place} wanted @param {import('./decoder.js').TraceState} state */
    isThere({ view, byEvent, event = 0, question }, state) {
        const { first, events, from, to, lastSeq } = state;
        const [start, end] = byEvent ? [first, first + events] : [from, to];

        return Math.max(event, question?.event ?? 0) <= lastSeq && (question?.ticks ?? 0) <= to && (!view || ((view.from + view.to) / 2 <= end && view.to - view.from <= end - start));
    }

    /** @param {Place} wanted */
    applyRest(wanted) {
        const { view } = this;
        /** @type {Object<string, unknown>} */
        const values = {};

        for (const name of /** @type {const} */ (['cursors', 'range', 'panel', 'rows']))
            if (wanted[name] !== undefined)
                values[name] = wanted[name];
        if (wanted.question !== undefined)
            values.why = wanted.question && { question: wanted.question, answer: null, piece: -1, problem: '' };
        view.set(values);
        if (wanted.event !== undefined)
            this.selectNumber(wanted.event, !wanted.view);
        if (wanted.query)
            this.search.find(wanted.query);
        this.setMarks(wanted.marks ?? this.marks, wanted.notes ?? this.notes);
    }

    /** Selects the event with the number `seq`, if the trace holds it; -1: selects nothing.
     *  @param {number} seq @param {boolean} goThere show its surroundings */
    selectNumber(seq, goThere) {
        const { view } = this;
        const index = seq < 0 ? -1 : view.trace.indexOfSeq(seq);
        const event = index >= 0 && view.trace.seq(index) === seq ? view.trace.event(index) : null;

        if (event && goThere)
            view.lookAt(index);
        else if (event || seq < 0)
            view.select(index, { row: event?.row });
    }

    /** @param {number[]} marks @param {Map<number, string>} [notes] */
    setMarks(marks, notes = this.notes) {
        this.marks = marks;
        this.notes = new Map([...notes].filter(([seq]) => marks.includes(seq)));
        for (const listener of this.listeners)
            listener();
        this.changed(new Set(['selected']));
    }

    /** Marks the selected event, or removes its mark. */
    toggleMark() {
        const { view } = this;

        if (!view.trace || view.selected < 0)
            return;
        this.mark(view.trace.seq(view.selected), !this.marks.includes(view.trace.seq(view.selected)));
    }

    /** Marks an event, or removes its mark and its note.
     *  @param {number} seq @param {boolean} on */
    mark(seq, on) {
        this.setMarks(on ? [...new Set([...this.marks, seq])].sort((a, b) => a - b) : this.marks.filter((mark) => mark !== seq));
    }

    /** Sets the note of an event, and marks the event; '' removes the note.
     *  @param {number} seq @param {string} typed @returns {boolean} false: the link has no room for the note */
    setNote(seq, typed) {
        const notes = new Map(this.notes);
        const note = noteText(typed);

        notes.delete(seq);
        if (note)
            notes.set(seq, note);
        if (note && !fitsHash({ ...this.place(), notes }))
            return false;
        this.notes = notes;
        this.mark(seq, true);
        return true;
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
