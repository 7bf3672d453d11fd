// SPDX-License-Identifier: MIT
/* The part of the panel "Find" that goes to an event: by number or time, and by steps to a next event. */
import { element, setText } from './dom.js';
import { EventStep, STEP_KINDS } from './event_steps.js';
import { MarkList } from './mark_list.js';
import { parsePosition, positionHint, resolvePosition } from './position_text.js';
import { yieldToPage } from './trace_reader.js';

/** @typedef {import('./event_steps.js').StepKind} StepKind */

/** Milliseconds of work after which the page may draw. */
const STEP_SLICE_MS = 8;

export class GoTo {
    /**
     * @param {import('./view_state.js').ViewState} view
     * @param {import('./places.js').Places} places holds the marked events
     * @param {HTMLElement} panel
     */
    constructor(view, places, panel) {
        this.view = view;
        /** The step that looks for its event; null: no step.
         *  @type {EventStep|null} */
        this.current = null;
        this.marks = new MarkList(view, places);
        panel.prepend(this.buildGo(), this.buildSteps(), this.marks.section);
        view.on((changed) => (changed.has('trace') || changed.has('hz')) && this.showHint());
        this.showHint();
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

    /** Shows the accepted forms in the empty box. */
    showHint() {
        const hz = this.view.trace?.state().hz ?? 0;

        this.box.placeholder = hz ? '2.344   12.5ms   #1234' : '40000 (ticks)   #1234';
        this.box.title = `Type ${positionHint(hz)}`;
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
        this.current = null;
        setText(this.stepSaid, '');
        if (!state?.events)
            return;
        if (view.selected < 0) // no event is selected: start from the first visible event
            view.choose(Math.min(view.trace.index(Math.max(0, view.shown().from)), state.first + state.events - 1));
        else
            void this.work(new EventStep(view.trace, view.selected, kind, forward), kind, forward);
    }

    /** Looks for the event of a step, piece by piece, until the user begins another step.
     *  @param {EventStep} step @param {StepKind} kind @param {boolean} forward */
    async work(step, kind, forward) {
        const inSlice = () => {
            const end = performance.now() + STEP_SLICE_MS;

            return () => performance.now() < end;
        };

        this.current = step;
        while (!step.scan(inSlice())) {
            setText(this.stepSaid, 'looking');
            await yieldToPage();
            if (this.current !== step)
                return;
        }
        const words = STEP_KINDS.find(([name]) => name === kind)[1];

        setText(this.stepSaid, step.found < 0 ? `no ${words} ${forward ? 'after' : 'before'} this one` : '');
        if (step.found >= 0)
            this.view.choose(step.found);
    }
}
