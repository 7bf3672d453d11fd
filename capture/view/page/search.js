// SPDX-License-Identifier: MIT
/*
 * The box in the header, the list of hits in the panel, and the search itself. The search lets the page draw after each piece
 * of work, but does not wait for a picture: a busy host draws few pictures, a hidden tab draws no picture. view.search is the
 * current search; timeline and table ask this search which events are hits.
 */
import { element, fill, setText } from './dom.js';
import { SearchHits } from './search_hits.js';
import { contextText, eventMatches, soughtTexts } from './search_match.js';
import { parseQuery } from './search_query.js';
import { yieldToPage } from './trace_reader.js';
import { formatMoment, formatNumber } from './units.js';

/** @typedef {import('./decoder.js').Trace} Trace */

/** Milliseconds of work after which the page may draw. */
const SEARCH_SLICE_MS = 6;

/** Time without a key after which the search starts, in ms. */
const TYPED_MS = 200;

/** Maximum number of hits in the panel's list. */
const LISTED_MOST = 200;

/** Time between two updates of the list and the marks during a search, in ms. */
const TELL_SEARCH_MS = 250;

export class EventSearch {
    /**
     * @param {import('./view_state.js').ViewState} view
     * @param {HTMLElement} header for the box
     * @param {HTMLElement} panel for the hits
     */
    constructor(view, header, panel) {
        this.view = view;
        /** @type {SearchHits|null} */
        this.hits = null;
        this.text = '';
        /** The next piece of work is requested. */
        this.isBusy = false;
        this.told = 0;
        /** Identifies the contents of the list; null: not drawn yet.
         *  @type {string|null} */
        this.listed = null;
        this.wantsFirst = false;
        this.buildBox(header);
        this.buildPanel(panel);
        view.on((changed) => this.viewChanged(changed));
    }

    /** @param {HTMLElement} header */
    buildBox(header) {
        this.box = element('input', { type: 'search', id: 'search_box', placeholder: 'Search', 'aria-label': 'Search events',
            autocomplete: 'off', spellcheck: 'false', maxlength: '300', 'aria-describedby': 'search_said',
            title: 'Names and values of events: queue_send thread:app* sp=0x2000*   ( / )' });
        this.said = element('span', { id: 'search_said', class: 'quiet', role: 'status' });
        this.box.addEventListener('input', () => {
            clearTimeout(this.timer);
            this.timer = setTimeout(() => this.find(this.box.value), TYPED_MS);
        });
        this.box.addEventListener('keydown', (event) => this.boxKey(event));
        header.append(this.box, this.said);
    }

    /** @param {HTMLElement} panel */
    buildPanel(panel) {
        this.help = element('div', { class: 'hint' },
            element('p', {}, 'All words must match.'),
            element('dl', {}, ...[['queue_send', 'anywhere in an event'], ['thread:app*', 'the thread that recorded it'],
                ['by:isr', 'the caller: a thread, isr or init'],
                ['object:samples', 'in a value'], ['sp=0x2000*', 'the value of a field'], ['"sample pool"', 'quoted text'],
            ].flatMap(([word, text]) => [element('dt', {}, element('code', {}, word)), element('dd', {}, text)])));
        this.list = element('ol', { class: 'hits', 'aria-label': 'Hits' });
        this.list.addEventListener('click', (event) => this.listClick(event));
        panel.append(element('section', { class: 'found' }, element('h3', {}, 'Search'), this.help, this.list));
    }

    /** @param {KeyboardEvent} event */
    boxKey(event) {
        if (event.key === 'Enter') {
            event.preventDefault();
            if (this.box.value !== this.text)
                this.find(this.box.value);
            else
                this.step(!event.shiftKey);
        } else if (event.key === 'Escape') {
            event.preventDefault();
            this.find('');
            this.box.blur();
        }
    }

    /** Returns the text of the search as typed. */
    query() {
        return this.text;
    }

    focus() {
        this.box.focus();
        this.box.select();
    }

    /** Starts a search. Goes to its first hit if no hit is visible.
     *  @param {string} text */
    find(text) {
        clearTimeout(this.timer);
        this.text = text.trim();
        if (this.box.value.trim() !== this.text)
            this.box.value = text;
        const { problem, words } = parseQuery(text);

        this.words = words;
        this.box.setAttribute('aria-invalid', String(problem !== ''));
        this.wantsFirst = words.length > 0;
        this.begin();
        if (problem)
            setText(this.said, problem);
    }

    begin() {
        const { trace } = this.view;

        this.hits = this.words?.length && trace ? this.newHits(trace) : null;
        this.listed = null;
        this.view.set({ search: this.hits });
        this.show();
        this.workSoon();
    }

    /** @param {Trace} trace */
    newHits(trace) {
        const { words } = this;
        const texts = soughtTexts(words);
        /** @param {number} from @param {number} to */
        const candidate = (from, to) => trace.candidate(texts, from, to);

        return new SearchHits(trace, (index) => {
            const event = trace.event(index);

            return event !== null && eventMatches(words, event);
        }, trace.index(Math.max(0, this.view.shown().from)), texts.length ? candidate : undefined);
    }

    /** @param {Set<string>} changed */
    viewChanged(changed) {
        if (changed.has('trace') && (this.hits || this.words?.length))
            this.begin();
        else if (changed.has('data'))
            this.workSoon();
        if (changed.has('selected') && this.hits)
            this.show();
        if (changed.has('panel'))
            this.show();
    }

    // ---- the work ----

    workSoon() {
        if (this.isBusy || !this.hits || this.hits.isDone())
            return;
        this.isBusy = true;
        void yieldToPage().then(() => this.work());
    }

    work() {
        const end = performance.now() + SEARCH_SLICE_MS;

        this.isBusy = false;
        if (!this.hits)
            return;
        this.hits.scan(() => performance.now() < end);
        if (this.wantsFirst && this.hits.count)
            this.showFirst();
        if (this.hits.isDone() || performance.now() - this.told > TELL_SEARCH_MS) {
            this.told = performance.now();
            this.view.tell(['search']);
            this.show();
        }
        this.workSoon();
    }

    /** Goes to the first hit, if no hit is visible. */
    showFirst() {
        const { view } = this;
        const index = this.hits.next(this.hits.start - 1, true);

        this.wantsFirst = false;
        if (index >= 0 && !view.follow && view.trace.ticks(index) > view.shown().to)
            view.choose(index);
    }

    /** Goes to the next or the previous hit.
     *  @param {boolean} forward */
    step(forward) {
        const { view, hits } = this;

        if (!hits)
            return;
        const from = view.selected >= 0 ? view.selected : forward ? hits.start - 1 : hits.start;
        const index = hits.next(from, forward);

        if (index >= 0)
            view.choose(index);
        else
            setText(this.said, hits.isDone() ? `no hit ${forward ? 'after' : 'before'} this one` : 'still searching');
    }

    // ---- display ----

    show() {
        setText(this.said, this.saying());
        this.help.hidden = this.hits !== null;
        if (this.view.panel === 'search')
            this.showList();
    }

    saying() {
        const { hits } = this;

        if (!hits)
            return '';
        const { selected } = this.view;
        const count = `${formatNumber(hits.count)}${hits.isFull() ? ' or more' : ''}`;
        const place = selected >= 0 && hits.has(selected) ? `${formatNumber(hits.rank(selected) + 1)} of ` : '';

        if (!hits.isDone())
            return `${place}${count} so far, searched ${Math.floor(hits.part() * 100)} %`;
        return hits.count ? `${place}${count} ${hits.count === 1 && !place ? 'hit' : 'hits'}` : 'no hit';
    }

    /** Lists the hits around the selected hit, or the first hits. */
    showList() {
        const { hits, view } = this;
        const from = hits && view.selected >= 0 ? Math.max(0, hits.rank(view.selected) - LISTED_MOST / 2) : 0;
        const many = hits ? Math.min(hits.count - from, LISTED_MOST) : 0;
        const key = hits ? `${from} ${many} ${hits.earlier.length} ${view.selected}` : '';

        if (key === this.listed)
            return;
        this.listed = key;
        fill(this.list, hits && from > 0 ? moreHits(from, 'before') : null,
            ...(hits ? hits.list(LISTED_MOST, from).map((index) => this.item(index)) : []),
            hits && hits.count > from + many ? moreHits(hits.count - from - many, 'after') : null);
        this.list.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
    }

    /** @param {number} index */
    item(index) {
        const event = this.view.trace.event(index);
        const { hz } = this.view.trace.state();

        return event && element('li', {}, element('button', { type: 'button', class: 'link', 'data-index': String(index),
            'aria-current': index === this.view.selected ? 'true' : null },
        element('span', { class: 'quiet' }, formatMoment(event.ticks, hz)), ' ', event.name, ' ',
        element('span', { class: 'quiet' }, contextText(event))));
    }

    /** @param {Event} event */
    listClick(event) {
        const button = /** @type {Element} */ (event.target).closest('button');

        if (button)
            this.view.choose(Number(button.dataset.index));
    }
}

/** @param {number} count @param {string} where */
function moreHits(count, where) {
    return element('li', { class: 'quiet' }, `${formatNumber(count)} more ${where}`);
}
