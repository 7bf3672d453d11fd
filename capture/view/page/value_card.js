// SPDX-License-Identifier: MIT
/* The lines of the card for rows of user values: the text of a value, the open slices, ends of slices without a begin. */
import { element } from './dom.js';
import { plainText } from './plain_text.js';
import { formatMoment, formatNumber, formatSpan } from './units.js';

/**
 * @typedef {import('./decoder.js').Trace} Trace
 * @typedef {import('./decoder.js').TraceRow} TraceRow
 * @typedef {import('./decoder.js').TraceStep} TraceStep
 * @typedef {import('./decoder.js').TraceSlice} TraceSlice
 */

/** Maximum number of open slices in the card, the innermost first. */
const SLICES_MOST = 6;

/** Returns the value of a row in a step, as `txtap decode` shows it.
 *  @param {TraceRow} row @param {TraceStep} step */
export function userStepText(row, step) {
    if (row.kind === 'log')
        return plainText(step.text ?? '');
    if (step.value === undefined)
        return step.text ?? 'not known';
    if (row.kind !== 'slice')
        return step.text ?? '';
    return step.value === 0 ? 'not open' : step.value === 1 ? 'open' : `open ${formatNumber(step.value)} times, nested`;
}

/** Returns the line about the time in which a sample was taken: txtap reads the target's memory in an exchange, and does not
 *  know the moment of the reading exactly.
 *  @param {TraceRow} row @param {TraceStep|null} step @param {number} hz */
export function sampleParts(row, step, hz) {
    if (!step)
        return [];
    const moment = row.kind === 'log' ? `${formatMoment(step.from, hz)}, ` : '';
    const text = step.window === undefined ? 'exact time not known' : `time known to ± ${formatSpan(step.window, hz)}`;

    return [element('p', { class: 'quiet' }, moment + text)];
}

/**
 * Returns the lines about the slices that are open during a step, and about ends without a begin.
 * @param {Trace} trace @param {TraceRow} row @param {TraceStep|null} step
 * @param {(slice: TraceSlice) => string} timesText
 */
export function sliceParts(trace, row, step, timesText) {
    const depth = step?.value ?? 0;
    const ticks = step ? Math.floor((step.from + step.to) / 2) : 0;
    const parts = [];

    for (let level = depth; level > 0 && depth - level < SLICES_MOST; level--) {
        const slice = trace.slice(row.row, ticks, level);
        const begin = slice?.fromKnown ? trace.event(slice.index) : null;
        const fields = begin ? begin.fields.map(({ name, text }) => `${name} ${text}`).join(', ') : '';

        if (slice)
            parts.push(element('p', { class: 'quiet' }, [timesText(slice), fields].filter(Boolean).join(': ')));
    }
    if (row.unpaired)
        parts.push(element('p', { class: 'quiet' },
            `${formatNumber(row.unpaired)} ${row.unpaired === 1 ? 'end' : 'ends'} without a begin in this trace`));
    return parts;
}
