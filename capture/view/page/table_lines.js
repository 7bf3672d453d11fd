// SPDX-License-Identifier: MIT
/*
 * The visible lines of the table of events: events, and between them gaps and marks, each before the event that follows it.
 * Asks the trace only for the visible lines. Pure.
 */
import { gapText } from './loss.js';
import { plainText } from './plain_text.js';
import { contextText } from './search_match.js';
import { formatMoment, formatSpan } from './units.js';

/**
 * @typedef {import('./decoder.js').Trace} Trace
 * @typedef {import('./decoder.js').TraceState} TraceState
 * @typedef {import('./decoder.js').TraceGap} TraceGap
 * @typedef {import('./decoder.js').TraceMark} TraceMark
 */

/** Maximum number of gaps and of marks between two visible events. */
const EXTRA_LINES_MOST = 50;

/**
 * @typedef {{kind: 'event'|'gap'|'mark', index: number, number: string, time: string, delta: string, context: string,
 *     event: string, fields: string, className: string, row: number}} TableLine index: of the event, or of the event after a
 *     gap or a mark
 * @param {Trace} trace
 * @param {number} first index of the first event
 * @param {number} count lines at most
 * @param {boolean} [atEnd] if not all lines have room: keep the last lines instead of the first
 * @returns {TableLine[]}
 */
export function tableLines(trace, first, count, atEnd = false) {
    const state = trace.state();
    const end = state.first + state.events;
    const start = Math.max(first, state.first);
    const stop = Math.min(start + count, end);
    /** @type {TableLine[]} */
    const lines = [];

    if (stop <= start)
        return lines;
    const extras = extraLines(trace, start, stop, state);

    for (let index = start; index < stop; index++) {
        lines.push(...(extras.get(index) ?? []));
        lines.push(eventLine(trace, index, state));
    }
    if (stop === end)
        lines.push(...(extras.get(end) ?? []));
    return atEnd ? lines.slice(-count) : lines.slice(0, count);
}

/** Collects gaps and marks, by the index of the event after them.
 *  @param {Trace} trace @param {number} start @param {number} stop @param {TraceState} state */
function extraLines(trace, start, stop, state) {
    const from = trace.ticks(Math.max(start - 1, state.first));
    const to = stop >= state.first + state.events ? state.to : trace.ticks(stop - 1);
    const extras = new Map();
    /** @param {number} index @param {TableLine} line */
    const add = (index, line) => extras.set(index, [...(extras.get(index) ?? []), line]);

    for (const gap of trace.gapsBetween(from, to, EXTRA_LINES_MOST))
        add(gap.index, gapLine(gap, state.hz));
    for (const mark of trace.marksBetween(from, to, EXTRA_LINES_MOST))
        add(mark.index, markLine(mark, state.hz));
    return extras;
}

/** @param {TableLine['kind']} kind @param {number} index */
function emptyLine(kind, index) {
    return { kind, index, number: '', time: '', delta: '', context: '', event: '', fields: '', className: '', row: -1 };
}

/** @param {TraceGap} gap @param {number} hz */
function gapLine(gap, hz) {
    return { ...emptyLine('gap', gap.index), time: formatMoment(gap.from, hz), event: gapText(gap) };
}

/** @param {TraceMark} mark @param {number} hz */
function markLine(mark, hz) {
    return { ...emptyLine('mark', mark.index), time: formatMoment(mark.ticks, hz), event: plainText(mark.text || mark.kind) };
}

/** @param {Trace} trace @param {number} index @param {TraceState} state */
function eventLine(trace, index, state) {
    const event = trace.event(index);
    const before = index > state.first ? trace.ticks(index - 1) : null;

    return {
        ...emptyLine('event', index),
        number: `#${event.seq}`,
        time: formatMoment(event.ticks, state.hz),
        delta: before === null ? '' : formatSpan(event.ticks - before, state.hz),
        context: plainText(contextText(event)),
        event: plainText(event.name),
        fields: event.fields.map((field) => `${plainText(field.name)}=${plainText(field.text)}`).join(' '),
        className: event.class,
        row: event.row ?? -1,
    };
}

/** Returns a line as text for the clipboard, with tabs between the columns.
 *  @param {TableLine} line */
export function lineText(line) {
    return [line.number, line.time, line.delta, line.context, line.event, line.fields].join('\t');
}
