// SPDX-License-Identifier: MIT
/*
 * Parses a place in the trace as the user types it: "#1234" is the number of an event; "12.5ms", "2s", "3 522 541 ticks" and
 * "3522541" are times since the start of the trace.
 */

/**
 * @typedef {import('./decoder.js').Trace} Trace
 * @typedef {import('./decoder.js').TraceState} TraceState
 */

/** Units that the user can type, in seconds. */
const TYPED_UNITS = new Map([['ns', 1e-9], ['us', 1e-6], ['µs', 1e-6], ['μs', 1e-6], ['ms', 1e-3], ['s', 1], ['min', 60],
    ['h', 3600]]);

/** The accepted forms, for messages. */
export const POSITION_HINT = 'an event such as #1234, or a time such as 12.5ms, 2s or 40000 ticks';

/**
 * @typedef {{kind: 'event', seq: number} | {kind: 'time', ticks: number} | {kind: 'problem', text: string}} Position
 * @param {string} text
 * @param {number} hz ticks in a second, 0: not known
 * @returns {Position}
 */
export function parsePosition(text, hz) {
    const typed = text.replace(/[\s_]/gu, '').toLowerCase();
    const event = /^#(\d{1,16})$/.exec(typed);
    const time = /^(\d{0,16}(?:\.\d{0,15})?)([a-zµμ]*)$/u.exec(typed);

    if (!typed)
        return { kind: 'problem', text: `type ${POSITION_HINT}` };
    if (event)
        return { kind: 'event', seq: Number(event[1]) };
    if (!time || !/\d/.test(time[1]))
        return { kind: 'problem', text: `"${text.trim()}" is not a position: type ${POSITION_HINT}` };
    return timePosition(Number(time[1]), time[2], hz);
}

/** @param {number} number @param {string} unit @param {number} hz @returns {Position} */
function timePosition(number, unit, hz) {
    if (unit === '' || unit === 't' || unit === 'tick' || unit === 'ticks')
        return { kind: 'time', ticks: Math.round(number) };
    if (!TYPED_UNITS.has(unit))
        return { kind: 'problem', text: `"${unit}" is not a unit of time: ns, us, ms, s, min, h or ticks` };
    if (!hz)
        return { kind: 'problem', text: 'the tick rate is not known: type a number of ticks, or an event such as #1234' };
    return { kind: 'time', ticks: Math.round(number * TYPED_UNITS.get(unit) * hz) };
}

/** Returns the index of the event at a position, or -1; problem: '' or a message of one line.
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
        return { index: -1, problem: 'that is before the oldest event that is still available' };
    if (position.ticks > state.to)
        return { index: -1, problem: 'that is after the end of the trace' };
    return { index: Math.min(Math.max(trace.index(position.ticks), state.first), state.first + state.events - 1), problem: '' };
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
