// SPDX-License-Identifier: MIT
/* Paints all visible lanes: first everything that needs columns of the trace, then the texts on top. */
import { px } from './frame.js';
import { paintCounter } from './paint_counter.js';
import { paintEvents, paintFlags, placeFlags } from './paint_events.js';
import { paintLabels } from './paint_labels.js';
import { paintLoadAxis, paintName, rowFacts, userFacts } from './paint_names.js';
import { paintStates } from './paint_states.js';
import { paintScale, paintUserRow } from './paint_values.js';
import { isPlotRow, isSampledRow, isUserRow } from './user_values.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./rows_layout.js').Lane} Lane
 */

/** A row with a larger crowded part has too many events to be told apart. */
const CROWDED_MOST = 0.5;

/** Minimum height of a bar with texts, in CSS px. */
const LABEL_LEAST = 11;

/**
 * @typedef {{row: number, selected: number, span: number}} Chosen row: of the keyboard; selected: selected row; span: visible
 * ticks
 * @typedef {{labels: import('./paint_states.js').Label[], values: import('./paint_counter.js').ValueText[],
 *     flags: import('./paint_events.js').Flag[]}} Found things to label
 * @typedef {{lane: Lane, y: number, height: number, most: number, isArea: boolean, text: string}} Place of a visible lane; most:
 * largest value of a counter; isArea: a part of the lane is an area graph; text: of its last user value
 * @param {Frame} frame
 * @param {import('./paint_states.js').Label[]} labels receives the labels of all rows
 * @param {Chosen} chosen
 * @returns {() => void} paints the names on top of shapes that extend too far to the left
 */
export function paintLanes(frame, labels, chosen) {
    /** @type {Found} */
    const found = { labels, values: [], flags: [] };
    /** @type {Place[]} */
    const seen = [];

    for (const lane of frame.layout.lanes) {
        const y = frame.top + Math.round(lane.y * frame.d) - frame.scroll;
        const height = Math.round((lane.y + lane.height) * frame.d) - Math.round(lane.y * frame.d);

        placeBoxes(frame, lane, y, height);
        if (y + height <= frame.top || y >= frame.height)
            continue;
        seen.push({ lane, y, height, most: 0, isArea: false, text: '' });
    }
    for (const place of seen)
        paintLane(frame, place, found, chosen);
    frame.ctx.font = frame.font;
    frame.ctx.fillStyle = frame.colours.quiet;
    for (const value of found.values)
        frame.ctx.fillText(frame.texts.whole(frame.font, value.text, value.room - 8 * frame.d), value.x + 5 * frame.d, value.y);
    const flags = placeFlags(frame, found.flags);

    paintLabels(frame, found.labels, flags);
    paintFlags(frame, flags);
    return () => paintNames(frame, seen, chosen);
}

/** Returns the bar of a lane.
 *  @param {Frame} frame @param {Lane} lane @param {number} y @param {number} height */
function barOf(frame, lane, y, height) {
    const { sizes } = frame;
    const small = lane.folded || !lane.row;
    const below = px(frame, small ? Math.min(3, sizes.below) : sizes.below);
    const above = small ? below : px(frame, lane.row.kind === 'thread' ? sizes.above : sizes.below);

    return { y: y + above, height: Math.max(2, height - above - below) };
}

/** Stores the positions of the rows' bars, for arrows.
 *  @param {Frame} frame @param {Lane} lane @param {number} y @param {number} height */
function placeBoxes(frame, lane, y, height) {
    const box = barOf(frame, lane, y, height);

    if (lane.row)
        frame.boxes[lane.row.row] = box;
    for (const member of lane.folded ? lane.members : [])
        frame.boxes[member.row] = box;
}

/** @param {Frame} frame @param {Place} place @param {Found} found @param {Chosen} chosen */
function paintLane(frame, place, found, chosen) {
    const { lane, y, height } = place;
    const { ctx, colours } = frame;
    const box = barOf(frame, lane, y, height);

    if (lane.row && (lane.row.row === chosen.row || lane.row.row === chosen.selected)) {
        ctx.fillStyle = colours.focus;
        ctx.fillRect(frame.left, y, frame.width, height);
    }
    ctx.fillStyle = colours.line;
    ctx.fillRect(frame.left, y + height - 1, frame.width, 1);
    if (!lane.row) {
        for (const member of lane.overview ? lane.members : [])
            paintStates(frame, member, box, null);
        return;
    }
    if (isUserRow(lane.row)) {
        place.text = paintUserRow(frame, lane.row, box, lane.folded ? null : found.values);
        return;
    }
    if (lane.row.counter) {
        place.most = frame.most.get(lane.row.row) ?? 0;
        paintCounter(frame, lane.row, box, place.most, lane.folded || box.height < px(frame, LABEL_LEAST) ? [] : found.values);
        return;
    }
    const painted = paintStates(frame, lane.row, box, lane.folded || box.height < px(frame, LABEL_LEAST) ? null : found.labels);

    place.isArea = painted.isArea;
    if (!lane.folded && lane.row.kind === 'thread' && painted.crowded < CROWDED_MOST)
        paintEvents(frame, lane.row, { y, height }, found.flags);
}

/** @param {Frame} frame @param {Place[]} seen @param {Chosen} chosen */
function paintNames(frame, seen, chosen) {
    const { ctx, colours } = frame;

    ctx.fillStyle = colours.sunken;
    ctx.fillRect(0, frame.top, frame.left, frame.height - frame.top);
    ctx.fillStyle = colours.lineStrong;
    ctx.fillRect(frame.left - 1, frame.top, 1, frame.height - frame.top);
    for (const { lane, y, height, most, isArea, text } of seen) {
        if (lane.row && (lane.row.row === chosen.row || lane.row.row === chosen.selected)) {
            ctx.fillStyle = colours.focus;
            ctx.fillRect(0, y, frame.left - 1, height);
        }
        ctx.fillStyle = colours.line;
        ctx.fillRect(0, y + height - 1, frame.left - 1, 1);
        const sums = lane.row && !lane.row.counter && !isSampledRow(lane.row) ? frame.trace.sums(lane.row.row, frame.ticksFrom, frame.ticksTo) : null;

        paintName(frame, lane, y, height, lane.row ? isUserRow(lane.row) ? userFacts(lane.row, text) : rowFacts(lane.row, sums, chosen.span, most) : null);
        if (lane.row?.kind === 'core' && isArea)
            paintLoadAxis(frame, barOf(frame, lane, y, height));
        if (lane.row && isPlotRow(lane.row) && !lane.folded)
            paintScale(frame, lane.row, barOf(frame, lane, y, height));
    }
}
