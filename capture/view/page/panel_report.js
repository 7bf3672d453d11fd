// SPDX-License-Identifier: MIT
/*
 * The panel's reports: of the whole trace (summary) and of the selected range. A report is computed in slices, while the panel
 * is visible and after its range has stopped changing. The shares of a range come from the timeline's rows and are shown at
 * once.
 */
import { copyText, element, fill, setText } from './dom.js';
import { countsBlock, findingsBlock, networkBlock, notesBlock, sharesBlock, spansBlock, stacksBlock, statesBlock, waitsBlock, worstBlock } from './figure_blocks.js';
import { errorText } from './plain_text.js';
import { eventsIn } from './range_shares.js';
import { droppedText, rowsNote } from './report_model.js';
import { reportInSlices } from './report_slices.js';
import { rateForm } from './tick_rate.js';
import { formatMoment, formatNumber, formatSpan } from './units.js';
import { whyButtons } from './why/ask.js';

/**
 * @typedef {import('./view_state.js').Range} Range
 * @typedef {import('./decoder.js').TraceState} TraceState
 * @typedef {import('./report_model.js').Report} Report
 */

/** Time without a change after which a range counts as final, in ms. */
const REPORT_SETTLED_MS = 60;

/** Default time per event, in ms, until it is measured. */
const EVENT_MS = 0.001;

/** A report of more events than this number is used to measure the time per event. */
const EVENTS_MEASURED = 100_000;

/** Minimum time between two summaries of a growing trace: this many ms, and this multiple of a summary's own time. */
const SUMMARY_AGAIN_MS = 2000;
const SUMMARY_AGAIN_TIMES = 20;

/** @param {number} events */
function computing(events) {
    return element('p', { class: 'hint', role: 'status' }, `Computing ${formatNumber(events)} events…`);
}

function copyButton() {
    return element('button', { type: 'button', class: 'small copy', 'data-copy': true, title: 'Copy all figures, for a spreadsheet' }, 'Copy');
}

/** Returns the figures of a panel as lines: block, name, value, details; tabs between them.
 *  @param {HTMLElement} panel */
function figuresText(panel) {
    return [...panel.querySelectorAll('.block')].flatMap((block) => [...block.querySelectorAll('.figure')].map((figure) =>
        [block.querySelector('h3'), ...['.name', '.value', '.detail'].map((part) => figure.querySelector(part))]
            .map((part) => part?.textContent ?? '').join('\t'))).join('\n');
}

export class ReportPanel {
    /**
     * @param {import('./view_state.js').ViewState} view
     * @param {HTMLElement} panel
     * @param {'summary'|'range'|'flow'} name
     */
    constructor(view, panel, name) {
        this.view = view;
        this.panel = panel;
        this.name = name;
        /** Identifies the contents of the panel: if it changes, the report is computed again. */
        this.key = '';
        /** The report that is being computed. Starting another report abandons it. */
        this.run = null;
        this.frame = 0;
        this.computed = { at: -Infinity, events: 0 };
        this.eventMs = EVENT_MS;
        this.timer = 0;
        /** The element in which the summary shows how many events it does not cover yet.
         *  @type {HTMLElement|null} */
        this.lag = null;
        this.covered = 0;
        panel.classList.add('report');
        panel.addEventListener('click', (event) => this.copy(event));
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
        if (changed.has('paused') && this.view.paused) { // nothing more comes: the summary of all events is due now
            this.computed.at = -Infinity;
            clearTimeout(this.timer);
            this.timer = 0;
        }
        if (changed.has('data') && this.view.panel === this.name)
            this.showLag();
        if (['trace', 'data', 'range', 'panel', 'loading', 'paused'].some((name) => changed.has(name)))
            this.soon();
    }

    soon() {
        if (this.view.panel !== this.name || document.hidden)
            return;
        if (this.isOfRange())
            clearTimeout(this.timer);
        else if (this.timer)
            return;
        this.timer = setTimeout(() => {
            this.timer = 0;
            this.update();
        }, REPORT_SETTLED_MS);
    }

    /** Shows the shares at once, so that they follow while the user drags the range. */
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

    /** Reports whether the panel shows a range, and not the whole trace. */
    isOfRange() {
        return this.name === 'range';
    }

    /** @returns {{from: number, to: number}|null} the range of the report; null: no report */
    part() {
        const { view } = this;

        if (this.isOfRange())
            return view.range;
        const state = view.trace.state();

        return { from: state.from, to: state.to };
    }

    update() {
        const { view } = this;

        if (view.panel !== this.name)
            return;
        const state = view.trace?.state();
        const part = state?.events ? this.part() : null;

        if (!part) {
            this.key = '';
            fill(this.panel, this.emptyText(state));
            return;
        }
        const key = this.isOfRange() ? `${part.from} ${part.to} ${state.to >= part.to}` : `${state.version}`;

        if (key === this.key || this.isUsed() || !this.isDue(state))
            return;
        this.key = key;
        this.begin(part, state);
    }

    /** Reports whether the user types into the panel or has marked text in it. */
    isUsed() {
        const marked = getSelection();

        return this.panel.querySelector('input:focus') !== null ||
            (marked !== null && !marked.isCollapsed && this.panel.contains(marked.anchorNode));
    }

    /** @param {TraceState|undefined} state */
    emptyText(state) {
        const words = this.name === 'range' && state?.events
            ? ['Drag on the time axis, or press Shift and drag in the picture, to choose a range. ', element('kbd', {}, 'r'),
                ' chooses the range between the cursors, or the visible part.']
            : ['No events yet.'];

        return element('p', { class: 'hint' }, ...words);
    }

    /** Limits how often the summary of a growing trace is computed.
     *  @param {TraceState} state */
    isDue(state) {
        if (this.view.loading)
            return false;
        if (this.isOfRange() || state.ended)
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
        const range = this.isOfRange();

        this.showBegun(part, state);
        this.computed = { at: performance.now(), events: state.events };
        try {
            const done = await reportInSlices(trace, range ? part.from : 0, range ? part.to : Infinity, isWanted, this.name === 'flow');

            if (done)
                this.finish(done, part, state);
            else if (this.run === run)
                this.key = ''; // the panel was left: compute again when it is visible
        } catch (error) {
            fill(this.panel, element('p', { class: 'problem', role: 'alert' }, `no report: ${errorText(error)}`));
        }
    }

    /** Shows that a report is being computed, unless the panel shows an older report.
     *  @param {Range} part @param {TraceState} state */
    showBegun(part, state) {
        if (this.isOfRange())
            this.showShares(part);
        else if (this.computed.events === 0)
            fill(this.panel, computing(state.events));
    }

    /** @param {{report: Report, ms: number}} of @param {Range} part @param {TraceState} state */
    finish({ report, ms }, part, state) {
        this.computed.at = performance.now();
        if (report.events > EVENTS_MEASURED)
            this.eventMs = ms / report.events;
        this.show(report, part, state, eventsIn(this.view.trace, part));
        this.soon(); // the trace may have grown, and nothing more may come
    }

    /** Shows the shares of a range at once: they come from the timeline's rows.
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
        const summary = this.name === 'summary';
        const ask = whyButtons(this.view, report, summary ? null : part);
        /** @param {number} seq */
        const go = (seq) => this.go(seq);
        /** @param {string} title @param {string} hint @param {string} section @param {string} name */
        const spread = (title, hint, section, name) => spansBlock(title, hint, report, section, name, hz, go, ask);

        return [
            this.heading(report, part, state, events),
            summary && !hz ? rateForm(this.view) : null,
            notesBlock(report, hz, [...state.notes, rowsNote(state)].filter(Boolean)),
            findingsBlock(report, go),
            summary ? null : statesBlock(this.view.trace, part.from, part.to),
            summary ? sharesBlock(report, hz, this.view.trace.rows()) : null,
            spread('Wake-up latency', 'Time from a resumption until the kernel chose the thread to run', 'wake', 'wake'),
            spread('Execution time', 'Time that a job had the processor. A job lasts from a resumption of the thread to its next suspension', 'jobs', 'run'),
            summary ? spread('Response time', 'Total time of a job, with its waits for the processor', 'jobs', 'response') : waitsBlock(report, hz, go, ask),
            worstBlock(report, hz, go, ask),
            summary ? stacksBlock(report, go) : null,
            summary ? waitsBlock(report, hz, go, ask) : null,
            spread('Interrupts', 'Time from enter to exit, for interrupts that record both', 'interrupts', 'isr'),
            countsBlock(report, hz),
            networkBlock(report, hz),
        ];
    }

    /** @param {Report} report @param {Range} part @param {TraceState} state @param {number} events */
    heading(report, part, state, events) {
        const { hz } = state;

        if (this.name === 'range')
            return this.rangeHeading(part, this.view.trace.state(), events);
        this.lag = element('span');
        this.covered = report.events;
        return element('p', { class: 'of' }, copyButton(), element('b', {}, formatSpan(report.window_ticks, hz)),
            `, ${formatNumber(report.events)}`, this.lag, ` events${state.ended ? '' : ' so far'}`,
            this.view.rateNote ? element('span', { class: 'rate_note' }, this.view.rateNote) : null);
    }

    /** Shows how many events the trace has, if the summary does not cover all of them yet. */
    showLag() {
        const state = this.view.trace?.state();

        if (this.lag && state)
            setText(this.lag, state.events > this.covered ? ` of ${formatNumber(state.events)}` : '');
    }

    /** @param {Range} part @param {TraceState} state @param {number} events */
    rangeHeading(part, state, events) {
        const { hz } = state;

        return element('p', { class: 'of' }, copyButton(), element('b', {}, formatSpan(part.to - part.from, hz)),
            ` from ${formatMoment(part.from, hz)}, ${formatNumber(events)} events`, droppedText(part, state));
    }

    /** Copies all figures of the panel for a spreadsheet.
     *  @param {Event} event */
    async copy(event) {
        const button = /** @type {Element} */ (event.target).closest('button[data-copy]');

        if (button)
            setText(button, await copyText(figuresText(this.panel)) ? 'Copied' : 'Not copied');
    }

    /** Shows the event with the number `seq` and its surroundings.
     *  @param {number} seq */
    go(seq) {
        const { view } = this;
        const index = view.trace.indexOfSeq(seq);

        if (view.trace.seq(index) === seq)
            view.lookAt(index);
    }
}
