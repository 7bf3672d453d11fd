// SPDX-License-Identifier: MIT
/* Computes a report in slices, so that the page can draw and respond between two slices. */
import { yieldToPage } from './trace_reader.js';

/** Length of a slice in ms: it fits into one frame of the screen together with a picture of the timeline. */
const REPORT_SLICE_MS = 5;

/** Number of events per call; a slice has several calls. */
const REPORT_EVENTS = 2000;

/**
 * @param {import('./decoder.js').Trace} trace
 * @param {number} from ticks
 * @param {number} to ticks
 * @param {() => boolean} isWanted called before each slice: the trace may have been closed, or another report started
 * @returns {Promise<{report: import('./report_model.js').Report, ms: number}|null>} ms: total computing time; null: no longer
 * wanted
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
        if (state === 'none') // the trace dropped events that the report needs: start again with the remaining events
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
