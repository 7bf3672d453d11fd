// SPDX-License-Identifier: MIT
/*
 * The panel of the selected event: its fields; the state of its row at that time, with duration and waker; links to
 * the previous and to the next event of the same thread, kind or object.
 */
import { eventParts, stepParts } from './card.js';
import { showStep } from './choose.js';
import { element, fill } from './dom.js';
import { EventStep, STEP_KINDS } from './event_steps.js';
import { formatSpan } from './units.js';
import { askSelected } from './why/panel_why.js';

/**
 * @typedef {import('./timeline.js').Timeline} Timeline
 * @typedef {import('./event_steps.js').StepKind} StepKind
 * @typedef {import('./go_to.js').GoTo} GoTo
 * @typedef {import('./places.js').Places} Places
 */

/** Maximum number of calls of EventStep in the search for a neighbour: some milliseconds. If the neighbour is farther
 *  away, the panel does not show its distance. */
const NEAR_CALLS = 3;

export class SelectionPanel {
    /**
     * @param {Timeline} timeline
     * @param {{goTo: GoTo, places: Places}} parts
     * @param {HTMLElement} panel
     */
    constructor(timeline, { goTo, places }, panel) {
        this.timeline = timeline;
        this.view = timeline.view;
        this.goTo = goTo;
        this.places = places;
        this.panel = panel;
        /** Identifies the contents of the panel. */
        this.key = '';
        this.frame = 0;
        this.view.on((changed) => ['trace', 'selected', 'panel', 'data', 'hz'].some((name) => changed.has(name)) && this.soon());
        places.listeners.add(() => this.soon());
        panel.addEventListener('click', (event) => this.click(event));
        this.soon();
    }

    soon() {
        if (this.view.panel === 'selection')
            this.frame ||= requestAnimationFrame(() => this.show());
    }

    show() {
        const { view, places } = this;
        const state = view.trace?.state();

        this.frame = 0;
        if (view.panel !== 'selection')
            return;
        if (!state || view.selected < 0) {
            this.key = '';
            fill(this.panel, element('p', { class: 'hint' }, 'Click an event or a state in the picture, or a row of the table.'));
            return;
        }
        const marked = places.marks.includes(view.trace.seq(view.selected));
        const row = this.row();
        const step = row >= 0 ? view.trace.step(row, view.trace.ticks(view.selected)) : null;
        const key = [view.selected, row, step?.to, state.hz, state.rowsVersion, state.ended, marked].join();

        if (key === this.key)
            return;
        if (!this.timeline.frame?.trace) { // the picture knows the names and colours of the rows
            this.soon();
            return;
        }
        this.key = key;
        fill(this.panel, ...eventParts(view.trace, view.selected), this.buttons(marked), this.state(row, step), this.neighbours());
    }

    /** Returns the row whose state the panel shows: the row in which the event was selected, or else the event's own row. */
    row() {
        const { selected, selectedRow, trace } = this.view;

        return selectedRow >= 0 ? selectedRow : trace.event(selected)?.row ?? -1;
    }

    /** @param {boolean} marked */
    buttons(marked) {
        return element('div', { class: 'line' },
            element('button', { type: 'button', 'data-do': 'look', title: 'Show what is around this event' }, 'Go there'),
            element('button', { type: 'button', 'data-do': 'mark', title: 'Marks are part of the link ( m )' }, marked ? 'Unmark' : 'Mark'),
            element('button', { type: 'button', 'data-do': 'why', title: 'Why did this job, or this wait, take so long? ( W )' }, 'Why'),
            element('button', { type: 'button', 'data-do': 'note', title: 'A note is part of the link ( M )' }, 'Note…'));
    }

    /** @param {number} row @param {import('./decoder.js').TraceStep|null} step */
    state(row, step) {
        const { layout } = this.timeline;

        if (row < 0 || !layout.rows[row])
            return null;
        return element('section', { class: 'block state' }, element('h3', {}, 'State at this time'),
            ...stepParts(this.timeline, { row }, step),
            step ? element('div', { class: 'line' }, element('button', { type: 'button', 'data-do': 'step', title: 'Zoom to this state ( z )' }, 'Zoom to state')) : null);
    }

    /** Lists the nearest events of each kind on both sides. */
    neighbours() {
        const rows = STEP_KINDS.map(([kind, words]) => element('div', { class: 'figure neighbour' },
            this.neighbour(kind, false), element('span', { class: 'name' }, words), this.neighbour(kind, true)));

        return element('section', { class: 'block' }, element('h3', {}, 'Previous and next'), ...rows);
    }

    /** @param {StepKind} kind @param {boolean} forward */
    neighbour(kind, forward) {
        const { selected, trace } = this.view;
        const step = new EventStep(trace, selected, kind, forward);
        let calls = 0;
        const done = step.scan(() => calls++ < NEAR_CALLS);
        const away = step.found >= 0 ? formatSpan(Math.abs(trace.ticks(step.found) - trace.ticks(selected)), trace.state().hz) : '';

        return element('button', { type: 'button', class: 'link', 'data-kind': kind, 'data-forward': forward, disabled: done && step.found < 0,
            'aria-label': `${forward ? 'next' : 'previous'} ${kind}` }, forward ? `${away} ▸` : `◂ ${away}`);
    }

    /** @param {Event} event */
    click(event) {
        const button = /** @type {HTMLElement} */ (event.target).closest('button');
        const { view, goTo, places } = this;

        if (!button || view.selected < 0)
            return;
        if (button.dataset.kind)
            goTo.step('forward' in button.dataset, /** @type {StepKind} */ (button.dataset.kind));
        else if (button.dataset.do === 'look')
            view.lookAt(view.selected);
        else if (button.dataset.do === 'why')
            askSelected(view);
        else if (button.dataset.do === 'mark')
            places.toggleMark();
        else if (button.dataset.do === 'note')
            goTo.marks.note();
        else
            showStep(this.timeline, this.row(), view.trace.ticks(view.selected));
    }
}
