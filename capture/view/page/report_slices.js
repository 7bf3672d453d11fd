// SPDX-License-Identifier: MIT
/* A report that is computed in slices: the page draws and hears its user meanwhile. */
import { yieldToPage } from './trace_reader.js';

/** ms that a slice takes: with a picture of the timeline beside it in one frame of a screen. */
const REPORT_SLICE_MS = 5;

/** Events of one call: a part of a slice. */
const REPORT_EVENTS = 2000;

/**
 * @param {import('./decoder.js').Trace} trace
 * @param {number} from ticks
 * @param {number} to ticks
 * @param {() => boolean} isWanted asked before each slice: the trace may be closed, another report may have been begun
 * @returns {Promise<{report: import('./report_model.js').Report, ms: number}|null>} ms: of work, in all; null: it is
 *     not wanted any more
 */
export async function reportInSlices(trace, from, to, isWanted) {
    let ms = 0;

    trace.beginReport(from, to);
    for (;;) {
        await yieldToPage();
        if (!isWanted())
            return null;
        const start = performance.now();
        const state = slice(trace, start);

        ms += performance.now() - start;
        if (state === 'none') // what it needs was forgotten: of what is left
            trace.beginReport(from, to);
        else if (state === 'done')
            return { report: trace.endReport(), ms };
    }
}

/** @param {import('./decoder.js').Trace} trace @param {number} start @returns {import('./decoder.js').ReportState} */
function slice(trace, start) {
    /** @type {import('./decoder.js').ReportState} */
    let state = 'more';

    while (state === 'more' && performance.now() - start < REPORT_SLICE_MS)
        state = trace.stepReport(REPORT_EVENTS);
    return state;
}
