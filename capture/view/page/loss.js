// SPDX-License-Identifier: MIT
/* Numbers of missing events, as text. Pure. */
import { formatNumber } from './units.js';

/** @typedef {import('./decoder.js').TraceGap} TraceGap */

/** @param {number} lost @param {boolean} exact */
function missingNumber(lost, exact) {
    return `${exact ? '' : 'at least '}${formatNumber(lost)}`;
}

/** Returns "17 events lost", "at least 17 events lost", "unknown number of events lost".
 *  @param {number} lost @param {boolean} exact */
export function lossText(lost, exact) {
    if (!lost)
        return exact ? 'a gap' : 'unknown number of events lost';
    return `${missingNumber(lost, exact)} ${lost === 1 ? 'event' : 'events'} lost`;
}

/** Returns the events before the first event. A stream does not show whether an event was lost or the server no longer
 *  kept it.
 *  @param {number} lost @param {boolean} exact */
export function earlierText(lost, exact) {
    const many = lost ? `${missingNumber(lost, exact)} ` : '';

    return `${many}earlier ${lost === 1 ? 'event' : 'events'} lost or no longer kept`;
}

/** @param {{index: number, lost: number, exact: boolean}} gap of trace.gapsBetween() */
export function gapText({ index, lost, exact }) {
    return index === 0 ? earlierText(lost, exact) : lossText(lost, exact);
}

/** Returns a shorter form of lossText().
 *  @param {Pick<TraceGap, 'lost'|'exact'>} of */
export function shortGapText({ lost, exact }) {
    return lost ? `${exact ? '' : '≥ '}${formatNumber(lost)} lost` : 'lost';
}
