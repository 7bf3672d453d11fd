// SPDX-License-Identifier: MIT
/* Computes a report in slices, so that the page can draw and respond between two slices. */
import { yieldToPage } from './trace_reader.js';

/** Length of a slice in ms: it fits into one frame of the screen together with a picture of the timeline. */
const REPORT_SLICE_MS = 5;

/** Number of events per call; a slice has several calls. */
const REPORT_EVENTS = 2000;

/**
 * @template T
 * @param {import('./decoder.js').Trace} trace
 * @param {() => void} begin starts the report
 * @param {() => T} end returns the finished report
 * @param {() => boolean} isWanted called before each slice: the trace may have been closed, or another report started
 * @returns {Promise<{report: T, ms: number}|null>} ms: total computing time; null: no longer wanted
 */
export async function inSlices(trace, begin, end, isWanted) {
    let ms = 0;

    begin();
    let mine = trace.reports;
    for (;;) {
        await yieldToPage();
        if (!isWanted())
            return null;
        const start = performance.now();
        const state = mine === trace.reports ? slice(trace, start) : 'none';

        ms += performance.now() - start;
        if (state === 'none') { // the trace dropped events that the report needs, or another report began: start again
            begin();
            mine = trace.reports;
        } else if (state === 'done')
            return { report: end(), ms };
    }
}

/** Computes the report of a time range, in ticks.
 *  @param {import('./decoder.js').Trace} trace @param {number} from @param {number} to @param {() => boolean} isWanted
 *  @param {boolean} [flow] compute the flow instead of a report
 *  @returns {Promise<{report: any, ms: number}|null>} */
export function reportInSlices(trace, from, to, isWanted, flow = false) {
    return inSlices(trace, () => trace.beginReport(from, to, flow), () => trace.endReport(), isWanted);
}

/** @param {import('./decoder.js').Trace} trace @param {number} start @returns {import('./decoder.js').ReportState} */
function slice(trace, start) {
    /** @type {import('./decoder.js').ReportState} */
    let state = 'more';

    while (state === 'more' && performance.now() - start < REPORT_SLICE_MS)
        state = trace.stepReport(REPORT_EVENTS);
    return state;
}
