// SPDX-License-Identifier: MIT
/* Paints the hits of a search: ticks on the axis, and ticks in the lane of the row that recorded the event. */
import { px, toX } from './frame.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./search_hits.js').SearchHits} SearchHits
 * @typedef {{frame: Frame, search: SearchHits, count: number, axis: Uint8Array, rows: Map<number, Uint8Array>}} Placed columns
 * with hits: of all rows, and by row
 */

/** If a picture has more hits than this, their rows are not looked up: the hits are then only on the axis. */
const HITS_LOOKED = 50_000;

/** Height of a tick, in CSS px. */
const TICK = 5;

/** The columns of the newest picture. They are kept because the overlay is painted whenever the pointer moves.
 *  @type {WeakMap<Frame, Placed>} */
const known = new WeakMap();

/** Returns the columns that have hits.
 *  @param {Frame} frame @param {SearchHits} search @returns {Placed} */
function placeHits(frame, search) {
    const { query, trace, byEvent } = frame;
    const found = known.get(frame);

    if (found && found.search === search && found.count === search.count)
        return found;
    const placed = { frame, search, count: search.count, rows: new Map(),
        axis: search.columns(query.from, query.to, query.count, byEvent) };
    const first = search.rank(byEvent ? query.from : trace.index(query.from));
    const end = search.rank(byEvent ? query.to : trace.index(query.to));

    for (const index of end - first <= HITS_LOOKED ? search.list(end - first, first) : [])
        putHit(placed, index);
    known.set(frame, placed);
    return placed;
}

/** @param {Placed} placed @param {number} index */
function putHit({ frame, rows }, index) {
    const { query, trace } = frame;
    const row = trace.rowOf(index);
    const x = Math.round(toX(frame, frame.byEvent ? index + 0.5 : trace.ticks(index))) - query.x;

    if (row < 0 || x < 0 || x >= query.count)
        return;
    if (!rows.has(row))
        rows.set(row, new Uint8Array(query.count));
    rows.get(row)[x] = 1;
}

/**
 * @param {CanvasRenderingContext2D} ctx @param {Frame} frame @param {SearchHits} search
 * @param {number} top of the frame on the canvas
 */
export function paintHits(ctx, frame, search, top) {
    const { axis, rows } = placeHits(frame, search);
    const tick = px(frame, TICK);
    const low = Math.min(tick, px(frame, frame.sizes.above));

    ctx.fillStyle = frame.colours.hit;
    paintTicks(ctx, frame, axis, top + frame.top - tick, tick);
    for (const [row, columns] of rows) {
        const box = frame.boxOf(row);

        if (box && box.y + box.height > frame.top)
            paintTicks(ctx, frame, columns, top + box.y - low, low);
    }
}

/** @param {CanvasRenderingContext2D} ctx @param {Frame} frame @param {Uint8Array} columns @param {number} y @param {number} height */
function paintTicks(ctx, { query, d }, columns, y, height) {
    const width = px({ d }, 2);

    for (let x = 0; x < columns.length; x++)
        if (columns[x])
            ctx.fillRect(query.x + x - (width >> 1), y, width, height);
}
