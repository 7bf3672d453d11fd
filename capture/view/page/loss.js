// SPDX-License-Identifier: MIT
/* How many events are missing, in words. Pure. */
import { formatNumber } from './units.js';

/** @typedef {import('./decoder.js').TraceGap} TraceGap */

/** @param {number} lost @param {boolean} exact */
function missingNumber(lost, exact) {
    return `${exact ? '' : 'at least '}${formatNumber(lost)}`;
}

/** "17 events lost", "at least 17 events lost", "events lost, how many is not known".
 *  @param {number} lost @param {boolean} exact */
export function lossText(lost, exact) {
    if (!lost)
        return exact ? 'a gap' : 'events lost, how many is not known';
    return `${missingNumber(lost, exact)} ${lost === 1 ? 'event' : 'events'} lost`;
}

/** What was before the first event: a stream does not tell what was lost from what was no longer kept for the page.
 *  @param {number} lost @param {boolean} exact */
export function earlierText(lost, exact) {
    const many = lost ? `${missingNumber(lost, exact)} ` : '';

    return `${many}earlier ${lost === 1 ? 'event' : 'events'} lost or no longer kept`;
}

/** @param {{index: number, lost: number, exact: boolean}} gap of trace.gapsBetween() */
export function gapText({ index, lost, exact }) {
    return index === 0 ? earlierText(lost, exact) : lossText(lost, exact);
}

/** The same where there is less room.
 *  @param {Pick<TraceGap, 'lost'|'exact'>} of */
export function shortGapText({ lost, exact }) {
    return lost ? `${exact ? '' : '≥ '}${formatNumber(lost)} lost` : 'lost';
}
