// SPDX-License-Identifier: MIT
/* The part of the search panel that goes to an event: by number or time, by steps to a next event, to marked events. */
import { element, fill, setText } from './dom.js';
import { EventStep, STEP_KINDS } from './event_steps.js';
import { parsePosition, positionHint, resolvePosition } from './position_text.js';
import { contextText } from './search_match.js';
import { formatMoment } from './units.js';

/** @typedef {import('./event_steps.js').StepKind} StepKind */

/** Milliseconds per frame that a step may use to search for its event. */
const STEP_SLICE_MS = 8;

export class GoTo {
    /**
     * @param {import('./view_state.js').ViewState} view
     * @param {import('./places.js').Places} places holds the marked events
     * @param {HTMLElement} panel
     */
    constructor(view, places, panel) {
        this.view = view;
        this.places = places;
        this.frame = 0;
        panel.prepend(this.buildGo(), this.buildSteps(), this.buildMarks());
        places.listeners.add(() => this.show());
        view.on((changed) => (changed.has('trace') || changed.has('selected') || changed.has('hz')) && this.show());
        this.show();
    }

    buildGo() {
        this.box = element('input', { type: 'text', id: 'go_to_box', autocomplete: 'off',
            spellcheck: 'false', maxlength: '60', 'aria-label': 'Event number or time', 'aria-describedby': 'go_to_said' });
        this.said = element('p', { id: 'go_to_said', class: 'problem', role: 'status' });
        const form = element('form', { class: 'line' }, this.box, element('button', { type: 'submit' }, 'Go'));

        form.addEventListener('submit', (event) => {
            event.preventDefault();
            this.go(this.box.value);
        });
        return element('section', {}, element('h3', {}, 'Go to'), form, this.said);
    }

    buildSteps() {
        this.kind = element('select', { id: 'step_kind', 'aria-label': 'Kind of step' },
            ...STEP_KINDS.map(([name, text]) => element('option', { value: name }, text)));
        this.previous = element('button', { type: 'button', id: 'step_previous', title: 'Previous event of this kind ( , )' }, '◂ Previous');
        this.next = element('button', { type: 'button', id: 'step_next', title: 'Next event of this kind ( . )' }, 'Next ▸');
        this.stepSaid = element('p', { class: 'quiet', role: 'status' });
        this.previous.addEventListener('click', () => this.step(false));
        this.next.addEventListener('click', () => this.step(true));
        return element('section', {}, element('h3', {}, 'Step'),
            element('div', { class: 'line' }, this.previous, this.kind, this.next), this.stepSaid);
    }

    buildMarks() {
        this.marks = element('ul', { class: 'hits', 'aria-label': 'Marked events' });
        this.marks.addEventListener('click', (event) => this.marksClick(event));
        this.mark = element('button', { type: 'button', id: 'mark_event', title: 'Marks are part of the link ( m )' }, 'Mark');
        this.mark.addEventListener('click', () => this.places.toggleMark());
        return element('section', {}, element('h3', {}, 'Marked events'), this.marks, element('div', { class: 'line' }, this.mark));
    }

    focus() {
        this.view.set({ panel: 'search' });
        this.box.focus();
        this.box.select();
    }

    /** Goes to the place that the text names, or shows why this is impossible.
     *  @param {string} text */
    go(text) {
        const { trace } = this.view;

        if (!trace) {
            setText(this.said, 'there is no trace');
            return;
        }
        const position = parsePosition(text, trace.state().hz);
        const { index, problem } = resolvePosition(position, trace);

        setText(this.said, problem);
        this.box.setAttribute('aria-invalid', String(problem !== ''));
        if (index >= 0)
            this.view.lookAt(index, position.kind === 'time' ? position.ticks : undefined);
    }

    /** Goes to the next event of a kind; if `kind` is given, it becomes the chosen kind.
     *  @param {boolean} forward @param {StepKind} [kind] */
    step(forward, kind = /** @type {StepKind} */ (this.kind.value)) {
        const { view } = this;
        const state = view.trace?.state();

        this.kind.value = kind;
        cancelAnimationFrame(this.frame);
        setText(this.stepSaid, '');
        if (!state?.events)
            return;
        if (view.selected < 0) // no event is selected: start from the first visible event
            view.choose(Math.min(view.trace.index(Math.max(0, view.shown().from)), state.first + state.events - 1));
        else
            this.work(new EventStep(view.trace, view.selected, kind, forward), kind, forward);
    }

    /** @param {EventStep} step @param {StepKind} kind @param {boolean} forward */
    work(step, kind, forward) {
        const end = performance.now() + STEP_SLICE_MS;

        if (!step.scan(() => performance.now() < end)) {
            setText(this.stepSaid, 'looking');
            this.frame = requestAnimationFrame(() => this.work(step, kind, forward));
            return;
        }
        const words = STEP_KINDS.find(([name]) => name === kind)[1];

        setText(this.stepSaid, step.found < 0 ? `no ${words} ${forward ? 'after' : 'before'} this one` : '');
        if (step.found >= 0)
            this.view.choose(step.found);
    }

    // ---- marked events ----

    show() {
        const { view } = this;
        const seq = view.trace && view.selected >= 0 ? view.trace.seq(view.selected) : -1;

        this.box.placeholder = view.trace?.state().hz ? '2.344   12.5ms   #1234' : '40000 (ticks)   #1234';
        this.box.title = `Type ${positionHint(view.trace?.state().hz ?? 0)}`;
        this.mark.disabled = seq < 0;
        setText(this.mark, seq < 0 ? 'Mark the selected event' : this.places.marks.includes(seq) ? `Unmark #${seq}` : `Mark #${seq}`);
        this.showMarks();
    }

    showMarks() {
        fill(this.marks, ...this.places.marks.map((seq) => this.markItem(seq)));
        this.marks.hidden = this.places.marks.length === 0;
    }

    /** @param {number} seq */
    markItem(seq) {
        const { trace } = this.view;
        const index = trace ? trace.indexOfSeq(seq) : -1;
        const event = index >= 0 && trace.seq(index) === seq ? trace.event(index) : null;
        const said = event ? [` ${formatMoment(event.ticks, trace.state().hz)} `, event.name, ` ${contextText(event)}`] : [' not held'];

        return element('li', {}, element('button', { type: 'button', class: 'link', 'data-seq': String(seq), disabled: !event,
            'aria-current': event && index === this.view.selected ? 'true' : null }, `#${seq}`, ...said));
    }

    /** @param {Event} event */
    marksClick(event) {
        const button = /** @type {Element} */ (event.target).closest('button');

        if (button)
            this.view.lookAt(this.view.trace.indexOfSeq(Number(button.dataset.seq)));
    }
}
