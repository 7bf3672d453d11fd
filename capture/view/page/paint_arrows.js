// SPDX-License-Identifier: MIT
/*
 * Paints arrows for wakes and for waits for a mutex that another thread owns. If there are few wakes, paints all of them. If
 * there are more, paints the wakes of the selected row; if these are too near to each other, paints only the wake of
 * the selected event.
 */
import { ROW_NONE, ROW_STATE } from './abi.js';
import { px, toX } from './frame.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./decoder.js').TraceWake} TraceWake
 */

/** Maximum number of wakes in one picture before only wakes of the selection are drawn. */
const WAKES_MOST = 70;

/** Maximum number of wakes among which wakes of the selection are searched. */
const WAKES_LOOKED = 2000;

/** Minimum average distance between wakes, in CSS px, for all of them to be drawn. */
const WAKE_ROOM = 14;

/** Minimum distance between two arrows to the same row, in CSS px. */
const ARROW_APART = 6;

/**
 * @param {Frame} frame
 * @param {{event: number, row: number}} selected
 */
export function paintWakes(frame, selected) {
    const { ctx, colours } = frame;
    const wakes = thinned(frame, shownWakes(frame, selected), selected.event);

    for (const wake of wakes) {
        const chosen = isChosen(wake, selected);

        ctx.strokeStyle = ctx.fillStyle = chosen ? colours.accent : colours.arrow;
        ctx.globalAlpha = chosen ? 1 : 0.75;
        paintWake(frame, wake, chosen);
    }
    ctx.globalAlpha = 1;
}

/** @param {TraceWake} wake @param {{event: number, row: number}} selected */
function isChosen(wake, selected) {
    return wake.index === selected.event || wake.to === selected.row;
}

/** Returns the wakes to paint: all wakes in the picture, the wakes of the selected row, or the wake of the selected
 *  event.
 *  @param {Frame} frame @param {{event: number, row: number}} selected @returns {TraceWake[]} */
function shownWakes(frame, selected) {
    const { trace, ticksFrom, ticksTo } = frame;
    const width = frame.width / frame.d;
    const most = Math.min(WAKES_MOST, Math.floor(width / WAKE_ROOM));
    const isSelected = selected.event >= 0 || selected.row >= 0;
    const wakes = trace.wakesBetween(ticksFrom, ticksTo, isSelected ? WAKES_LOOKED + 1 : most + 1);

    if (wakes.length <= most)
        return wakes;
    const chosen = wakes.length <= WAKES_LOOKED ? wakes.filter((wake) => isChosen(wake, selected)) : [];

    if (isSelected && chosen.length && chosen.length <= width / ARROW_APART)
        return chosen;
    const at = selected.event >= 0 ? trace.ticks(selected.event) : -1;

    return at < ticksFrom || at > ticksTo ? [] : trace.wakesBetween(at, at, WAKES_MOST).filter((wake) => wake.index === selected.event);
}

/** Leaves out an arrow that is nearer than ARROW_APART to the previous arrow to the same row. Keeps the arrow of the selected event.
 *  @param {Frame} frame @param {TraceWake[]} wakes in the order of time @param {number} event */
function thinned(frame, wakes, event) {
    const apart = ARROW_APART * frame.d;
    /** @type {Map<number, number>} */
    const last = new Map();

    return wakes.filter((wake) => {
        const x = toX(frame, frame.byEvent ? wake.index : wake.ticks);

        if (wake.index !== event && x - (last.get(wake.to) ?? -Infinity) < apart)
            return false;
        last.set(wake.to, x);
        return true;
    });
}

/** @param {Frame} frame @param {TraceWake} wake @param {boolean} chosen */
function paintWake(frame, wake, chosen) {
    const from = wake.from >= 0 ? frame.boxOf(wake.from) : null;
    const to = frame.boxOf(wake.to);
    const x = Math.round(toX(frame, frame.byEvent ? wake.index : wake.ticks)) + (frame.d === 1 ? 0.5 : 0);

    if (!from || !to || from === to || x < frame.left)
        return;
    const down = to.y > from.y;

    paintArrow(frame, x, down ? from.y + from.height : from.y, down ? to.y : to.y + to.height, chosen ? 1.6 : 1);
}

/** Draws a vertical arrow.
 *  @param {number} from its start @param {number} to its tip
 *  @param {Frame} frame @param {number} x @param {number} weight */
function paintArrow(frame, x, from, to, weight) {
    const { ctx, d } = frame;
    const head = px(frame, 5);
    const back = to > from ? to - head : to + head;

    ctx.lineWidth = Math.max(1, weight * d);
    ctx.beginPath();
    ctx.moveTo(x, from);
    ctx.lineTo(x, back);
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(x, to);
    ctx.lineTo(x - head * 0.62, back);
    ctx.lineTo(x + head * 0.62, back);
    ctx.fill();
}

/**
 * Paints an arrow from the owner of a mutex to each waiting thread, at the start of the wait.
 * @param {Frame} frame
 * @param {import('./paint_states.js').Label[]} labels of all rows
 */
export function paintOwners(frame, labels) {
    const { ctx, colours, layout } = frame;

    ctx.strokeStyle = ctx.fillStyle = colours.mutex;
    ctx.setLineDash([3 * frame.d, 3 * frame.d]);
    for (const label of labels) {
        if (label.state !== ROW_STATE.BLOCKED || layout.rows[label.object]?.kind !== 'mutex' || label.x0 < frame.left)
            continue;
        const owner = ownerAt(frame, label.object, label.x0);
        const from = owner === ROW_NONE || owner === label.row ? null : frame.boxOf(owner);
        const to = frame.boxOf(label.row);

        if (from && to)
            paintArrow(frame, label.x0 + 3 * frame.d, from.y > to.y ? from.y : from.y + from.height, to.y + to.height / 2, 1);
    }
    ctx.setLineDash([]);
}

/** Returns the owner of a mutex shortly after x.
 *  @param {Frame} frame @param {number} mutex @param {number} x */
function ownerAt(frame, mutex, x) {
    const position = frame.from + ((x + 1 - frame.left) * (frame.to - frame.from)) / frame.width;
    const ticks = frame.byEvent ? frame.trace.ticks(Math.round(position)) : Math.ceil(position);
    const step = frame.trace.step(mutex, ticks);

    return step && step.state === ROW_STATE.HELD ? step.object : ROW_NONE;
}
