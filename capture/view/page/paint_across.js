// SPDX-License-Identifier: MIT
/* Paints what goes across all rows: gaps in the trace, and marks of what happened to the target or to the checks. */
import { px, toX } from './frame.js';
import { gapText, shortGapText } from './loss.js';
import { plainText } from './plain_text.js';

/** No more than these in one picture; those that are not there are counted in the header. */
const GAPS_MOST = 200;
const MARKS_MOST = 60;

/** Edges of a gap on the axis: in the sequential view it has no width but a line. */
function gapEdges(frame, gap) {
    if (frame.byEvent)
        return [toX(frame, gap.index), toX(frame, gap.index)];
    return [toX(frame, gap.from), toX(frame, gap.to)];
}

/** @param {import('./frame.js').Frame} frame @param {number} bottom of the lanes */
export function paintGaps(frame, bottom) {
    const { ctx, colours, texts, d } = frame;

    for (const gap of frame.trace.gapsBetween(frame.ticksFrom, frame.ticksTo, GAPS_MOST)) {
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

function paintPlate(frame, text, middle, y) {
    const { ctx, colours, texts, d } = frame;
    const width = texts.width(frame.fontBold, text);

    ctx.font = frame.fontBold;
    ctx.fillStyle = colours.gap;
    ctx.fillRect(Math.round(middle - width / 2 - 7 * d), Math.round(y - 10 * d), Math.ceil(width + 14 * d), Math.round(20 * d));
    ctx.fillStyle = colours.gapText;
    ctx.fillText(text, middle - width / 2, y);
}

/** @param {import('./frame.js').Frame} frame @param {number} bottom of the lanes */
export function paintMarks(frame, bottom) {
    const { ctx, colours, texts, d } = frame;
    let free = -Infinity;

    ctx.font = frame.fontBold;
    for (const mark of frame.trace.marksBetween(frame.ticksFrom, frame.ticksTo, MARKS_MOST)) {
        const x = Math.round(toX(frame, frame.byEvent ? mark.index : mark.ticks));
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
