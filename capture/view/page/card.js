// SPDX-License-Identifier: MIT
/*
 * The card at the pointer. It shows the row's state, since when and for how long, which event woke the thread, and the event
 * with all its fields. Texts from the target are inserted as text only.
 */
import { ROW_NONE, ROW_STATE } from './abi.js';
import { element, fill } from './dom.js';
import { areaAt, areaParts } from './area_card.js';
import { stepColour, threadOf } from './paint_states.js';
import { waitText } from './paint_labels.js';
import { kindTitle } from './rows_layout.js';
import { formatMoment, formatNumber, formatSpan } from './units.js';
import { isSampledRow, isStateRow, isUserRow, stateColour } from './user_values.js';
import { sampleParts, sliceParts, userStepText } from './value_card.js';

/**
 * @typedef {import('./timeline.js').Timeline} Timeline
 * @typedef {import('./view_state.js').Hover} Hover
 * @typedef {import('./decoder.js').Trace} Trace
 * @typedef {import('./decoder.js').TraceRow} TraceRow
 * @typedef {import('./decoder.js').TraceStep} TraceStep
 * @typedef {import('./decoder.js').TraceEvent} TraceEvent
 * @typedef {import('./rows_layout.js').RowsLayout} RowsLayout
 */

/** Distance between pointer and card, in px. */
const CARD_AWAY = 14;

/** Maximum number of wakes to search for the wake that ended a wait. */
const CARD_WAKES_MOST = 200;

/** @param {Timeline} timeline */
export function startCard(timeline) {
    const card = document.getElementById('card');
    let shown = '';

    timeline.view.on((changed) => {
        if (!changed.has('hover') && !changed.has('trace'))
            return;
        const { hover, trace } = timeline.view;
        const wanted = hover && trace && (hover.row >= 0 || hover.index >= 0);

        card.hidden = !wanted;
        if (!wanted)
            return;
        const area = areaAt(timeline, hover);
        const step = hover.row >= 0 ? trace.step(hover.row, Math.round(hover.ticks)) : null;
        const key = `${hover.note} ${hover.row} ${hover.index} ${area?.from} ${step?.index} ${step?.to} ${trace.state().version}`;

        if (key !== shown || !card.firstChild) {
            shown = key;
            fill(card, ...(area ? areaParts(timeline, hover.row, area) : cardParts(timeline, hover, step)));
            card.hidden = !card.firstChild;
        }
        placeCard(card, hover);
    });
}

/** Places the card beside the pointer, on the side that has room.
 *  @param {HTMLElement} card @param {Hover} hover */
function placeCard(card, { x, y }) {
    const { offsetWidth: width, offsetHeight: height } = card;
    const left = x + CARD_AWAY + width < innerWidth ? x + CARD_AWAY : Math.max(4, x - CARD_AWAY - width);
    const top = y + CARD_AWAY + height < innerHeight ? y + CARD_AWAY : Math.max(4, y - CARD_AWAY - height);

    card.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}

/** @param {Timeline} timeline @param {Hover} hover @param {TraceStep|null} step */
function cardParts(timeline, hover, step) {
    const parts = [];

    if (hover.note)
        parts.push(element('h2', {}, hover.note));
    if (hover.row >= 0)
        parts.push(...stepParts(timeline, hover, step));
    if (hover.index >= 0)
        parts.push(...eventParts(timeline.view.trace, hover.index));
    return parts;
}

/** Returns the step of a row: its state, its times, and for a thread its waker.
 *  @param {Timeline} timeline @param {{row: number}} place @param {TraceStep|null} step */
export function stepParts(timeline, place, step) {
    const { frame, layout, view } = timeline;
    const row = layout.rows[place.row];
    const title = `${layout.names[place.row]} – ${step ? stepText(layout, row, step) : 'not known'}`;
    const chip = element('i', { 'aria-hidden': 'true' });
    const { hz } = view.trace.state();

    chip.style.background = chipColour(frame, row, step);
    return [
        element('h2', {}, chip, title),
        step && row.kind !== 'slice' && row.kind !== 'log' ? element('p', { class: 'quiet' }, timesText(step, hz)) : null,
        ...(row.kind === 'slice' ? sliceParts(view.trace, row, step, (slice) => timesText(slice, hz)) : []),
        ...(isSampledRow(row) ? sampleParts(row, step, hz) : []),
        ...(step && row.kind === 'thread' ? wakeParts(timeline, row, step, hz) : []),
    ];
}

/** Returns the colour of a row's step in the picture.
 *  @param {import('./frame.js').Frame} frame @param {TraceRow} row @param {TraceStep|null} step */
export function chipColour(frame, row, step) {
    const { threads, levelEdge } = frame.colours;

    if (step && row.kind === 'slice')
        return threads[stateColour(row.number + 1, threads.length)];
    if (step?.value !== undefined && isStateRow(row))
        return threads[stateColour(step.value, threads.length)];
    if (!step || row.counter || isSampledRow(row))
        return levelEdge;
    const thread = threadOf(row, step.object);

    return stepColour(frame, thread >= 0 ? thread : ROW_NONE, step.state, step.reason);
}

/** Returns the state of a row in a step, in words.
 *  @param {Pick<RowsLayout, 'names'>} layout @param {TraceRow} row @param {TraceStep} step */
export function stepText(layout, row, step) {
    if (isUserRow(row))
        return userStepText(row, step);
    if (row.counter)
        return counterText(row, step);
    switch (step.state) {
    case ROW_STATE.RUNNING:
        return row.kind === 'core' ? (layout.names[step.object] ?? 'running') : 'running';
    case ROW_STATE.INTERRUPTED:
        return 'interrupted';
    case ROW_STATE.READY:
        return 'ready';
    case ROW_STATE.BLOCKED:
        return `waits: ${waitText(layout.names, step.reason, step.object)}`;
    case ROW_STATE.IDLE:
        return 'idle';
    case ROW_STATE.ISR:
        return row.kind === 'core' ? (layout.names[step.object] ?? 'interrupt') : 'active';
    case ROW_STATE.INIT:
        return 'initialisation';
    case ROW_STATE.OFF:
        return { mutex: 'free', isr: 'not active' }[row.kind] ?? 'not idle';
    case ROW_STATE.HELD:
        return `held by ${layout.names[step.object] ?? 'a thread'}${step.reason > 1 ? `, ${step.reason} times` : ''}`;
    default:
        return 'not known';
    }
}

/** @param {TraceRow} row @param {TraceStep} step */
function counterText(row, step) {
    if (step.value === null || step.value === undefined)
        return 'not known';
    const what = { queue: 'messages', semaphore: 'count', block_pool: 'blocks free', byte_pool: 'bytes free' }[row.kind] ?? 'value';
    const limit = row.capacity ? ` of ${formatNumber(row.capacity)}` : '';

    return row.kind === 'semaphore' ? `count ${formatNumber(step.value)}` : `${formatNumber(step.value)}${limit} ${what}`;
}

/** Returns the start, the end and the length of a step. If a gap or an end of the trace hides one end, the text says
 *  "before" or "after".
 *  @param {Pick<TraceStep, 'from'|'to'|'fromKnown'|'toKnown'>} of @param {number} hz */
export function timesText({ from, to, fromKnown, toKnown }, hz) {
    const least = fromKnown && toKnown ? 'for' : 'for at least';

    return `${fromKnown ? '' : 'before '}${formatMoment(from, hz)} … ${toKnown ? '' : 'after '}${formatMoment(to, hz)}, ${least} ${formatSpan(to - from, hz)}`;
}

/** Returns the context that woke the thread for this step, and how long the thread then waited for a CPU.
 *  @param {Pick<Timeline, 'layout'|'view'>} timeline @param {TraceRow} row @param {TraceStep} step @param {number} hz */
export function wakeParts({ layout, view }, row, step, hz) {
    if (step.state !== ROW_STATE.READY && step.state !== ROW_STATE.RUNNING)
        return [];
    const before = step.state === ROW_STATE.RUNNING && step.from > 0 ? view.trace.step(row.row, step.from - 1) : null;
    const at = before?.state === ROW_STATE.READY ? before.from : step.from;
    const wakes = view.trace.wakesBetween(Math.max(0, at - 1), at + 1, CARD_WAKES_MOST);
    const wake = wakes.find((found) => found.to === row.row && found.ticks === at);

    if (!wake)
        return [];
    const by = wake.from >= 0 ? `woken by ${layout.names[wake.from]}` : 'woken';
    const latency = wake.latencyTo > wake.ticks ? `, ran after ${formatSpan(wake.latencyTo - wake.ticks, hz)}` : '';

    return [element('p', {}, `${by} at ${formatMoment(wake.ticks, hz)}${latency}`)];
}

/** Returns an event with all its fields.
 *  @param {Trace} trace @param {number} index */
export function eventParts(trace, index) {
    const event = trace.event(index);

    if (!event)
        return [];
    const { hz } = trace.state();
    const fields = event.fields.flatMap(({ name, text }) => [element('dt', {}, name || 'value'), element('dd', {}, text)]);
    const where = whereText(event, coresOf(trace));

    return [element('div', { class: 'event' },
        element('b', {}, event.name),
        element('p', { class: 'quiet' }, `#${formatNumber(event.seq)} at ${formatMoment(event.ticks, hz)}${where ? ` in ${where}` : ''}`),
        fields.length ? element('dl', {}, ...fields) : null)];
}

/** @param {Trace} trace */
function coresOf(trace) {
    return trace.rows().filter((row) => row.kind === 'core').length;
}

/** Returns the context that recorded an event; with several cores, the core too.
 *  @param {TraceEvent} event @param {number} cores */
export function whereText(event, cores) {
    return [recordedBy(event), cores > 1 ? `core ${event.core}` : ''].filter(Boolean).join(', ');
}

/** @param {TraceEvent} event */
function recordedBy(event) {
    return { thread: event.threadName || (event.thread ? 'a thread' : ''), isr: 'an interrupt', idle: 'an interrupt', init: 'initialisation' }[event.context] ?? event.context;
}

/** Returns a row in words for screen readers, such as "queue samples".
 *  @param {RowsLayout} layout @param {number} row */
export function rowTitle(layout, row) {
    return `${kindTitle(layout.rows[row].kind)} ${layout.names[row]}`;
}
