// SPDX-License-Identifier: MIT
/*
 * The panel's reports: of the whole trace (summary) and of the selected range. A report is computed in slices, when the
 * panel is seen and what it is of stands still; what the timeline's rows know of a range is shown at once.
 */
import { element, fill } from './dom.js';
import { countsBlock, networkBlock, notesBlock, sharesBlock, spansBlock, stacksBlock, statesBlock, waitsBlock, worstBlock } from './figure_blocks.js';
import { errorText } from './plain_text.js';
import { eventsIn } from './range_shares.js';
import { droppedText, rowsNote } from './report_model.js';
import { reportInSlices } from './report_slices.js';
import { rateForm } from './tick_rate.js';
import { formatMoment, formatNumber, formatSpan } from './units.js';

/**
 * @typedef {import('./view_state.js').Range} Range
 * @typedef {import('./decoder.js').TraceState} TraceState
 * @typedef {import('./report_model.js').Report} Report
 */

/** The range stands still when it did not change for so long. */
const REPORT_SETTLED_MS = 60;

/** What an event costs, in ms, before one was measured. */
const EVENT_MS = 0.001;

/** A report of more events measures that. */
const EVENTS_MEASURED = 100_000;

/** The summary of a trace that grows is computed again after this many ms, and this many times what it takes. */
const SUMMARY_AGAIN_MS = 5000;
const SUMMARY_AGAIN_TIMES = 20;

/** @param {number} events */
function computing(events) {
    return element('p', { class: 'hint', role: 'status' }, `Computing ${formatNumber(events)} events…`);
}

export class ReportPanel {
    /**
     * @param {import('./view_state.js').ViewState} view
     * @param {HTMLElement} panel
     * @param {'summary'|'range'} name
     */
    constructor(view, panel, name) {
        this.view = view;
        this.panel = panel;
        this.name = name;
        /** What the panel shows: computed again if this changes. */
        this.key = '';
        /** The report that is being computed: another one ends it. */
        this.run = null;
        this.frame = 0;
        this.computed = { at: -Infinity, events: 0 };
        this.eventMs = EVENT_MS;
        this.timer = 0;
        panel.classList.add('report');
        view.on((changed) => this.changed(changed));
        this.soon();
    }

    /** @param {Set<string>} changed */
    changed(changed) {
        if (changed.has('trace') || changed.has('hz')) {
            this.key = '';
            this.run = null;
            this.computed = { at: -Infinity, events: 0 };
        }
        if (changed.has('range') && this.name === 'range')
            this.rangeChanged();
        if (['trace', 'data', 'range', 'panel', 'loading'].some((name) => changed.has(name)))
            this.soon();
    }

    soon() {
        if (this.view.panel !== this.name || document.hidden)
            return;
        if (this.name === 'range')
            clearTimeout(this.timer);
        else if (this.timer)
            return;
        this.timer = setTimeout(() => {
            this.timer = 0;
            this.update();
        }, REPORT_SETTLED_MS);
    }

    /** While the range is dragged, its shares go along. */
    rangeChanged() {
        this.run = null;
        this.key = '';
        this.frame ||= requestAnimationFrame(() => {
            const { range, trace } = this.view;

            this.frame = 0;
            if (range && trace?.state().events && this.view.panel === this.name && this.key === '')
                this.showShares(range);
        });
    }

    /** @returns {{from: number, to: number}|null} what the report is of; null: nothing */
    part() {
        const { view } = this;

        if (this.name === 'range')
            return view.range;
        const state = view.trace.state();

        return { from: state.from, to: state.to };
    }

    update() {
        const { view } = this;
        const state = view.trace?.state();
        const part = state?.events ? this.part() : null;

        if (!part) {
            this.key = '';
            fill(this.panel, this.emptyText(state));
            return;
        }
        const key = this.name === 'range' ? `${part.from} ${part.to} ${state.to >= part.to}` : `${state.version}`;

        if (key === this.key || this.panel.querySelector('input:focus') || !this.isDue(state))
            return;
        this.key = key;
        this.begin(part, state);
    }

    /** @param {TraceState|undefined} state */
    emptyText(state) {
        const words = this.name === 'range' && state?.events
            ? ['Drag on the time axis, or press Shift and drag in the picture, to choose a range. ', element('kbd', {}, 'r'),
                ' chooses what lies between the cursors, or what is seen.']
            : ['No events yet.'];

        return element('p', { class: 'hint' }, ...words);
    }

    /** A trace that grows is not summed up at each event.
     *  @param {TraceState} state */
    isDue(state) {
        if (this.view.loading)
            return false;
        if (this.name === 'range' || state.ended)
            return true;
        const passed = performance.now() - this.computed.at;
        const wait = Math.max(SUMMARY_AGAIN_MS, state.events * this.eventMs * SUMMARY_AGAIN_TIMES);

        if (passed >= wait)
            return true;
        this.timer ||= setTimeout(() => {
            this.timer = 0;
            this.update();
        }, wait - passed);
        return false;
    }

    /** @param {Range} part @param {TraceState} state */
    async begin(part, state) {
        const { trace } = this.view;
        const run = (this.run = {});
        const isWanted = () => this.run === run && trace === this.view.trace && this.view.panel === this.name;
        const range = this.name === 'range';

        if (range)
            this.showShares(part);
        else if (this.computed.events === 0)
            fill(this.panel, computing(state.events));
        this.computed = { at: performance.now(), events: state.events };
        try {
            const done = await reportInSlices(trace, range ? part.from : 0, range ? part.to : Infinity, isWanted);

            if (done)
                this.finish(done, part, state);
            else if (this.run === run)
                this.key = ''; // the panel was left: again when it is seen
        } catch (error) {
            fill(this.panel, element('p', { class: 'problem', role: 'alert' }, `no report: ${errorText(error)}`));
        }
    }

    /** @param {{report: Report, ms: number}} of @param {Range} part @param {TraceState} state */
    finish({ report, ms }, part, state) {
        this.computed.at = performance.now();
        if (report.events > EVENTS_MEASURED)
            this.eventMs = ms / report.events;
        this.show(report, part, state, eventsIn(this.view.trace, part));
    }

    /** What the rows know of a range costs nothing.
     *  @param {Range} part */
    showShares(part) {
        const { trace } = this.view;
        const events = eventsIn(trace, part);

        fill(this.panel, this.rangeHeading(part, trace.state(), events), statesBlock(trace, part.from, part.to), computing(events));
    }

    /** @param {Report} report @param {Range} part @param {TraceState} state @param {number} events */
    show(report, part, state, events) {
        const scroll = this.panel.scrollTop;
        const open = [...this.panel.querySelectorAll('details')].map((each) => each.open);

        fill(this.panel, ...this.blocks(report, part, state, events));
        this.panel.querySelectorAll('details').forEach((each, at) => (each.open = open[at] ?? false));
        this.panel.scrollTop = scroll;
    }

    /** @param {Report} report @param {Range} part @param {TraceState} state @param {number} events */
    blocks(report, part, state, events) {
        const { hz } = state;
        /** @param {number} seq */
        const go = (seq) => this.go(seq);
        /** @param {string} title @param {string} hint @param {string} section @param {string} name */
        const spread = (title, hint, section, name) => spansBlock(title, hint, report, section, name, hz, go);
        const summary = this.name === 'summary';

        return [
            this.heading(report, part, state, events),
            summary && !hz ? rateForm(this.view) : null,
            notesBlock(report, hz, [...state.notes, rowsNote(state), this.view.rateNote].filter(Boolean)),
            summary ? null : statesBlock(this.view.trace, part.from, part.to),
            summary ? null : this.ofEvents(report, part, hz),
            sharesBlock(report, hz),
            spread('Wake-up latency', 'From a resumption until the kernel chose the thread to run', 'wake', 'wake'),
            spread('Run time', 'How long a thread ran in a job, from its resumption to its next suspension', 'jobs', 'run'),
            summary ? spread('Response time', 'How long a job took in all', 'jobs', 'response') : waitsBlock(report, hz, go),
            worstBlock(report, hz, go),
            summary ? stacksBlock(report, hz, go) : null,
            summary ? waitsBlock(report, hz, go) : null,
            spread('Interrupts', 'From enter to exit, of interrupts that record both', 'interrupts', 'isr'),
            countsBlock(report, hz),
            networkBlock(report, hz),
        ];
    }

    /** @param {Report} report @param {Range} part @param {TraceState} state @param {number} events */
    heading(report, part, state, events) {
        const { hz } = state;

        if (this.name === 'range')
            return this.rangeHeading(part, this.view.trace.state(), events);
        return element('p', { class: 'of' }, element('b', {}, formatSpan(report.window_ticks, hz)),
            `, ${formatNumber(report.events)} events${state.ended ? '' : ' so far'}`);
    }

    /** @param {Range} part @param {TraceState} state @param {number} events */
    rangeHeading(part, state, events) {
        const { hz } = state;

        return element('p', { class: 'of' }, element('b', {}, formatSpan(part.to - part.from, hz)),
            ` from ${formatMoment(part.from, hz)}, ${formatNumber(events)} events`, droppedText(part, state));
    }

    /** A report begins with its first event and ends with its last: of a range that says how far these are apart.
     *  @param {Report} report @param {Range} part @param {number} hz */
    ofEvents(report, part, hz) {
        return report.window_ticks < part.to - part.from ? element('p', { class: 'of' },
            `The figures below are of its events; from the first to the last it is ${formatSpan(report.window_ticks, hz)}.`) : null;
    }

    /** To the event with that number, with what is around it.
     *  @param {number} seq */
    go(seq) {
        const { view } = this;
        const index = view.trace.indexOfSeq(seq);

        if (view.trace.seq(index) === seq)
            view.choose(index);
    }
}
