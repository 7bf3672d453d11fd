// SPDX-License-Identifier: MIT
/*
 * Parses a place in the trace as the user types it: "#1234" and "event 1234" are the number of an event; "12.5ms", "2s",
 * "3 522 541 ticks" and "tick 3522541" are times since the start of the trace. A number without a unit has the unit of all
 * moments on the page: seconds, or ticks if the rate is not known.
 */
import { formatMoment } from './units.js';

/**
 * @typedef {import('./decoder.js').Trace} Trace
 * @typedef {import('./decoder.js').TraceState} TraceState
 */

/** Units that the user can type, in seconds. */
const TYPED_UNITS = new Map([['ns', 1e-9], ['us', 1e-6], ['µs', 1e-6], ['μs', 1e-6], ['ms', 1e-3], ['s', 1], ['min', 60],
    ['h', 3600]]);

/** Returns the accepted forms, for messages and for the empty box.
 *  @param {number} hz */
export function positionHint(hz) {
    return hz ? 'a time such as 2.344 (seconds), 12.5ms or tick 40000, or an event such as #1234'
        : 'a tick such as 40000, or an event such as #1234';
}

/**
 * @typedef {{kind: 'event', seq: number} | {kind: 'time', ticks: number} | {kind: 'problem', text: string}} Position
 * @param {string} text
 * @param {number} hz ticks in a second, 0: not known
 * @returns {Position}
 */
export function parsePosition(text, hz) {
    const typed = text.replace(/[\s_]/gu, '').toLowerCase();
    const event = /^(?:#|event#?)(\d{1,16})$/.exec(typed);
    const time = /^(\d{0,16}(?:\.\d{0,15})?)([a-zµμ]*)$/u.exec(typed.replace(/^(ticks?)([\d.]+)$/, '$2$1'));

    if (!typed)
        return { kind: 'problem', text: `type ${positionHint(hz)}` };
    if (event)
        return { kind: 'event', seq: Number(event[1]) };
    if (!time || !/\d/.test(time[1]))
        return { kind: 'problem', text: `"${text.trim()}" is not a position: type ${positionHint(hz)}` };
    return timePosition(Number(time[1]), time[2] || (hz ? 's' : 'ticks'), hz);
}

/** @param {number} number @param {string} unit @param {number} hz @returns {Position} */
function timePosition(number, unit, hz) {
    if (unit === 't' || unit === 'tick' || unit === 'ticks')
        return Number.isInteger(number) ? { kind: 'time', ticks: number }
            : { kind: 'problem', text: `${number} is not a whole number of ticks${hz ? '' : ', and the tick rate is not known'}` };
    if (!TYPED_UNITS.has(unit))
        return { kind: 'problem', text: `"${unit}" is not a unit of time: ns, us, ms, s, min, h or ticks` };
    if (!hz)
        return { kind: 'problem', text: 'the tick rate is not known: type a number of ticks, or an event such as #1234' };
    return { kind: 'time', ticks: Math.round(number * TYPED_UNITS.get(unit) * hz) };
}

/** Returns the index of the event at a position, or of the nearest event; -1: no event. problem: '' or a message of one line.
 *  @param {Position} position @param {Trace} trace @returns {{index: number, problem: string}} */
export function resolvePosition(position, trace) {
    const state = trace.state();

    if (position.kind === 'problem')
        return { index: -1, problem: position.text };
    if (!state.events)
        return { index: -1, problem: 'the trace has no events yet' };
    if (position.kind === 'event')
        return eventOfSeq(position.seq, trace, state);
    if (position.ticks < state.from && state.dropped)
        return { index: -1, problem: `${formatMoment(position.ticks, state.hz)} is before the oldest event that is still available` };
    if (position.ticks > state.to)
        return { index: -1, problem: `${formatMoment(position.ticks, state.hz)} is after the end of the trace, ${formatMoment(state.to, state.hz)}` };
    return { index: nearestEvent(position.ticks, trace, state), problem: '' };
}

/** @param {number} ticks @param {Trace} trace @param {TraceState} state */
function nearestEvent(ticks, trace, state) {
    const after = Math.min(Math.max(trace.index(ticks), state.first), state.first + state.events - 1);
    const before = Math.max(after - 1, state.first);

    return ticks - trace.ticks(before) < trace.ticks(after) - ticks ? before : after;
}

/** @param {number} seq @param {Trace} trace @param {TraceState} state */
function eventOfSeq(seq, trace, state) {
    const last = state.lastSeq;

    if (seq > last)
        return { index: -1, problem: `the last event is #${last}` };
    if (seq < state.seqFirst)
        return { index: -1, problem: `the oldest event ${state.dropped ? 'that is still available ' : ''}is #${state.seqFirst}` };
    const index = Math.min(trace.indexOfSeq(seq), state.first + state.events - 1);
    const found = trace.seq(index);

    return { index, problem: found === seq ? '' : `event #${seq} is missing: showing the next event, #${found}` };
}
