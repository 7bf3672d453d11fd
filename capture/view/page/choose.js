// SPDX-License-Identifier: MIT
/* Selection on the timeline by pointer and keys: finds events, steps and rows in the trace. */
import { isSampledRow } from './user_values.js';

/**
 * @typedef {import('./timeline.js').Timeline} Timeline
 * @typedef {import('./rows_layout.js').Lane} Lane
 */

/** A click at most this far from an event selects the event, in CSS px. */
const EVENT_NEAR = 5;

/** Zooming to a step leaves this part of its length free on each side. */
const STEP_AROUND = 0.3;

/**
 * Returns the event of a row that is nearest to a position of the axis; -1: no event is near.
 * @param {Timeline} timeline @param {number} row @param {number} position
 */
export function markNear(timeline, row, position) {
    const { view, frame } = timeline;
    const perPx = ((view.to - view.from) / frame.width) * frame.d;
    const from = Math.max(0, Math.floor(position - EVENT_NEAR * perPx));
    const to = Math.ceil(position + EVENT_NEAR * perPx);
    const columns = 2 * EVENT_NEAR + 1;

    if (to <= from)
        return -1;
    const found = view.trace.eventColumns(row, from, to, columns, view.byEvent);

    for (let away = 0; away <= EVENT_NEAR; away++)
        for (const x of [EVENT_NEAR - away, EVENT_NEAR + away])
            if (found.count[x])
                return found.index[x];
    return -1;
}

/**
 * Returns the event at a place: a near event of the row, or else the event that began the step there.
 * @param {Lane|null} lane
 * @returns {number} index, or -1
 * @param {Timeline} timeline @param {number} ticks @param {number} position
 */
export function eventAt(timeline, ticks, lane, position) {
    const { trace } = timeline.view;

    if (lane?.row) {
        const near = lane.row.kind === 'thread' || lane.row.kind === 'isr' ? markNear(timeline, lane.row.row, position) : -1;
        const step = near < 0 ? trace.step(lane.row.row, ticks) : null;

        return near >= 0 ? near : step ? step.index : -1;
    }
    const { first, events } = trace.state();
    const index = timeline.view.byEvent ? Math.floor(position) : trace.index(ticks);

    return events && index >= first ? Math.min(index, first + events - 1) : -1;
}

/** Handles a click: selects the event at the clicked place.
 *  @param {Timeline} timeline @param {number} ticks @param {Lane|null} lane @param {number} position */
export function selectAt(timeline, ticks, lane, position) {
    const index = eventAt(timeline, ticks, lane, position);

    timeline.view.select(index, { row: index >= 0 && lane?.row ? lane.row.row : -1 });
    timeline.view.inspect();
    if (lane?.row)
        setRow(timeline, lane.row.row);
}

/** Zooms to the step of a row at a time.
 *  @param {Timeline} timeline @param {number} row @param {number} ticks */
export function showStep(timeline, row, ticks) {
    const { view } = timeline;
    const step = view.trace.step(row, ticks);

    if (!step)
        return;
    const from = view.position(step.from);
    const to = Math.max(view.position(step.to), from + 1);

    view.show(from - (to - from) * STEP_AROUND, to + (to - from) * STEP_AROUND);
}

/** Makes a row the current row of the keyboard.
 *  @param {Timeline} timeline @param {number} row */
export function setRow(timeline, row) {
    const lane = timeline.layout.laneOf(row);

    timeline.row = row;
    if (lane) {
        timeline.revealLane(lane);
        say(rowText(timeline, lane));
    }
    timeline.request('scene');
}

/** Returns the lane of the current row, or null.
 *  @param {Timeline} timeline */
export function laneRow(timeline) {
    return timeline.layout.lanes.find((lane) => lane.row && lane.row.row === timeline.row) ?? null;
}

/** Makes the row above or below the current row the new current row.
 *  @param {number} step
 *  @param {Timeline} timeline */
export function stepRow(timeline, step) {
    const lanes = timeline.layout.lanes.filter((lane) => lane.row);
    const now = lanes.findIndex((lane) => lane.row.row === timeline.row);
    const next = lanes[now < 0 ? (step > 0 ? 0 : lanes.length - 1) : now + step];

    if (next)
        setRow(timeline, next.row.row);
}

/** Moves the current row up or down in its group.
 *  @param {number} step
 *  @param {Timeline} timeline */
export function moveFocused(timeline, step) {
    const { layout } = timeline;
    const rows = layout.lanes.filter((lane) => lane.row);
    const now = rows.findIndex((lane) => lane.row.row === timeline.row);
    const to = rows[now + step];

    if (now >= 0 && to) {
        layout.move(rows[now], to);
        timeline.request('scene');
    }
}

/** @param {Lane} lane of a row or a group
 *  @param {Timeline} timeline */
export function toggleLane(timeline, lane) {
    timeline.layout.toggle(lane);
    timeline.request('scene');
    say(`${lane.title} ${lane.folded ? 'open' : 'folded'}`);
}

/** @param {Timeline} timeline */
export function toggleFocused(timeline) {
    const lane = timeline.layout.laneOf(timeline.row) ?? timeline.layout.lanes.find((other) => !other.row);

    if (lane)
        toggleLane(timeline, lane);
}

/** Selects the step of the current row at the middle of the view.
 *  @param {Timeline} timeline */
export function selectMiddle(timeline) {
    const { view } = timeline;
    const step = timeline.row >= 0 ? view.trace?.step(timeline.row, Math.round(view.ticksAt((view.from + view.to) / 2))) : null;

    if (step)
        selectStep(timeline, step.index);
}

/** Selects the current row's step before or after the selected event.
 *  @param {boolean} forward
 *  @param {Timeline} timeline */
export function nextStep(timeline, forward) {
    const { view } = timeline;
    const row = view.selectedRow >= 0 ? view.selectedRow : timeline.row;

    if (!view.trace || row < 0)
        return;
    timeline.row = row;
    const from = view.selected >= 0 ? view.trace.ticks(view.selected) : Math.round(view.ticksAt((view.from + view.to) / 2));
    if (isSampledRow(timeline.layout.rows[row])) { // many samples may be between two events
        selectStep(timeline, view.trace.near(row, forward ? from + 1 : from, forward));
        return;
    }
    const step = view.trace.step(row, from);

    if (step && forward && step.toKnown)
        selectStep(timeline, view.trace.step(row, step.to)?.index ?? -1);
    else if (step && !forward && step.from > view.trace.state().from)
        selectStep(timeline, view.trace.step(row, step.from - 1)?.index ?? -1);
}

/** @param {Timeline} timeline @param {number} index */
function selectStep(timeline, index) {
    if (index >= 0)
        timeline.view.select(index, { row: timeline.row, reveal: true });
}

/** @param {Timeline} timeline @param {Lane} lane */
function rowText(timeline, lane) {
    const priority = lane.row.kind === 'thread' && lane.row.priority >= 0 ? `, priority ${lane.row.priority}` : '';

    return `${lane.title}${priority}`;
}

/** Announces a text to screen readers.
 *  @param {string} text */
export function say(text) {
    document.getElementById('said').textContent = text;
}
