// SPDX-License-Identifier: MIT
/*
 * Paints the path of an explained span over the picture: each piece is a frame over the row of the thread or interrupt that ran or
 * waited, and lines connect the pieces. Everything else is dimmed.
 */
import { px, toX } from '../frame.js';
import { rowOfParty, rowOfPiece } from './question.js';

/**
 * @typedef {import('../overlay.js').Over} Over
 * @typedef {import('./question.js').Answer} Answer
 * @typedef {{x0: number, x1: number, y: number, height: number, index: number}} Part a piece on the screen; y: its top
 */

/** Returns the screen position of a time, at most a little outside the lanes.
 *  @param {Over} over @param {number} ticks */
function edge({ frame, view }, ticks) {
    const x = Math.round(toX(frame, view.position(ticks)));

    return Math.min(Math.max(x, frame.left - 9), frame.left + frame.width + 9);
}

/** Returns the visible pieces, in the order of time. Rows that are hidden have no pieces.
 *  @param {Over} over @param {Answer} answer @returns {Part[]} */
export function partsOfPath(over, answer) {
    const { frame, top } = over;
    const rows = frame.trace.rows();

    return answer.pieces.flatMap((piece, index) => {
        const row = rowOfPiece(rows, piece);
        const box = row >= 0 ? frame.boxOf(row) : null;
        const x0 = edge(over, piece.from);

        return box ? [{ x0, x1: Math.max(edge(over, piece.to), x0 + px(frame, 1)), y: top + box.y, height: box.height, index }] : [];
    });
}

/** @param {Over} over @param {{answer: Answer, piece: number}} why piece: index of the highlighted piece; -1: no piece */
export function paintPath(over, { answer, piece: chosen }) {
    const { ctx, frame, colours, top, bottom, d } = over;
    const parts = partsOfPath(over, answer);
    const own = frame.boxOf(rowOfParty(frame.trace.rows(), answer.thread));
    const lanes = top + frame.top;

    ctx.save();
    ctx.beginPath();
    ctx.rect(frame.left, lanes, frame.width, bottom - lanes);
    ctx.clip();
    ctx.fillStyle = colours.veil;
    ctx.fillRect(frame.left, lanes, frame.width, bottom - lanes);
    if (own)
        ctx.clearRect(edge(over, answer.start.ticks), top + own.y, edge(over, answer.end.ticks) - edge(over, answer.start.ticks), own.height);
    for (const { x0, x1, y, height } of parts)
        ctx.clearRect(x0, y, x1 - x0, height);
    ctx.strokeStyle = ctx.fillStyle = colours.accent;
    ctx.lineWidth = px({ d }, 1.5);
    paintLines(over, parts);
    for (const part of parts)
        paintPart(over, part, part.index === chosen);
    if (own)
        paintSpan(over, own, answer);
    ctx.restore();
}

/** Connects each piece with the next piece: time passes without a hole, so the lines are vertical.
 *  @param {Over} over @param {Part[]} parts */
function paintLines({ ctx }, parts) {
    ctx.beginPath();
    for (const [at, { x1, y, height, index }] of parts.entries()) {
        const next = parts[at + 1];

        if (next?.index !== index + 1 || next.y === y)
            continue;
        const down = next.y > y;

        ctx.moveTo(x1, down ? y + height : y);
        ctx.lineTo(x1, down ? next.y : next.y + next.height);
    }
    ctx.stroke();
}

/** @param {Over} over @param {Part} part @param {boolean} chosen */
function paintPart({ ctx, d }, { x0, x1, y, height }, chosen) {
    const out = chosen ? 3 * d : d;

    if (chosen) {
        ctx.globalAlpha = 0.35;
        ctx.fillRect(x0 - out, y - out, x1 - x0 + 2 * out, height + 2 * out);
        ctx.globalAlpha = 1;
    }
    ctx.lineWidth = px({ d }, chosen ? 3 : 1.5);
    ctx.strokeRect(x0, y - out, Math.max(1, x1 - x0), height + 2 * out);
}

/** Paints a bracket under the row of the thread, from the start of the span to its end.
 *  @param {Over} over @param {import('../frame.js').Box} box @param {Answer} answer */
function paintSpan(over, box, answer) {
    const { ctx, top, d } = over;
    const y = top + box.y + box.height + 2 * d;
    const from = edge(over, answer.start.ticks);
    const to = edge(over, answer.end.ticks);

    ctx.lineWidth = px({ d }, 1.5);
    ctx.beginPath();
    ctx.moveTo(from, y - 3 * d);
    ctx.lineTo(from, y);
    ctx.lineTo(to, y);
    ctx.lineTo(to, y - 3 * d);
    ctx.stroke();
}
