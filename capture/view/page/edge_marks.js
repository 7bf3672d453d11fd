// SPDX-License-Identifier: MIT
/*
 * Marks at the edges of the lanes, shown if the picture, or the selected row, has no event. They tell how far away the
 * previous and the next event are. A click on a mark goes to its event.
 */
import { px } from './frame.js';
import { formatNumber, formatSpan } from './units.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./view_state.js').ViewState} ViewState
 * @typedef {{x: number, y: number, width: number, height: number, text: string, index: number, row: number}} EdgeMark x, y in
 * pixels of the frame; index: the event that a click selects; row: its row, or -1
 */

/** Height of a mark and the free space beside its text, in CSS px. */
const MARK_HEIGHT = 17;
const MARK_PAD = 6;

/** Distance from the edges of the lanes, in CSS px; the right edge has the scroll bar. */
const MARK_AWAY = { left: 4, right: 10 };

/**
 * Returns the marks of a picture.
 * @param {Frame} frame @param {ViewState} view @param {number} row the selected row, or -1
 * @returns {EdgeMark[]}
 */
export function edgeMarks(frame, view, row) {
    const { trace } = frame;

    if (!trace || frame.byEvent)
        return [];
    const { first, events } = trace.state();
    const from = Math.max(0, Math.ceil(view.from));
    const next = trace.index(from);
    const y = frame.top + (MARK_HEIGHT / 2 + 4) * frame.d;
    const box = row >= 0 ? frame.boxOf(row) : null;
    const marks = [];

    if (!events)
        return [];
    if (next >= first + events || trace.ticks(next) > view.to)
        marks.push(...pairOf(frame, view, next > first ? next - 1 : -1, next < first + events ? next : -1, y, -1));
    if (box && box.y >= frame.top)
        marks.push(...rowMarks(frame, view, row, box.y + box.height / 2));
    return marks;
}

/** Returns the marks of a row without an event in the view.
 *  @param {Frame} frame @param {ViewState} view @param {number} row @param {number} y */
function rowMarks(frame, view, row, y) {
    const from = Math.max(0, Math.ceil(view.from));
    const next = frame.trace.near(row, from, true);

    if (next >= 0 && frame.trace.ticks(next) <= view.to)
        return [];
    return pairOf(frame, view, frame.trace.near(row, from, false), next, y, row);
}

/** Returns the marks for the previous and the next event; -1: no such event.
 *  @param {Frame} frame @param {ViewState} view @param {number} before @param {number} after @param {number} y @param {number} row
 *  @returns {EdgeMark[]} */
function pairOf(frame, view, before, after, y, row) {
    const { trace, d, hz } = frame;
    const height = px(frame, MARK_HEIGHT);
    const top = Math.round(y - height / 2);
    /** @param {number} ticks */
    const away = (ticks) => spanText(Math.max(0, Math.round(ticks)), hz);
    const marks = [];

    if (before >= 0) {
        const text = `◂ ${away(view.from - trace.ticks(before))}`;

        marks.push({ x: Math.round(frame.left + MARK_AWAY.left * d), y: top, width: widthOf(frame, text), height, text, index: before, row });
    }
    if (after >= 0) {
        const text = `${away(trace.ticks(after) - view.to)} ▸`;
        const width = widthOf(frame, text);

        marks.push({ x: Math.round(frame.left + frame.width - MARK_AWAY.right * d - width), y: top, width, height, text, index: after, row });
    }
    return marks;
}

/** Returns a distance with three digits: "16.0 ms".
 *  @param {number} ticks @param {number} hz */
function spanText(ticks, hz) {
    const [, value, unit] = /^([\d\u202f.]+) (.*)$/.exec(formatSpan(ticks, hz)) ?? [];
    const number = Number(value?.replaceAll('\u202f', ''));

    return hz && number < 100 ? `${formatNumber(number, number < 10 ? 2 : 1)} ${unit}` : formatSpan(ticks, hz);
}

/** @param {Frame} frame @param {string} text */
function widthOf(frame, text) {
    return Math.ceil(frame.texts.width(frame.font, text) + 2 * MARK_PAD * frame.d);
}

/**
 * @param {CanvasRenderingContext2D} ctx @param {Frame} frame
 * @param {number} top of the frame on the canvas
 */
export function paintEdgeMarks(ctx, frame, top) {
    const { colours, d } = frame;

    ctx.font = frame.font;
    for (const { x, y, width, height, text } of frame.edgeMarks) {
        ctx.fillStyle = colours.accent;
        ctx.beginPath();
        ctx.roundRect(x, top + y, width, height, 4 * d);
        ctx.fill();
        ctx.fillStyle = colours.onAccent;
        ctx.fillText(text, x + MARK_PAD * d, top + y + height / 2 + d / 2);
    }
}

/** Returns the mark at a point in CSS px of the frame, or null.
 *  @param {Frame|null} frame @param {number} x @param {number} y */
export function edgeMarkAt(frame, x, y) {
    return frame?.edgeMarks.find((mark) => x * frame.d >= mark.x && x * frame.d < mark.x + mark.width &&
        y * frame.d >= mark.y && y * frame.d < mark.y + mark.height) ?? null;
}
