// SPDX-License-Identifier: MIT
/* Paints rows that have a value: how full a queue is, a semaphore's count, what a pool has left. */
import { px } from './frame.js';

/** A value gets a text where it lasts that long, in CSS px. */
const VALUE_ROOM = 30;

/** A value that is not known. */
const VALUE_UNKNOWN = 0xffffffff;

/**
 * @typedef {{x: number, y: number, text: string, room: number}} ValueText
 * @param {import('./frame.js').Frame} frame
 * @param {import('./decoder.js').TraceRow} row
 * @param {import('./frame.js').Box} box
 * @param {number} top the value that is as high as the box
 * @param {ValueText[]} values gets what is worth a text
 */
export function paintCounter(frame, row, box, top, values) {
    const { ctx, query, colours } = frame;
    const pieces = frame.trace.columns(row.row, query.from, query.to, query.count, frame.byEvent);
    const { u16, u32 } = pieces;
    const bottom = box.y + box.height;
    const edge = px(frame, 1.5);
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
        const known = i > 0 && u16[i * 8 - 7] === x && u32[i * 4 - 1] !== VALUE_UNKNOWN;

        ctx.fillRect(query.x + x, yOf(most) - edge, width, edge);
        if (known && least === most)
            paintRise(ctx, query.x + x, yOf(u32[i * 4 - 1]), yOf(most), edge, frame.d);
    });
    addValues(frame, pieces, { bottom, yOf }, values);
}

/** Calls use(i, column, width, least, most) for each piece whose values are known. */
function eachValue({ u16, u32, length }, use) {
    for (let i = 0; i < length; i++)
        if (u32[i * 4 + 1] <= u32[i * 4 + 2])
            use(i, u16[i * 8], u16[i * 8 + 1] - u16[i * 8], u32[i * 4 + 1], u32[i * 4 + 2]);
}

/** The upright line between two values. */
function paintRise(ctx, x, before, y, edge, d) {
    const low = Math.max(before, y);
    const high = Math.min(before, y);

    if (low > high)
        ctx.fillRect(x, high - edge, Math.max(1, Math.round(d)), low - high + edge);
}

function addValues(frame, { u16, u32, length }, { bottom, yOf }, values) {
    const room = VALUE_ROOM * frame.d;

    for (let i = 0; i < length; i++) {
        const [least, most] = [u32[i * 4 + 1], u32[i * 4 + 2]];
        const width = u16[i * 8 + 1] - u16[i * 8];

        if (least !== most || most === 0 || width < room)
            continue;
        const x = frame.query.x + u16[i * 8];
        const y = yOf(most);
        const inside = bottom - y >= 14 * frame.d;

        values.push({ x, room: width, text: String(most), y: inside ? y + 8 * frame.d : y - 8 * frame.d });
    }
}
