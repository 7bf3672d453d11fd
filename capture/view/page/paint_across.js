// SPDX-License-Identifier: MIT
/* Paints across all rows: gaps in the trace, and marks for events of the target and of checks. */
import { px, toPosition, toX } from './frame.js';
import { gapText, shortGapText } from './loss.js';
import { plainText } from './plain_text.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./decoder.js').TraceGap} TraceGap
 * @typedef {import('./decoder.js').TraceMark} TraceMark
 */

/** Maximum number of marks or gaps per request. */
const ACROSS_AT_ONCE = 16;

/**
 * Gets the visible entries of a list of the trace. If several entries are in one pixel, gets only the first.
 * @template T
 * @param {(from: number, to: number, most: number) => T[]} ask such as trace.gapsBetween()
 * @param {number} from ticks
 * @param {number} to ticks
 * @param {(last: T) => number} behind first ticks of the next pixel, after the entry `last`
 */
export function listAcross(ask, from, to, behind) {
    const found = [];

    for (let at = from; at <= to;) {
        const some = ask(at, to, ACROSS_AT_ONCE);

        found.push(...some);
        at = some.length < ACROSS_AT_ONCE ? Infinity : Math.max(at + 1, behind(some.at(-1)));
    }
    return found;
}

/** Returns the first ticks of the pixel after x.
 *  @param {Frame} frame @param {number} x */
function ticksBehind(frame, x) {
    const position = Math.ceil(toPosition(frame, Math.floor(x) + 1));

    return frame.byEvent ? frame.trace.ticks(position) : position;
}

/** Returns the edges of a gap on the axis. In the sequential view a gap is a line without width.
 *  @param {Frame} frame @param {TraceGap} gap */
function gapEdges(frame, gap) {
    if (frame.byEvent)
        return [toX(frame, gap.index), toX(frame, gap.index)];
    return [toX(frame, gap.from), toX(frame, gap.to)];
}

/** @param {Frame} frame */
function gapsAcross(frame) {
    /** @param {number} from @param {number} to @param {number} most */
    const ask = (from, to, most) => frame.trace.gapsBetween(from, to, most);

    return listAcross(ask, frame.ticksFrom, frame.ticksTo, (gap) => Math.max(gap.to + 1, ticksBehind(frame, gapEdges(frame, gap)[1])));
}

/** @param {Frame} frame @param {number} bottom of the lanes */
export function paintGaps(frame, bottom) {
    const { ctx, colours, texts, d } = frame;

    for (const gap of gapsAcross(frame)) {
        const [from, to] = gapEdges(frame, gap);
        const x = Math.round(Math.max(from, frame.left));
        const width = Math.max(px(frame, 2), Math.round(Math.min(to, frame.left + frame.width)) - x);
        const text = texts.whole(frame.fontBold, gapText(gap), width - 16 * d) ||
            texts.whole(frame.fontBold, shortGapText(gap), width - 16 * d);

        ctx.fillStyle = colours.gap;
        ctx.fillRect(x, frame.top, width, bottom - frame.top);
        ctx.fillStyle = frame.hatch;
        ctx.fillRect(x, frame.top, width, bottom - frame.top);
        if (text)
            paintPlate(frame, text, x + width / 2, frame.top + 18 * d);
    }
}

/** @param {Frame} frame @param {string} text @param {number} middle @param {number} y */
function paintPlate(frame, text, middle, y) {
    const { ctx, colours, texts, d } = frame;
    const width = texts.width(frame.fontBold, text);

    ctx.font = frame.fontBold;
    ctx.fillStyle = colours.gap;
    ctx.fillRect(Math.round(middle - width / 2 - 7 * d), Math.round(y - 10 * d), Math.ceil(width + 14 * d), Math.round(20 * d));
    ctx.fillStyle = colours.gapText;
    ctx.fillText(text, middle - width / 2, y);
}

/** @param {Frame} frame @param {TraceMark} mark */
function markX(frame, mark) {
    return Math.round(toX(frame, frame.byEvent ? mark.index : mark.ticks));
}

/** @param {Frame} frame */
function marksAcross(frame) {
    /** @param {number} from @param {number} to @param {number} most */
    const ask = (from, to, most) => frame.trace.marksBetween(from, to, most);

    return listAcross(ask, frame.ticksFrom, frame.ticksTo, (mark) => Math.max(mark.ticks + 1, ticksBehind(frame, markX(frame, mark))));
}

/** @param {Frame} frame @param {number} bottom of the lanes */
export function paintMarks(frame, bottom) {
    const { ctx, colours, texts, d } = frame;
    let free = -Infinity;

    ctx.font = frame.fontBold;
    for (const mark of marksAcross(frame)) {
        const x = markX(frame, mark);
        const full = plainText(mark.text && mark.text !== mark.kind ? `${mark.kind}: ${mark.text}` : mark.kind);
        const text = texts.fit(frame.fontBold, full, Math.min(320 * d, frame.left + frame.width - x - 10 * d));
        const width = Math.ceil(texts.width(frame.fontBold, text) + 10 * d);

        ctx.fillStyle = colours.mark;
        ctx.fillRect(x, frame.axisTop, Math.max(1, Math.round(1.5 * d)), bottom - frame.axisTop);
        if (!text || x < free)
            continue;
        ctx.fillRect(x, frame.top - px(frame, 15), width, px(frame, 15));
        ctx.fillStyle = colours.page;
        ctx.fillText(text, x + 5 * d, frame.top - 7 * d);
        free = x + width + 4 * d;
    }
}
