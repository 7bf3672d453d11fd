// SPDX-License-Identifier: MIT
/* Paints rows that have a value: the fill level of a queue, the count of a semaphore, the free space of a pool. */
import { VALUES_LAST } from './abi.js';
import { px } from './frame.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./abi.js').RowValues} RowValues
 */

/** Minimum length of a value with a text, in CSS px. */
const VALUE_ROOM = 30;

/**
 * @typedef {{x: number, y: number, text: string, room: number}} ValueText
 * @param {Frame} frame
 * @param {import('./decoder.js').TraceRow} row
 * @param {import('./frame.js').Box} box
 * @param {number} top the value at the top of the box
 * @param {ValueText[]} values receives the values to label
 */
export function paintCounter(frame, row, box, top, values) {
    const { ctx, query, colours } = frame;
    const pieces = frame.trace.values(row.row, query.from, query.to, query.count, frame.byEvent);
    const bottom = box.y + box.height;
    const edge = px(frame, 1.5);
    /** @param {number} value */
    const yOf = (value) => bottom - Math.round((Math.min(value, top) * (box.height - edge)) / Math.max(top, 1));

    ctx.fillStyle = colours.level;
    eachValue(pieces, (i, x, width, least) => ctx.fillRect(query.x + x, yOf(least), width, bottom - yOf(least)));
    ctx.fillStyle = colours.levelRange;
    eachValue(pieces, (i, x, width, least, most) => {
        if (least < most)
            ctx.fillRect(query.x + x, yOf(most), width, yOf(least) - yOf(most));
    });
    ctx.fillStyle = colours.levelEdge;
    eachValue(pieces, (i, x, width, least, most) => {
        const known = i > 0 && pieces.x1(i - 1) === x && (pieces.flags(i - 1) & VALUES_LAST) !== 0;

        ctx.fillRect(query.x + x, yOf(most) - edge, width, edge);
        if (known && least === most)
            paintRise(ctx, query.x + x, yOf(pieces.last(i - 1)), yOf(most), edge, frame.d);
    });
    addValues(frame, pieces, { bottom, yOf }, values);
}

/** Calls use(i, column, width, least, most) for each piece whose values are known.
 *  @param {RowValues} pieces @param {(i: number, x: number, width: number, least: number, most: number) => void} use */
function eachValue(pieces, use) {
    for (let i = 0; i < pieces.length; i++) {
        const least = pieces.min(i);
        const most = pieces.max(i);
        const x = pieces.x0(i);

        if (least <= most)
            use(i, x, pieces.x1(i) - x, least, most);
    }
}

/** Draws the vertical line between two values.
 *  @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} before @param {number} y @param {number} edge
 *  @param {number} d */
function paintRise(ctx, x, before, y, edge, d) {
    const low = Math.max(before, y);
    const high = Math.min(before, y);

    if (low > high)
        ctx.fillRect(x, high - edge, Math.max(1, Math.round(d)), low - high + edge);
}

/**
 * @param {Frame} frame @param {RowValues} pieces @param {{bottom: number, yOf: (value: number) => number}} of
 * @param {ValueText[]} values
 */
function addValues(frame, pieces, { bottom, yOf }, values) {
    const room = VALUE_ROOM * frame.d;

    for (let i = 0; i < pieces.length; i++) {
        const most = pieces.max(i);
        const width = pieces.x1(i) - pieces.x0(i);

        if (pieces.min(i) !== most || most === 0 || width < room)
            continue;
        const x = frame.query.x + pieces.x0(i);
        const y = yOf(most);
        const inside = bottom - y >= 14 * frame.d;

        values.push({ x, room: width, text: String(most), y: inside ? y + 8 * frame.d : y - 8 * frame.d });
    }
}
