// SPDX-License-Identifier: MIT
/*
 * Paints arrows for wakes and for waits for a mutex that another thread owns. If there are few arrows,
 * paints all of them. Otherwise paints only the arrows of the selected event or row.
 */
import { ROW_NONE, ROW_STATE } from './abi.js';
import { px, toX } from './frame.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./decoder.js').TraceWake} TraceWake
 */

/** Maximum number of wakes in one picture before only wakes of the selection are drawn. */
const WAKES_MOST = 70;

/** Maximum number of wakes to search for wakes of the selection. */
const WAKES_LOOKED = 2000;

/** Minimum average distance between wakes, in CSS px, for all of them to be drawn. */
const WAKE_ROOM = 14;

/**
 * @param {Frame} frame
 * @param {{event: number, row: number}} selected
 */
export function paintWakes(frame, selected) {
    const { ctx, colours } = frame;
    const most = Math.min(WAKES_MOST, Math.floor(frame.width / frame.d / WAKE_ROOM));
    const looked = selected.event >= 0 || selected.row >= 0 ? WAKES_LOOKED : most + 1;
    const wakes = frame.trace.wakesBetween(frame.ticksFrom, frame.ticksTo, looked);
    const few = wakes.length <= most;

    for (const wake of wakes) {
        const chosen = wake.index === selected.event || wake.to === selected.row;

        if (!chosen && !few)
            continue;
        ctx.strokeStyle = ctx.fillStyle = chosen ? colours.accent : colours.arrow;
        ctx.globalAlpha = chosen ? 1 : 0.75;
        paintWake(frame, wake, chosen);
    }
    ctx.globalAlpha = 1;
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
