// SPDX-License-Identifier: MIT
/*
 * The tools for rows. Above the names: a filter, the order and the height. Beside the name under the pointer: a button
 * that hides the row, and a button that hides all other rows. Below the names: a button that shows hidden rows again.
 */
import { laneRow, say } from './choose.js';
import { element, setText } from './dom.js';
import { SIZES } from './frame.js';
import { ALL_ROWS, DENSITIES, densityOf, hidesRows, ROW_ORDERS, rowKey, withAllRows } from './row_choice.js';
import { formatNumber } from './units.js';

/**
 * @typedef {import('./timeline.js').Timeline} Timeline
 * @typedef {import('./rows_layout.js').Lane} Lane
 * @typedef {import('./row_choice.js').RowChoice} RowChoice
 */

/** @param {Timeline} timeline @param {Partial<RowChoice>} part */
function choose({ view }, part) {
    view.set({ rows: { ...view.rows, ...part } });
}

/** Changes to the next height of rows, or with -1 to the previous.
 *  @param {Timeline} timeline @param {number} [step] */
export function nextDensity(timeline, step = 1) {
    const now = DENSITIES.indexOf(timeline.layout.density);
    const density = DENSITIES[(now + step + DENSITIES.length) % DENSITIES.length];

    choose(timeline, { density });
    say(`rows of ${density} pixels`);
}

/** Changes to the next order of rows.
 *  @param {Timeline} timeline */
export function nextOrder(timeline) {
    const now = ROW_ORDERS.findIndex(([order]) => order === timeline.view.rows.order);
    const [order, text] = ROW_ORDERS[(now + 1) % ROW_ORDERS.length];

    choose(timeline, { order });
    say(`rows ${text}`);
}

/** Hides a row. null: the current row of the keyboard.
 *  @param {Timeline} timeline @param {Lane|null} [lane] */
export function hideRow(timeline, lane = laneRow(timeline)) {
    const { hidden, only } = timeline.view.rows;
    const key = lane?.row ? rowKey(lane.row) : '';

    if (!key)
        return;
    choose(timeline, { hidden: [...hidden.filter((other) => other !== key), key], only: only === key ? '' : only });
    say(`${lane.title} hidden`);
}

/** Hides all other rows but those of cores, or shows them again. null: the current row of the keyboard.
 *  @param {Timeline} timeline @param {Lane|null} [lane] */
export function soloRow(timeline, lane = laneRow(timeline)) {
    const { only } = timeline.view.rows;
    const key = lane?.row ? rowKey(lane.row) : '';

    if (only)
        choose(timeline, { only: '' });
    else if (key)
        choose(timeline, { only: key });
    say(only || !key ? 'all rows' : `only ${lane.title}`);
}

/** Shows all hidden rows again.
 *  @param {Timeline} timeline */
export function showAllRows(timeline) {
    timeline.view.set({ rows: withAllRows(timeline.view.rows) });
    say('all rows');
}

/** Moves the keyboard to the filter. */
export function focusFilter() {
    const filter = /** @type {HTMLInputElement} */ (document.getElementById('row_filter'));

    filter.focus();
    filter.select();
}

/** @param {Timeline} timeline */
export function startRowTools(timeline) {
    const { view, element: parent } = timeline;
    const filter = element('input', { type: 'search', id: 'row_filter', placeholder: 'Rows', spellcheck: 'false',
        'aria-label': 'Shows rows whose name contains this text', title: 'Shows rows whose name contains this text (i)' });
    const order = element('select', { id: 'row_order', 'aria-label': 'Order of rows', title: 'Order of rows (j)' },
        ...ROW_ORDERS.map(([value, text]) => element('option', { value }, text)));
    const density = element('button', { type: 'button', id: 'row_density', title: 'Height of rows (y)', 'aria-label': 'Height of rows' },
        element('i'), element('i'), element('i'));
    const strip = element('div', { id: 'row_tools', role: 'toolbar', 'aria-label': 'Rows' }, filter, order, density);
    const hidden = element('button', { type: 'button', id: 'rows_hidden', title: 'Shows all rows (u)', hidden: true });

    strip.style.top = `${SIZES.minimap}px`;
    strip.style.height = `${SIZES.axis}px`;
    filter.addEventListener('input', () => choose(timeline, { filter: filter.value }));
    filter.addEventListener('keydown', (event) => {
        if (event.key === 'Escape')
            choose(timeline, { filter: ALL_ROWS.filter });
        if (event.key === 'Escape' || event.key === 'Enter')
            filter.blur();
    });
    order.addEventListener('change', () => choose(timeline, { order: /** @type {any} */ (order.value) }));
    density.addEventListener('click', (event) => nextDensity(timeline, event.shiftKey ? -1 : 1));
    hidden.addEventListener('click', () => showAllRows(timeline));
    parent.append(strip, hidden);
    new NameTools(timeline);

    const update = () => {
        const wide = timeline.namesWidth();

        strip.hidden = !view.trace;
        strip.style.width = `${wide - 1}px`;
        strip.classList.toggle('narrow', wide < SIZES.names);
        hidden.style.width = `${wide - 1}px`;
        if (filter.value !== view.rows.filter)
            filter.value = view.rows.filter;
        order.value = view.rows.order;
        density.dataset.density = String(densityOf(view.rows, timeline.layout.rows.filter(({ kind }) => kind === 'thread').length));
        hidden.hidden = !view.trace || !hidesRows(view.rows) || timeline.layout.hidden === 0;
        setText(hidden, `${formatNumber(timeline.layout.hidden)} ${timeline.layout.hidden === 1 ? 'row' : 'rows'} hidden: show`);
    };

    timeline.onLayout = update;
    update();
}

/** The two buttons beside the name under the pointer. */
class NameTools {
    /** @param {Timeline} timeline */
    constructor(timeline) {
        this.timeline = timeline;
        /** @type {Lane|null} */
        this.lane = null;
        this.solo = element('button', { type: 'button', class: 'solo' }, 'only');
        this.hide = element('button', { type: 'button', class: 'hide', title: 'Hides this row (k)', 'aria-label': 'Hides this row' }, '×');
        this.box = element('div', { id: 'name_tools', hidden: true }, this.solo, this.hide);
        this.solo.addEventListener('click', () => this.act(soloRow));
        this.hide.addEventListener('click', () => this.act(hideRow));
        this.box.addEventListener('pointerleave', (event) => this.leave(event));
        timeline.element.append(this.box);
        timeline.overlayCanvas.addEventListener('pointermove', (event) => this.move(event));
        timeline.overlayCanvas.addEventListener('pointerleave', (event) => this.leave(event));
        timeline.overlayCanvas.addEventListener('pointerdown', () => this.show(null));
        timeline.overlayCanvas.addEventListener('wheel', () => this.show(null), { passive: true });
    }

    /** @param {(timeline: Timeline, lane: Lane) => void} action */
    act(action) {
        if (this.lane)
            action(this.timeline, this.lane);
        this.show(null);
    }

    /** @param {PointerEvent} event */
    move(event) {
        const { timeline } = this;
        const box = timeline.overlayCanvas.getBoundingClientRect();
        const inNames = event.clientX - box.left < timeline.namesWidth() && timeline.view.trace && !event.buttons;
        const lane = inNames ? timeline.laneAt(event.clientY - box.top) : null;

        this.show(lane?.row && lane.row.kind !== 'core' ? lane : null);
    }

    /** @param {PointerEvent} event */
    leave(event) {
        if (!(event.relatedTarget instanceof Node) || !this.box.contains(event.relatedTarget))
            this.show(null);
    }

    /** @param {Lane|null} lane */
    show(lane) {
        const { timeline, box } = this;

        if (lane === this.lane)
            return;
        this.lane = lane;
        box.hidden = lane === null;
        if (!lane)
            return;
        const { only } = timeline.view.rows;

        setText(this.solo, only ? 'all' : 'only');
        this.solo.title = only ? 'Shows the other rows again (l)' : 'Shows only this row (l)';
        box.style.top = `${SIZES.minimap + SIZES.axis + lane.y - timeline.scroll}px`;
        box.style.height = `${lane.height - 1}px`;
        box.style.right = `${timeline.width - timeline.namesWidth() + 2}px`;
    }
}
