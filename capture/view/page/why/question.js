// SPDX-License-Identifier: MIT
/*
 * Questions to the panel "Why", and their answers. A question names a span of a thread: the job or wait at an event, the job or
 * wait of a thread at a time, or the sample of a figure. Its text is a part of the URL:
 *
 *     event,290    time,200049a8,106200    response,t200049a8,301,0,500000
 *
 * The last form has the name of the figure, its thread (t) or object (o), the event of its maximum and, if the figure is not of
 * the whole trace, the range. Pure.
 */

/**
 * @typedef {{select: 'event'|'time'|'figure', figure?: string, address?: number, isThread?: boolean, event?: number,
 *     ticks?: number, from?: number, to?: number}} Question address: of a thread or an object; from, to: ticks
 * @typedef {{kind: string, number: number, name?: string}} Party number: the address of a thread or an object
 * @typedef {{ticks: number, event?: number, from: number, to: number, before: boolean, state: string, thread?: Party, by?: Party,
 *     line: string}} Piece event: undefined: not known
 * @typedef {{cause: string, span: string, notes: string[], kind: string, thread: Party, start: {ticks: number, event?: number},
 *     end: {ticks: number, event: number}, total: number, before?: number, cause_ticks: number, unknown_ticks: number, pieces: Piece[],
 *     groups: (Piece & {count: number})[]}} Answer the object of 'txtap why -f json'
 * @typedef {{thread: Party, end: {ticks: number, event: number}, cause: string}} LongestJob a member of `jobs`
 */

/** Figures for which 'txtap why' has spans and the report has an event. */
const EXPLAINED = ['run', 'response', 'response_ready', 'response_interrupted', 'response_mutex', 'turns', 'path', 'longest_run',
    'longest_ready', 'longest_interrupted', 'longest_mutex', 'block', 'waits', 'wait', 'inversion', 'wake', 'first_run', 'ready', 'wake_by', 'hold'];

/** Returns the question for the maximum of a figure of a report; null: 'txtap why' does not explain it.
 *  @param {import('../report_model.js').Figure} figure @param {{from: number, to: number}|null} range of the report; null: the whole
 *  trace
 *  @returns {Question|null} */
export function questionOf({ name, subject, max_at }, range) {
    if (!EXPLAINED.includes(name) || !max_at)
        return null;
    return { select: 'figure', figure: name, address: Number(subject.address ?? 0), isThread: subject.kind === 'thread', event: max_at.event,
        ...(range ? { from: range.from, to: range.to } : {}) };
}

/** @param {Question|null|undefined} question @returns {string} '' for no question */
export function formatQuestion(question) {
    if (!question)
        return '';
    const { select, figure, address = 0, isThread, event, ticks, from, to } = question;

    if (select === 'event')
        return `event,${event}`;
    if (select === 'time')
        return `time,${address.toString(16)},${ticks}`;
    return [figure, `${isThread ? 't' : 'o'}${address.toString(16)}`, event, ...(to !== undefined ? [from, to] : [])].join();
}

/** @param {string|undefined} text @returns {Question|undefined} undefined: the text is no question */
export function parseQuestion(text) {
    const [name, second, ...rest] = (text ?? '').split(',');
    const numbers = rest.map((number) => (/^\d{1,16}$/.test(number) ? Number(number) : NaN));
    const [, kind, address] = /^([to]?)([\da-f]{1,8})$/.exec(second) ?? [];

    if (name === 'event')
        return /^\d{1,16}$/.test(second) && !rest.length ? { select: 'event', event: Number(second) } : undefined;
    if (address === undefined || numbers.some((number) => !Number.isSafeInteger(number)))
        return undefined;
    if (name === 'time')
        return kind === '' && numbers.length === 1 ? { select: 'time', address: parseInt(address, 16), isThread: true, ticks: numbers[0] } : undefined;
    if (!EXPLAINED.includes(name) || kind === '' || (numbers.length !== 1 && numbers.length !== 3) || numbers[1] >= numbers[2])
        return undefined;
    return { select: 'figure', figure: name, address: parseInt(address, 16), isThread: kind === 't', event: numbers[0],
        ...(numbers.length === 3 ? { from: numbers[1], to: numbers[2] } : {}) };
}

/** Returns the row of a thread, an interrupt or the idle time; -1: no row.
 *  @param {import('../decoder.js').TraceRow[]} rows @param {Party|undefined} party */
export function rowOfParty(rows, party) {
    const found = rows.find(({ kind, address, number }) => (party?.kind === 'thread' ? kind === 'thread' && address === party.number
        : party?.kind === 'interrupt' ? kind === 'isr' && number === party.number : kind === 'idle' && party?.kind === 'idle'));

    return found?.row ?? -1;
}

/** Returns the row over which a piece is drawn: of the thread or interrupt that ran, or else of the thread that waited.
 *  @param {import('../decoder.js').TraceRow[]} rows @param {Piece} piece */
export function rowOfPiece(rows, { state, thread, by }) {
    const row = state === 'ready' || state === 'interrupted' ? rowOfParty(rows, by) : -1;

    return row >= 0 ? row : rowOfParty(rows, thread);
}
