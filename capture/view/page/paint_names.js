// SPDX-License-Identifier: MIT
/* Paints the column left of the lanes: names, priorities, and the CPU share of each row in the view. Also paints the axis. */
import { axisMarks } from './axis.js';
import { px, toX } from './frame.js';
import { threadColour } from './paint_states.js';
import { kindTitle } from './rows_layout.js';
import { formatNumber, formatShare, formatSpan } from './units.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./decoder.js').TraceRow} TraceRow
 * @typedef {import('./rows_layout.js').Lane} Lane
 */

/** A column of names narrower than this, in CSS px, shows no figures. */
const NARROW = 160;

/** Minimum height of a lane with a bar for its share, in CSS px. */
const BAR_LEAST = 28;

/** @param {Frame} frame @param {number} bottom of the lanes */
export function paintGrid(frame, bottom) {
    const { ctx, colours, d } = frame;
    const axis = axisOf(frame);
    const width = Math.max(1, Math.round(d));

    ctx.fillStyle = colours.line;
    for (const mark of axis.marks)
        ctx.fillRect(Math.round(toX(frame, mark.at)), frame.top, width, bottom - frame.top);
}

/** @param {Frame} frame */
export function paintAxis(frame) {
    const { ctx, colours, d, axisTop, top } = frame;
    const axis = axisOf(frame);
    const width = Math.max(1, Math.round(d));

    ctx.fillStyle = colours.sunken;
    ctx.fillRect(0, axisTop, frame.left + frame.width, top - axisTop);
    ctx.fillStyle = colours.lineStrong;
    for (let at = Math.ceil(frame.from / axis.small) * axis.small; at <= frame.to; at += axis.small)
        ctx.fillRect(Math.round(toX(frame, at)), top - px(frame, 4), width, px(frame, 4));
    ctx.font = frame.font;
    for (const mark of axis.marks) {
        const x = Math.round(toX(frame, mark.at));

        ctx.fillStyle = colours.lineStrong;
        ctx.fillRect(x, top - px(frame, 9), width, px(frame, 9));
        ctx.fillStyle = colours.quiet;
        ctx.fillText(frame.byEvent ? `#${formatNumber(frame.trace.seq(mark.at))}` : mark.text, x + 5 * d, axisTop + (top - axisTop) / 2 - d);
    }
    ctx.fillStyle = colours.sunken;
    ctx.fillRect(0, axisTop, frame.left, top - axisTop);
    ctx.fillStyle = colours.lineStrong;
    ctx.fillRect(0, top - width, frame.left + frame.width, width);
}

/** @param {Frame} frame */
function axisOf(frame) {
    return axisMarks({
        from: frame.from, to: frame.to, width: frame.width / frame.d, hz: frame.hz, byEvent: frame.byEvent,
    });
}

/** Returns the length of the visible part.
 *  @param {Frame} frame */
export function spanText(frame) {
    const span = frame.to - frame.from;

    return frame.byEvent ? `${formatNumber(Math.round(span))} events shown` : `${formatSpan(Math.round(span), frame.hz)} shown`;
}

/** @typedef {{value: string, share: number}} RowFacts figures of a row in the view; share -1: not known */

/**
 * Paints the name of a lane, its priority and its figures.
 * @param {Frame} frame
 * @param {Lane} lane
 * @param {number} y top of the lane @param {number} height
 * @param {RowFacts|null} facts null: head of a group
 */
export function paintName(frame, lane, y, height, facts) {
    if (!lane.row)
        paintHead(frame, lane, y, height);
    else
        paintRowName(frame, lane, y, height, facts);
}

/** @param {Frame} frame @param {Lane} lane @param {number} y @param {number} height */
function paintHead(frame, lane, y, height) {
    const { ctx, colours, texts, d } = frame;
    const middle = y + height / 2;

    ctx.fillStyle = colours.quiet;
    ctx.beginPath();
    if (lane.folded) {
        ctx.moveTo(13 * d, middle - 4 * d);
        ctx.lineTo(18 * d, middle);
        ctx.lineTo(13 * d, middle + 4 * d);
    } else {
        ctx.moveTo(11 * d, middle - 2.5 * d);
        ctx.lineTo(19 * d, middle - 2.5 * d);
        ctx.lineTo(15 * d, middle + 2.5 * d);
    }
    ctx.fill();
    ctx.font = frame.fontBold;
    const title = lane.folded ? `${lane.title} (${lane.members.length})` : lane.title;

    ctx.fillText(texts.fit(frame.fontBold, title, frame.left - 34 * d), 25 * d, middle + d / 2);
}

/** @param {Frame} frame @param {Lane} lane @param {number} y @param {number} height @param {RowFacts} facts */
function paintRowName(frame, lane, y, height, facts) {
    const { ctx, colours, texts, d } = frame;
    const { row } = lane;
    const strong = row.kind === 'thread' || row.kind === 'core';
    const font = lane.folded ? frame.fontRowSmall : strong ? frame.fontNameBold : frame.fontName;
    const middle = y + height / 2;
    const right = frame.left - 10 * d;
    const narrow = frame.left < NARROW * d;
    const value = lane.folded || (narrow && row.kind !== 'core') ? '' : facts.value;
    const hasBar = facts.share >= 0 && !lane.folded && height >= BAR_LEAST * d;
    let x = 12 * d;

    if (row.kind === 'thread')
        x = paintPriority(frame, row, y, height);
    ctx.font = frame.fontRowSmall;
    ctx.fillStyle = colours.quiet;
    const wide = value ? Math.max(texts.width(frame.fontRowSmall, value), hasBar ? 36 * d : 0) + 8 * d : 0;
    const room = right - x - wide;

    if (value && row.kind !== 'core')
        ctx.fillText(value, right - texts.width(frame.fontRowSmall, value), middle - (hasBar ? 3 * d : 0) + d / 2);
    if (hasBar)
        paintShare(frame, right, narrow ? y + height - 6 * d : middle + 8 * d, facts.share, threadColour(frame, row.row));
    if (value && row.kind === 'core')
        ctx.fillText(value, x + texts.width(font, lane.title) + 8 * d, middle + d / 2);
    ctx.font = font;
    ctx.fillStyle = strong ? colours.text : colours.quiet;
    ctx.fillText(texts.fitEnds(font, lane.title, room), x, middle + d / 2);
}

/** Paints the priority and the thread's colour.
 *  @returns {number} x of the name
 *  @param {Frame} frame @param {TraceRow} row @param {number} y @param {number} height */
function paintPriority(frame, row, y, height) {
    const { ctx, colours, texts, d } = frame;
    const text = Number.isInteger(row.priority) && row.priority >= 0 ? String(row.priority) : '';
    const middle = y + height / 2;
    const chip = Math.min(14 * d, height - 2 * d);

    ctx.font = frame.fontRowSmall;
    ctx.fillStyle = colours.quiet;
    ctx.fillText(text, 30 * d - texts.width(frame.fontRowSmall, text), middle + d / 2);
    ctx.fillStyle = threadColour(frame, row.row);
    ctx.fillRect(Math.round(36 * d), Math.round(middle - chip / 2), px(frame, 4), Math.round(chip));
    return 47 * d;
}

/** Paints the scale of a core's load beside its lane.
 *  @param {Frame} frame @param {import('./frame.js').Box} box */
export function paintLoadAxis(frame, box) {
    const { ctx, colours, texts, d } = frame;
    const right = frame.left - 6 * d;

    ctx.font = frame.fontAxis;
    ctx.fillStyle = colours.quiet;
    for (const [text, y] of /** @type {[string, number][]} */ ([['100 %', box.y + 4 * d], ['50', box.y + box.height / 2], ['0', box.y + box.height - 4 * d]])) {
        ctx.fillText(text, right - texts.width(frame.fontAxis, text), y);
    }
    ctx.fillStyle = colours.lineStrong;
    for (const y of [box.y, box.y + (box.height >> 1), box.y + box.height - 1])
        ctx.fillRect(frame.left - 4 * d, y, 4 * d, 1);
}

/** @param {Frame} frame @param {number} right @param {number} y @param {number} share @param {string} colour */
function paintShare(frame, right, y, share, colour) {
    const { ctx, colours } = frame;
    const width = px(frame, 36);
    const height = px(frame, 3);
    const x = Math.round(right - width);

    ctx.fillStyle = colours.lineStrong;
    ctx.fillRect(x, Math.round(y), width, height);
    ctx.fillStyle = colour;
    ctx.fillRect(x, Math.round(y), Math.round(Math.min(1, share) * width), height);
}

/**
 * Returns the figures of a row of user values.
 * @param {TraceRow} row @param {string} text the last value in the view
 * @returns {RowFacts}
 */
export function userFacts(row, text) {
    return { value: row.unpaired ? `${formatNumber(row.unpaired)} unpaired` : text, share: -1 };
}

/**
 * Returns the figures of a row in the view.
 * @param {TraceRow} row
 * @param {import('./decoder.js').StateSums|null} sums null for counters
 * @param {number} span visible ticks of the trace
 * @param {number} most for counters: the largest value
 * @returns {RowFacts}
 */
export function rowFacts(row, sums, span, most) {
    if (row.counter)
        return { value: counterFact(row, most), share: -1 };
    if (!sums || !(span > 0) || row.kind === 'mutex')
        return { value: row.kind === 'mutex' ? kindTitle(row.kind) : '', share: -1 };
    const known = span - (sums.unknown ?? 0);
    const busy = { core: sums.running + sums.isr, isr: sums.isr, thread: sums.running, idle: sums.idle }[row.kind];

    if (!(known > 0) || busy === undefined)
        return { value: '', share: -1 };
    const share = busy / span;
    const text = formatShare(share);
    const certain = text === formatShare((busy + (sums.unknown ?? 0)) / span);

    return { value: certain ? text : atLeast(share, text), share: row.kind === 'thread' ? share : -1 };
}

/** Returns the certain part of a share, if a part of the view is not known.
 *  @param {number} share @param {string} text */
function atLeast(share, text) {
    if (share === 0)
        return '';
    return text.startsWith('<') ? '> 0 %' : `≥ ${text}`;
}

/** @param {TraceRow} row @param {number} most */
function counterFact(row, most) {
    const limit = row.capacity || most;

    return limit ? `${kindTitle(row.kind)} ≤ ${formatNumber(limit)}` : kindTitle(row.kind);
}
