// SPDX-License-Identifier: MIT
/*
 * The instances of a figure: its samples over time, in the decoder. One figure of a trace has instances at a time.
 * Instances have numbers: 0, 1, 2, ... in the order of time.
 */
import { REPORT_STATES } from '../abi.js';
import { inSlices } from '../report_slices.js';

/**
 * @typedef {import('../decoder.js').Trace} Trace
 * @typedef {{kind: string, number: number, subject: string, other: string, detail: string, n: number, sum: number, max: number, cut: number}} Series
 * @typedef {{figure: string, unit: string, left_out: number, failed: boolean, series: Series[]}} SeriesList
 * @typedef {{series: number, start: number, end: number, value: number, event: number, vague: boolean, parts?: Object<string, number>}} Instance
 * @typedef {{min: Float64Array, max: Float64Array, count: Float64Array}} InstanceColumns
 */

/** All series: INSTANCES_ALL. */
export const ALL_SERIES = 0xffffffff;

/** No instance: INSTANCES_NONE. */
const NONE = 0xffffffff;

/**
 * Makes the instances of a figure, in slices, so that the page can draw between two slices.
 * @param {Trace} trace
 * @param {string} figure
 * @param {() => boolean} isWanted called before each slice
 * @returns {Promise<SeriesList|null>} null: no longer wanted
 */
export async function makeInstances(trace, figure, isWanted) {
    const done = await inSlices(trace, () => begin(trace, figure), () => finish(trace), isWanted);

    return done === null ? null : done.report;
}

/** Makes the instances of a figure in a single call.
 *  @param {Trace} trace @param {string} figure */
export function instancesOf(trace, figure) {
    begin(trace, figure);
    while (REPORT_STATES[trace.wasm.report_step(trace.handle, NONE)] === 'more');
    return finish(trace);
}

/** @param {Trace} trace @param {string} figure */
function begin(trace, figure) {
    let begun = false;

    trace.reports++; // another report that is being made must begin again
    trace.decoder.lend(new TextEncoder().encode(figure), (address) => {
        begun = Boolean(trace.wasm.instances_start(trace.handle, address));
    });
    if (!begun)
        throw new Error(`no instances of ${figure}: not enough memory`);
}

/** @param {Trace} trace @returns {SeriesList} */
function finish(trace) {
    const answer = trace.answer(trace.wasm.instances_series(trace.handle));

    if (answer === '')
        throw new Error('not enough memory for instances');
    return JSON.parse(answer);
}

/** Returns the smallest and the largest value in each of `count` columns of a time, and the numbers of instances; valid until
 *  the next call of the decoder. null: no instances.
 *  @param {Trace} trace @param {number} series @param {number} from @param {number} to @param {number} count
 *  @returns {InstanceColumns|null} */
export function instanceColumns(trace, series, from, to, count) {
    const at = trace.wasm.instances_plot(trace.handle, series, from, to, count) >>> 0;
    const { buffer } = trace.decoder.memory();

    if (at === 0)
        return null;
    return { min: new Float64Array(buffer, at, count), max: new Float64Array(buffer, at + 8 * count, count),
        count: new Float64Array(buffer, at + 16 * count, count) };
}

/** Returns the number of the instance in a time whose value is nearest to `value`; -1: no instance.
 *  @param {Trace} trace @param {number} series @param {number} from @param {number} to @param {number} value */
export function instanceNear(trace, series, from, to, value) {
    return signed(trace.wasm.instances_find(trace.handle, series, from, to, value) >>> 0);
}

/** Returns the next or the previous instance; -1: no such instance.
 *  @param {Trace} trace @param {number} series @param {number} at -1: from the first or the last on @param {boolean} forward */
export function nextInstance(trace, series, at, forward) {
    return signed(trace.wasm.instances_next(trace.handle, series, at < 0 ? NONE : at, forward) >>> 0);
}

/** @param {number} number */
function signed(number) {
    return number === NONE ? -1 : number;
}

/** @param {Trace} trace @param {number} index @returns {Instance|null} */
export function instanceAt(trace, index) {
    return index < 0 ? null : JSON.parse(trace.answer(trace.wasm.instances_one(trace.handle, index)));
}

/** Returns instances as CSV.
 *  @param {Trace} trace @param {number} series @param {number} from @param {number} to */
export function instancesCsv(trace, series, from, to) {
    return trace.answer(trace.wasm.instances_table(trace.handle, series, from, to));
}
