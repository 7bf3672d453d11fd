// SPDX-License-Identifier: MIT
/*
 * Actions of a moving press: it drags the view, the minimap's window, a range or a row, or zooms with two fingers. Also finds
 * the part of the timeline under a point. All in CSS px of the overlay.
 */
import { SIZES } from './frame.js';
import { windowPart } from './minimap.js';

/** A sideways drag that moves up or down by less than this does not scroll the rows. */
const SCROLL_PX = 12;

/** Minimum distance between two fingers; closer fingers count as this far apart. */
const PINCH_PX = 20;

/**
 * @typedef {import('./timeline.js').Timeline} Timeline
 * @typedef {import('./rows_layout.js').Lane} Lane
 * @typedef {{x: number, y: number}} Point
 */

/** @param {Timeline} timeline @param {Point} point @returns {'none'|'minimap'|'axis'|'names'|'lanes'} */
export function partAt(timeline, { x, y }) {
    const left = timeline.frame ? timeline.frame.left / timeline.frame.d : 0;

    if (y < SIZES.minimap)
        return x < left ? 'none' : 'minimap';
    if (y < SIZES.minimap + SIZES.axis)
        return x < left ? 'none' : 'axis';
    return x < left ? 'names' : 'lanes';
}

/** Returns the part of the lanes' width that is left of x, and the width of the lanes.
 *  @param {Timeline} timeline @param {number} x */
function across({ frame }, x) {
    const width = frame.width / frame.d;

    return { share: (x - frame.left / frame.d) / width, width };
}

/** Returns the position on the axis at x.
 *  @param {Timeline} timeline @param {number} x */
export function positionAt(timeline, x) {
    const { view } = timeline;

    return view.from + across(timeline, x).share * (view.to - view.from);
}

/** Returns the time at x.
 *  @param {Timeline} timeline @param {number} x */
export function ticksAt(timeline, x) {
    const { view } = timeline;
    const position = positionAt(timeline, x);

    return Math.max(0, view.byEvent ? view.ticksAt(position) : Math.round(position));
}

/**
 * @typedef {{x: number, y: number, from: number, to: number, scroll: number, lane: Lane|null, part: string,
 *     moved: boolean, scrolls?: boolean, edge?: ReturnType<typeof windowPart>}}
 *     Press the start of a press and the view at that moment; scrolls: the drag also moves up or down; edge: the pressed part of
 *     the minimap's window
 * @param {Timeline} timeline @param {Press} start @param {Point} at
 */

function pan(timeline, start, at) {
    const shift = ((start.x - at.x) * (start.to - start.from)) / across(timeline, 0).width;

    if (start.x !== at.x)
        timeline.view.show(start.from + shift, start.to + shift);
    start.scrolls ||= Math.abs(start.y - at.y) >= SCROLL_PX;
    if (start.scrolls)
        timeline.setScroll(start.scroll + start.y - at.y);
}

/** Returns the position in the minimap at x.
 *  @param {Timeline} timeline @param {number} x */
function minimapAt(timeline, x) {
    const { minimap } = timeline;

    return minimap.from + across(timeline, x).share * (minimap.to - minimap.from);
}

/** Moves the window of the minimap, or the edge that was pressed. A press outside the window moves the
 *  middle of the window to the pressed position.
 *  @param {Timeline} timeline @param {Press} start @param {Point} at */
function moveWindow(timeline, start, at) {
    const { minimap, view, frame } = timeline;
    const half = (start.to - start.from) / 2;

    start.edge ??= windowPart(frame, minimap, start, start.x);
    const pressed = minimapAt(timeline, start.x);
    const now = minimapAt(timeline, at.x);

    switch (start.edge) {
    case 'from':
        view.show(Math.min(start.from + now - pressed, start.to - view.spanLeast()), start.to);
        break;
    case 'to':
        view.show(start.from, Math.max(start.to + now - pressed, start.from + view.spanLeast()));
        break;
    case 'inside':
        if (now !== pressed)
            view.show(start.from + now - pressed, start.to + now - pressed);
        break;
    default:
        view.show(now - half, now + half);
    }
}

/** @param {Timeline} timeline @param {Press} start @param {Point} at */
function dragRange(timeline, start, at) {
    const [a, b] = [ticksAt(timeline, start.x), ticksAt(timeline, at.x)];

    timeline.drag = { range: { from: Math.min(a, b), to: Math.max(a, b) } };
    timeline.request('overlay');
}

/** @param {Timeline} timeline @param {Press} start @param {Point} at */
function dragRow(timeline, start, at) {
    const over = timeline.laneAt(at.y);

    timeline.drag = { lane: start.lane, to: over?.row && over.group === start.lane.group ? over : null };
    timeline.request('overlay');
}

/** The action of each kind of press.
 *  @type {Object<string, (timeline: Timeline, start: Press, at: Point) => void>} */
export const DRAGS = { pan, minimap: moveWindow, range: dragRange, row: dragRow };

/**
 * Starts zooming with two fingers.
 * @typedef {{apart: number, middle: number, span: number}} Pinch
 * @param {Timeline} timeline @param {Point} a @param {Point} b
 * @returns {Pinch}
 */
export function startPinch(timeline, a, b) {
    const { view } = timeline;

    return { apart: Math.max(PINCH_PX, Math.abs(a.x - b.x)), middle: positionAt(timeline, (a.x + b.x) / 2), span: view.to - view.from };
}

/** Zooms so that the part of the trace between the fingers stays between them.
 *  @param {Timeline} timeline @param {Pinch} start @param {Point} a @param {Point} b */
export function pinch(timeline, start, a, b) {
    const span = (start.span * start.apart) / Math.max(PINCH_PX, Math.abs(a.x - b.x));
    const { share } = across(timeline, (a.x + b.x) / 2);

    timeline.view.show(start.middle - span * share, start.middle + span * (1 - share));
}
