// SPDX-License-Identifier: MIT
/* The marked events in the panel: each with its note, which can be edited and removed. places.js keeps them. */
import { element, fill, setText } from './dom.js';
import { contextText } from './search_match.js';
import { formatMoment } from './units.js';
import { NOTE_LENGTH_MOST } from './view_hash.js';

export class MarkList {
    /**
     * @param {import('./view_state.js').ViewState} view
     * @param {import('./places.js').Places} places
     */
    constructor(view, places) {
        this.view = view;
        this.places = places;
        /** Number of the marked event whose note is being edited, or -1. */
        this.edited = -1;
        this.list = element('ul', { class: 'hits marks', 'aria-label': 'Marked events' });
        this.said = element('p', { class: 'problem', role: 'status' });
        this.mark = element('button', { type: 'button', id: 'mark_event', title: 'Marks are part of the link ( m )' }, 'Mark');
        this.noteButton = element('button', { type: 'button', id: 'note_event', title: 'A note is part of the link ( M )' }, 'Note…');
        this.section = element('section', {}, element('h3', {}, 'Marked events'), this.list, this.said,
            element('div', { class: 'line' }, this.mark, this.noteButton));
        this.mark.addEventListener('click', () => places.toggleMark());
        this.noteButton.addEventListener('click', () => this.note());
        this.list.addEventListener('click', (event) => this.click(event));
        places.listeners.add(() => this.show());
        view.on((changed) => ['trace', 'selected', 'hz'].some((name) => changed.has(name)) && this.show());
        this.show();
    }

    /** Opens the note of the selected event. */
    note() {
        const { view } = this;

        if (view.trace && view.selected >= 0)
            this.edit(view.trace.seq(view.selected));
    }

    /** @param {number} seq of the event whose note to edit */
    edit(seq) {
        this.view.set({ panel: 'search' });
        this.places.mark(seq, true);
        this.edited = seq;
        this.show();
        this.list.querySelector('input')?.focus();
    }

    show() {
        const { view, places } = this;
        const seq = view.trace && view.selected >= 0 ? view.trace.seq(view.selected) : -1;
        const typing = this.list.contains(document.activeElement) && document.activeElement.matches('input');

        this.mark.disabled = this.noteButton.disabled = seq < 0;
        setText(this.mark, seq < 0 ? 'Mark the selected event' : places.marks.includes(seq) ? `Unmark #${seq}` : `Mark #${seq}`);
        if (typing && this.edited >= 0)
            return;
        fill(this.list, ...places.marks.map((each) => this.item(each)));
        this.list.hidden = places.marks.length === 0;
    }

    /** @param {number} seq */
    item(seq) {
        const { trace } = this.view;
        const index = trace ? trace.indexOfSeq(seq) : -1;
        const event = index >= 0 && trace.seq(index) === seq ? trace.event(index) : null;
        const words = event ? [` ${formatMoment(event.ticks, trace.state().hz)} `, event.name, ` ${contextText(event)}`] : [' not held'];
        const note = this.places.notes.get(seq) ?? '';

        return element('li', {},
            element('div', { class: 'line' },
                element('button', { type: 'button', class: 'link', 'data-seq': seq, disabled: !event,
                    'aria-current': event && index === this.view.selected ? 'true' : null }, `#${seq}`, ...words),
                element('button', { type: 'button', class: 'small', 'data-edit': seq, title: 'Edit the note', 'aria-label': `Edit the note of #${seq}` }, '✎'),
                element('button', { type: 'button', class: 'small', 'data-remove': seq, title: 'Remove the mark', 'aria-label': `Remove the mark of #${seq}` }, '✕')),
            this.edited === seq ? this.editor(seq, note) : note ? element('p', { class: 'note' }, note) : null);
    }

    /** @param {number} seq @param {string} note */
    editor(seq, note) {
        const box = element('input', { type: 'text', maxlength: NOTE_LENGTH_MOST, 'aria-label': `Note of #${seq}`, placeholder: 'Note',
            autocomplete: 'off' });
        const form = element('form', { class: 'line' }, box, element('button', { type: 'submit' }, 'Save'));

        box.value = note;
        form.addEventListener('submit', (event) => {
            event.preventDefault();
            this.save(seq, box.value);
        });
        box.addEventListener('keydown', (event) => {
            if (event.key !== 'Escape')
                return;
            event.preventDefault(); // otherwise it would also drop the selection
            this.close();
        });
        return form;
    }

    /** @param {number} seq @param {string} typed */
    save(seq, typed) {
        const fits = this.places.setNote(seq, typed);

        setText(this.said, fits ? '' : 'the link has no room for this note: shorten or remove another');
        if (fits)
            this.close();
    }

    close() {
        this.edited = -1;
        setText(this.said, '');
        if (document.activeElement instanceof HTMLElement)
            document.activeElement.blur();
        this.show();
    }

    /** @param {Event} event */
    click(event) {
        const { seq, edit, remove } = /** @type {HTMLElement} */ (event.target).closest('button')?.dataset ?? {};

        if (seq !== undefined)
            this.view.lookAt(this.view.trace.indexOfSeq(Number(seq)));
        else if (edit !== undefined)
            this.edit(Number(edit));
        else if (remove !== undefined)
            this.places.mark(Number(remove), false);
    }
}
