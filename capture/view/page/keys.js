// SPDX-License-Identifier: MIT
/*
 * Keys of the page. One table defines the action of each key; the help is made from it. A focused field or list gets its own
 * keys.
 */

import { moveFocused, nextStep, selectMiddle, showStep, stepRow, toggleFocused } from './choose.js';
import { focusFilter, hideRow, nextDensity, nextOrder, showAllRows, soloRow } from './row_tools.js';

/**
 * @typedef {import('./timeline.js').Timeline} Timeline
 * @typedef {import('./view_state.js').ViewState} ViewState
 */

/**
 * @typedef {object} KeyRow
 * @property {string} keys as KeyboardEvent.key names them, with spaces between
 * @property {string} text the action
 * @property {string} group
 * @property {(app: {view: ViewState, timeline: Timeline},
 *     event: KeyboardEvent) => void} [run] without it, the row only documents the key
 * @property {string} [show] the keys as the help names them
 * @property {boolean} [inTimeline] only if the timeline has the focus, or nothing has
 */

/** Part of the view that one key press moves. */
const PAN_STEP = 0.15;

const KEY_ZOOM = 1.5;

/** @param {ViewState} view */
const viewMiddle = (view) => view.hover ? view.position(view.hover.ticks) : (view.from + view.to) / 2;
/** @param {ViewState} view */
const viewSpan = (view) => view.to - view.from;

/** @type {KeyRow[]} */
export const KEY_ROWS = [
    { group: 'Move', keys: 'w +', text: 'zoom in', run: ({ view }) => view.zoom(viewMiddle(view), 1 / KEY_ZOOM) },
    { group: 'Move', keys: 's -', text: 'zoom out', run: ({ view }) => view.zoom(viewMiddle(view), KEY_ZOOM) },
    { group: 'Move', keys: 'a', text: 'to the left', run: ({ view }) => view.pan(-PAN_STEP * viewSpan(view)) },
    { group: 'Move', keys: 'd', text: 'to the right', run: ({ view }) => view.pan(PAN_STEP * viewSpan(view)) },
    { group: 'Move', keys: 'ArrowLeft', show: '←', text: 'to the left', inTimeline: true, run: ({ view }) => view.pan(-PAN_STEP * viewSpan(view)) },
    { group: 'Move', keys: 'ArrowRight', show: '→', text: 'to the right', inTimeline: true, run: ({ view }) => view.pan(PAN_STEP * viewSpan(view)) },
    { group: 'Move', keys: 'Home', text: 'to the start', inTimeline: true, run: ({ view }) => showEnd(view, -1) },
    { group: 'Move', keys: 'End', text: 'to the end', inTimeline: true, run: ({ view }) => showEnd(view, 1) },
    { group: 'Move', keys: '0', text: 'show all', run: ({ view }) => view.showAll() },
    { group: 'Move', keys: 'z', text: 'show the range, or the selected step', run: (app) => showChosen(app) },
    { group: 'Move', keys: 'f', text: 'follow the newest event', run: ({ view }) => toggleFollow(view) },
    { group: 'Rows', keys: 'ArrowUp', show: '↑', text: 'row above', inTimeline: true, run: ({ timeline }, event) => pressRow(timeline, -1, event) },
    { group: 'Rows', keys: 'ArrowDown', show: '↓', text: 'row below', inTimeline: true, run: ({ timeline }, event) => pressRow(timeline, 1, event) },
    { group: 'Rows', keys: '', show: 'Shift ↑ ↓', text: 'move the row up or down' },
    { group: 'Rows', keys: 'x', text: 'fold or open the row or group', run: ({ timeline }) => toggleFocused(timeline) },
    { group: 'Rows', keys: 'y', text: 'height of rows: 34, 18, 10 pixels', run: ({ timeline }) => nextDensity(timeline) },
    { group: 'Rows', keys: 'j', text: 'next order of rows', run: ({ timeline }) => nextOrder(timeline) },
    { group: 'Rows', keys: 'i', text: 'show rows by a part of their name', run: () => focusFilter() },
    { group: 'Rows', keys: 'k', text: 'hide the row', run: ({ timeline }) => hideRow(timeline) },
    { group: 'Rows', keys: 'l', text: 'only this row, or all rows', run: ({ timeline }) => soloRow(timeline) },
    { group: 'Rows', keys: 'u', text: 'show all hidden rows', run: ({ timeline }) => showAllRows(timeline) },
    { group: 'Rows', keys: 'PageUp', text: 'scroll up', inTimeline: true, run: ({ timeline }) => timeline.setScroll(timeline.scroll - 200) },
    { group: 'Rows', keys: 'PageDown', text: 'scroll down', inTimeline: true, run: ({ timeline }) => timeline.setScroll(timeline.scroll + 200) },
    { group: 'Select', keys: 'Enter', text: 'select the step of the row in the middle', inTimeline: true, run: ({ timeline }) => selectMiddle(timeline) },
    { group: 'Select', keys: '[', text: 'previous step of the row', run: ({ timeline }) => nextStep(timeline, false) },
    { group: 'Select', keys: ']', text: 'next step of the row', run: ({ timeline }) => nextStep(timeline, true) },
    { group: 'Select', keys: '1', text: 'cursor A at the selected event or the pointer', run: ({ view }) => pressCursor(view, 0) },
    { group: 'Select', keys: '2', text: 'cursor B', run: ({ view }) => pressCursor(view, 1) },
    { group: 'Select', keys: 'r', text: 'range between the cursors, or of the view', run: ({ view }) => pressRange(view) },
    { group: 'View', keys: 'e', text: 'by event, or by time', run: ({ view }) => view.setByEvent(!view.byEvent) },
    { group: 'View', keys: 'p', text: 'panel', run: () => document.getElementById('toggle_panel').click() },
    { group: 'View', keys: 't', text: 'table', run: () => document.getElementById('toggle_table').click() },
    { group: 'View', keys: '?', text: 'these keys', run: () => document.getElementById('show_help').click() },
    { group: 'Pointer', keys: '', show: 'Wheel', text: 'zoom at the pointer; over the names: scroll' },
    { group: 'Pointer', keys: '', show: 'Shift wheel', text: 'to the left and right' },
    { group: 'Pointer', keys: '', show: 'Drag', text: 'move; a name: move the row; a handle above: show more or less' },
    { group: 'Pointer', keys: '', show: 'Shift drag', text: 'select a range; on the axis without Shift' },
    { group: 'Pointer', keys: '', show: 'Click', text: 'select; left of a name: fold' },
    { group: 'Pointer', keys: '', show: 'Double click', text: 'zoom to the step; a name: fold' },
    { group: 'Pointer', keys: '', show: 'Alt click', text: 'a cursor' },
];

/** Elements that use keys themselves.
 *  @param {Element|null} element */
function ownsKeys(element) {
    return element?.matches?.('input, textarea, select, dialog *, [contenteditable]') ?? false;
}

/**
 * @param {{view: ViewState, timeline: Timeline}} app
 * @param {KeyRow[]} rows
 */
export function startKeys(app, rows = KEY_ROWS) {
    const runs = new Map();

    for (const row of rows.filter((known) => known.run))
        for (const key of row.keys.split(' '))
            runs.set(key, row);
    document.addEventListener('keydown', (event) => {
        const row = runs.get(event.key === ' ' ? 'Space' : event.key);
        const focus = document.activeElement;

        if (event.key === ' ' && focus?.matches('button, summary')) // the key presses the focused button
            return;

        if (!row || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || ownsKeys(focus))
            return;
        if (row.inTimeline && focus !== document.body && focus !== app.timeline.overlayCanvas)
            return;
        event.preventDefault();
        row.run(app, event);
    });
}

/** @param {ViewState} view @param {number} side */
function showEnd(view, side) {
    const all = view.extent();
    const wide = viewSpan(view);

    if (side < 0)
        view.show(all.from, all.from + wide);
    else
        view.show(all.to - wide, all.to);
}

/** @param {ViewState} view */
function toggleFollow(view) {
    view.set({ follow: !view.follow });
    if (view.follow)
        showEnd(view, 1);
}

/** @param {Timeline} timeline @param {number} step @param {KeyboardEvent} event */
function pressRow(timeline, step, event) {
    if (event.shiftKey)
        moveFocused(timeline, step);
    else
        stepRow(timeline, step);
}

/** @param {ViewState} view @param {number} which */
function pressCursor(view, which) {
    const at = view.hover ? view.hover.ticks : view.selected >= 0 ? view.trace.ticks(view.selected) : view.ticksAt(viewMiddle(view));
    const cursors = [...view.cursors];

    cursors[which] = cursors[which] === at ? null : at;
    view.set({ cursors });
}

/** @param {ViewState} view */
function pressRange(view) {
    const [a, b] = view.cursors;
    const chosen = a !== null && b !== null && a !== b ? { from: Math.min(a, b), to: Math.max(a, b) } : view.shown();

    view.set({ range: { from: Math.max(0, Math.round(chosen.from)), to: Math.round(chosen.to) }, panel: 'range' });
}

/** @param {{view: ViewState, timeline: Timeline}} of */
function showChosen({ view, timeline }) {
    if (view.range)
        view.show(view.position(view.range.from), view.position(view.range.to));
    else if (view.selected >= 0 && view.selectedRow >= 0)
        showStep(timeline, view.selectedRow, view.trace.ticks(view.selected));
}

/** Closes an open list, or else the explained path, or else drops the selected event, or else the range, or else the cursors.
 *  @param {ViewState} view @returns {boolean} false: there was nothing to close or drop */
export function selectNothing(view) {
    const list = /** @type {HTMLElement|null} */ (document.querySelector(':popover-open'));

    if (list)
        list.hidePopover();
    else if (view.why)
        view.set({ why: null });
    else if (view.selected >= 0)
        view.select(-1);
    else if (view.range)
        view.set({ range: null });
    else if (view.cursors.some((cursor) => cursor !== null))
        view.set({ cursors: [null, null] });
    else
        return false;
    return true;
}
