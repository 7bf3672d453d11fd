// SPDX-License-Identifier: MIT
/* The card over a dense part of a row: the time of the pointer's column, and the shares of states or threads in it. */
import { PIECE_DENSE } from './abi.js';
import { element } from './dom.js';
import { toPosition, toX } from './frame.js';
import { isLinear, layerColour } from './paint_states.js';
import { LAYER_INTERRUPTS, LAYER_OTHER, loadLayers } from './load_layers.js';
import { formatBetween, formatNumber, formatSmallShare } from './units.js';
import { isSampledRow } from './user_values.js';

/**
 * @typedef {import('./timeline.js').Timeline} Timeline
 * @typedef {import('./view_state.js').Hover} Hover
 * @typedef {{from: number, to: number, columns: {from: number, to: number, count: number, byEvent: boolean}, steps: number}}
 *     Area of a column: from, to in ticks; steps: changes of the row in it
 */

/** A column with more changes than this is shown as an area. */
const CHANGES_FEW = 2;

/** The largest count that RowColumns.steps() returns. */
const STEPS_MOST = 65535;

/** Maximum number of threads on the card. */
const THREADS_MOST = 8;

/** Returns the area under the pointer; null: the row shows single steps there.
 *  @param {Timeline} timeline @param {Hover} hover @returns {Area|null} */
export function areaAt({ frame, layout, view }, hover) {
    const row = layout.rows[hover.row];

    if (!row || !frame || row.counter || isSampledRow(row))
        return null;
    const x = Math.floor(toX(frame, view.position(hover.ticks)));
    const from = Math.max(frame.query.from, Math.floor(toPosition(frame, x)));
    const to = Math.min(frame.query.to, Math.max(from + 1, Math.ceil(toPosition(frame, x + 1))));

    if (to <= from)
        return null;
    const columns = { from, to, count: 1, byEvent: frame.byEvent };
    const pieces = view.trace.columns(hover.row, from, to, 1, frame.byEvent);

    if (!pieces.length || !(pieces.flags(0) & PIECE_DENSE) || pieces.steps(0) <= CHANGES_FEW)
        return null;
    return { from: view.ticksAt(from), to: view.ticksAt(to), columns, steps: pieces.steps(0) };
}

/** @param {Timeline} timeline @param {number} row @param {Area} area */
export function areaParts(timeline, row, area) {
    const { layout, view } = timeline;
    const { hz } = view.trace.state();
    const isCore = layout.rows[row].kind === 'core';
    const parts = isCore ? coreParts(timeline, row, area) : stateParts(timeline, row, area);

    return [
        element('h2', {}, `${layout.names[row]} – ${formatBetween(area.from, area.to, hz)}`),
        element('dl', { class: 'shares' }, ...parts.flatMap(({ name, share, colour }) => {
            const chip = element('i', { 'aria-hidden': 'true' });

            chip.style.background = colour;
            return [element('dt', {}, chip, name), element('dd', {}, share)];
        })),
        element('p', { class: 'quiet' }, `${formatNumber(area.steps)}${area.steps === STEPS_MOST ? ' or more' : ''} changes in this column`),
        element('p', { class: 'quiet' }, isLinear(layout.rows[row]) ? 'height: 0 to 100 %' : 'height: 0.1 % a quarter, 1 % half, 10 % three quarters'),
    ];
}

/** Returns the load of the threads and the interrupts, largest first.
 *  @param {Timeline} timeline @param {number} row @param {Area} area */
function coreParts(timeline, row, area) {
    const { layout, view } = timeline;
    const single = layout.rows.filter(({ kind }) => kind === 'core').length === 1;
    const { layers, total } = loadLayers(view.trace, [layout.rows[row]], area.columns, single);
    /** @param {import('./load_layers.js').Layer} layer */
    const partOf = ({ row: of, load }) => ({
        name: of === LAYER_INTERRUPTS ? 'interrupts' : of === LAYER_OTHER ? 'running' : layout.names[of],
        share: formatSmallShare(load[0]), colour: layerColour(timeline.frame, of),
    });
    const threads = layers.filter(({ row: of, load }) => of !== LAYER_INTERRUPTS && load[0] > 0).sort((a, b) => b.load[0] - a.load[0]);
    const rest = threads.slice(THREADS_MOST);
    const more = rest.length ? [{ name: `${rest.length} more`, share: formatSmallShare(rest.reduce((sum, { load }) => sum + load[0], 0)),
        colour: 'transparent' }] : [];

    return [...threads.slice(0, THREADS_MOST).map(partOf), ...more, ...layers.filter(({ row: of }) => of === LAYER_INTERRUPTS).map(partOf),
        { name: 'all', share: formatSmallShare(total[0]), colour: 'transparent' }];
}

/** Returns the share of each state.
 *  @param {Timeline} timeline @param {number} row @param {Area} area */
function stateParts({ frame, view }, row, area) {
    const sums = view.trace.sums(row, area.from, area.to);
    const span = Object.values(sums).reduce((sum, ticks) => sum + ticks, 0);
    const { colours } = frame;
    /** @type {[name: string, ticks: number, colour: string][]} */
    const list = [
        ['running', sums.running, layerColour(frame, row)], ['interrupted', sums.interrupted, colours.interrupted],
        ['ready', sums.ready, colours.ready], ['waits', sums.blocked, colours.waits], ['active', sums.isr, colours.interrupt],
        ['idle', sums.idle, colours.idle], ['held', sums.held, colours.mutex], ['unknown', sums.unknown, 'transparent'],
    ];

    return list.filter(([, ticks]) => ticks > 0)
        .map(([name, ticks, colour]) => ({ name, share: formatSmallShare(ticks / Math.max(span, 1)), colour }));
}
