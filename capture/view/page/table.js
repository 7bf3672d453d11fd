// SPDX-License-Identifier: MIT
/*
 * The table of all events. Only the visible rows exist as elements; the scrollbar is a scale over all rows (virtual_rows.js).
 * The table shows the place of the timeline and the selection, and moves both.
 */
import { copyText, element, fill } from './dom.js';
import { lineText, tableLines } from './table_lines.js';
import { clampRow, lastFirstRow, rowAtScroll, rowToSee, rowsSeen, rowsToSee, scrollHeight, scrollOfRow } from './virtual_rows.js';

/**
 * @typedef {import('./virtual_rows.js').RowsGeometry} RowsGeometry
 * @typedef {import('./table_lines.js').TableLine} TableLine
 */

/** Height of a row, as in style.css. */
const TABLE_ROW_HEIGHT = 20;

/** @type {[name: keyof TableLine, title: string][]} */
const TABLE_COLUMNS = [['number', 'Event'], ['time', 'Time'], ['delta', 'Since last'], ['context', 'Context'],
    ['event', 'What'], ['fields', 'Fields']];

export class EventTable {
    /**
     * @param {import('./view_state.js').ViewState} view
     * @param {HTMLElement} host
     */
    constructor(view, host) {
        this.view = view;
        /** The first visible row; row 0 is the oldest event of the trace. */
        this.top = 0;
        /** Fraction of a row that the wheel has turned. */
        this.turned = 0;
        /** The position to which the table set the scrollbar; the user set any other position. */
        this.placed = 0;
        /** True while the table moves the timeline: the resulting change of the view must not move the table. */
        this.leads = false;
        /** @type {TableLine[]} */
        this.lines = [];
        this.drawn = 0;
        this.build(host);
        this.listen();
        this.view.on((changed) => this.follow(changed));
        this.draw();
    }

    /** @param {HTMLElement} host */
    build(host) {
        this.space = element('div', { class: 'space' });
        this.window = element('div', { class: 'window', role: 'rowgroup' });
        this.body = element('div', { class: 'body', tabindex: '-1' }, this.window, this.space);
        this.empty = element('p', { class: 'empty quiet' }, 'No events yet.');
        this.grid = element('div', { class: 'events', role: 'grid', tabindex: '0', 'aria-label': 'Events', 'aria-readonly': 'true',
            'aria-colcount': String(TABLE_COLUMNS.length) },
        element('div', { class: 'row head', role: 'row' },
            ...TABLE_COLUMNS.map(([name, title]) => element('span', { class: name, role: 'columnheader' }, title))),
        this.body);
        fill(host, this.grid, this.empty);
    }

    listen() {
        this.body.addEventListener('scroll', () => this.scrolled());
        this.body.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
        this.body.addEventListener('pointerdown', (event) => this.press(event));
        this.body.addEventListener('dblclick', (event) => this.zoomTo(this.lineAt(event)));
        this.grid.addEventListener('keydown', (event) => this.key(event));
        new ResizeObserver(() => this.drawSoon()).observe(this.body);
    }

    geometry() {
        const state = this.view.trace?.state();

        return { count: state ? state.events : 0, rowHeight: TABLE_ROW_HEIGHT, height: this.body.clientHeight };
    }

    /** Returns the index of the event in a row.
     *  @param {number} row */
    indexOf(row) {
        return (this.view.trace?.state().first ?? 0) + row;
    }

    /** @param {number} index */
    rowOf(index) {
        return index - (this.view.trace?.state().first ?? 0);
    }

    // ---- changes by other parts ----

    /** @param {Set<string>} changed names of changed fields of the view */
    follow(changed) {
        if (changed.has('trace'))
            this.top = 0;
        if (!this.leads) {
            if (changed.has('selected') && this.view.selected >= 0)
                this.top = rowToSee(this.geometry(), this.top, this.rowOf(this.view.selected));
            else if (changed.has('view') || (changed.has('data') && this.view.follow))
                this.followView();
        }
        if (['trace', 'data', 'selected', 'view', 'search'].some((name) => changed.has(name)))
            this.drawSoon();
    }

    /** Shows the events at the left edge of the timeline, or the nearest events on both sides of a timeline without events, or the
     *  newest events while they are followed. */
    followView() {
        const { view } = this;
        const geometry = this.geometry();

        if (!geometry.count)
            return;
        if (view.follow) {
            this.top = lastFirstRow(geometry);
            return;
        }
        const { from, to } = view.shown();
        const selected = view.selected >= 0 ? view.trace.ticks(view.selected) : -1;
        const row = this.rowOf(view.selected);

        if (selected >= from && selected <= to && row >= 0 && row < geometry.count) {
            this.top = rowToSee(geometry, this.top, row);
            return;
        }
        const next = view.trace.index(Math.max(from, view.trace.state().from));

        this.top = this.rowOf(next) < geometry.count && view.trace.ticks(next) <= to ? clampRow(geometry, this.rowOf(next))
            : rowsToSee(geometry, this.top, this.rowOf(next));
    }

    // ---- actions of the user in the table ----

    scrolled() {
        if (Math.abs(this.body.scrollTop - this.placed) < 1.5)
            return;
        this.placed = this.body.scrollTop;
        this.moveTo(rowAtScroll(this.geometry(), this.body.scrollTop));
    }

    /** @param {WheelEvent} event */
    wheel(event) {
        if (event.ctrlKey || event.deltaY === 0)
            return;
        const unit = [1 / TABLE_ROW_HEIGHT, 1, rowsSeen(this.geometry())][event.deltaMode] ?? 0;

        event.preventDefault();
        this.turned += event.deltaY * unit;
        const rows = Math.trunc(this.turned);

        this.turned -= rows;
        if (rows)
            this.moveTo(this.top + rows);
    }

    /** Moves the timeline to the place to which the user moved the table.
     *  @param {number} row */
    moveTo(row) {
        const top = clampRow(this.geometry(), row);

        if (top === this.top)
            return;
        this.top = top;
        this.drawSoon();
        this.lead(() => {
            const { view } = this;
            const middle = this.indexOf(Math.min(top + (rowsSeen(this.geometry()) >> 1), this.geometry().count - 1));

            view.set({ follow: false });
            if (view.trace)
                view.reveal(view.position(view.trace.ticks(middle)));
        });
    }

    /** @param {() => void} change */
    lead(change) {
        this.leads = true;
        try {
            change();
        } finally {
            this.leads = false;
        }
    }

    /** @param {MouseEvent} event */
    lineAt(event) {
        /** @type {HTMLElement|null} */
        const row = /** @type {Element} */ (event.target).closest('.row');

        return row ? this.lines[Number(row.dataset.line)] : undefined;
    }

    /** @param {PointerEvent} event */
    press(event) {
        const line = this.lineAt(event);

        if (!line || event.button !== 0)
            return;
        this.grid.focus({ preventScroll: true });
        this.choose(line.index);
        this.view.inspect();
    }

    /** Selects the event with the index `index`, if this event exists.
     *  @param {number} index */
    choose(index) {
        const state = this.view.trace?.state();

        if (!state?.events)
            return;
        this.view.choose(Math.min(Math.max(index, state.first), state.first + state.events - 1));
    }

    /** Moves the timeline to the event or gap of a line.
     *  @param {TableLine|undefined} line */
    zoomTo(line) {
        const { trace } = this.view;

        if (!line || !trace)
            return;
        const state = trace.state();
        const from = Math.max(line.index - 8, state.first);
        const to = Math.min(line.index + 8, state.first + state.events - 1);

        if (to > from)
            this.view.show(this.view.position(trace.ticks(from)), this.view.position(trace.ticks(to)) + 1);
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        const seen = rowsSeen(this.geometry());
        /** @type {Object<string, number>} */
        const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -seen, PageDown: seen, Home: -Infinity, End: Infinity };

        if (event.altKey)
            return;
        if (event.ctrlKey || event.metaKey) {
            if (event.key.toLowerCase() === 'c' && !String(getSelection()))
                this.copy();
            return;
        }
        if (event.key in steps)
            this.step(steps[event.key]);
        else if (event.key === 'Enter')
            this.zoomTo(this.lines.find((line) => line.kind === 'event' && line.index === this.view.selected));
        else
            return;
        event.preventDefault();
        event.stopPropagation(); // otherwise the timeline would move too
    }

    /** Moves the selection by rows. Without a selection, starts from the first visible row.
     *  @param {number} rows */
    step(rows) {
        const { count } = this.geometry();
        const from = this.view.selected >= 0 ? this.rowOf(this.view.selected) : this.top - Math.sign(rows);

        if (count)
            this.choose(this.indexOf(Math.min(Math.max(from + rows, 0), count - 1)));
    }

    async copy() {
        const line = this.lines.find((each) => each.kind === 'event' && each.index === this.view.selected);

        if (line)
            await copyText(lineText(line));
    }

    // ---- drawing ----

    drawSoon() {
        this.drawn ||= requestAnimationFrame(() => this.draw());
    }

    draw() {
        const geometry = this.geometry();

        this.drawn = 0;
        this.empty.hidden = geometry.count > 0;
        this.empty.textContent = this.view.trace ? 'No events yet.' : '';
        this.grid.setAttribute('aria-rowcount', String(geometry.count));
        if (!geometry.height)
            return;
        this.top = clampRow(geometry, this.top);
        this.place(geometry);
        this.lines = geometry.count ? tableLines(this.view.trace, this.indexOf(this.top), rowsSeen(geometry) + 1,
            this.top === lastFirstRow(geometry) && geometry.count > rowsSeen(geometry)) : [];
        fill(this.window, ...this.lines.map((line, at) => this.row(line, at)));
        const selected = this.window.querySelector('[aria-selected=true]');

        if (selected)
            this.grid.setAttribute('aria-activedescendant', selected.id);
        else
            this.grid.removeAttribute('aria-activedescendant');
    }

    /** Moves the scrollbar to the place of the rows.
     *  @param {RowsGeometry} geometry */
    place(geometry) {
        const height = `${scrollHeight(geometry) - geometry.height}px`;

        if (this.space.style.height !== height)
            this.space.style.height = height;
        const top = Math.round(scrollOfRow(geometry, this.top));

        if (Math.abs(this.body.scrollTop - top) >= 1) {
            this.body.scrollTop = top;
            this.placed = this.body.scrollTop;
        }
    }

    /** @param {TableLine} line @param {number} at */
    row(line, at) {
        const selected = line.kind === 'event' && line.index === this.view.selected;
        const row = element('div', { class: `row ${line.kind}${this.isHit(line) ? ' hit' : ''}`, role: 'row',
            id: `event_${line.kind}_${at}`, 'data-line': String(at), 'aria-selected': String(selected),
            'aria-rowindex': String(this.rowOf(line.index) + 1) });

        fill(row, ...TABLE_COLUMNS.map(([name]) => this.cell(line, name)));
        return row;
    }

    /** @param {TableLine} line @param {keyof TableLine} name */
    cell(line, name) {
        if (name === 'event' && line.kind === 'event') {
            const chip = element('i', { 'aria-hidden': 'true' });

            chip.style.background = `var(--class-${/^[a-z]+$/.test(line.className) ? line.className : 'other'})`;
            return element('span', { class: name, role: 'gridcell' }, chip, line.event);
        }
        return element('span', { class: name, role: 'gridcell', title: name === 'fields' ? line.fields : null }, line[name]);
    }

    /** @param {TableLine} line */
    isHit(line) {
        return line.kind === 'event' && Boolean(this.view.search?.has(line.index));
    }
}
