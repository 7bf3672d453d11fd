// SPDX-License-Identifier: MIT
/*
 * The load of cores over time, as layers for a stacked picture: interrupts, each thread, and time for which the thread is not
 * known. The decoder computes the shares; here they are only added. Pure.
 */
import { SHARE_WHOLE } from './abi.js';

/**
 * @typedef {import('./decoder.js').Trace} Trace
 * @typedef {import('./decoder.js').TraceRow} TraceRow
 * @typedef {{from: number, to: number, count: number, byEvent: boolean}} Columns
 * @typedef {{row: number, load: Float32Array}} Layer row: the thread; LAYER_INTERRUPTS or LAYER_OTHER; load: a part of 1, by
 *     column
 */

export const LAYER_INTERRUPTS = -1;
export const LAYER_OTHER = -2;

/** Number of loads that are remembered: of the minimap, and of the lane of a core. */
const CACHED_MOST = 2;

/** A remainder below this is a rounding error. */
const LEAST = 4 / SHARE_WHOLE;

/** Adds the shares of a row to a layer; false: the row has no load.
 *  @param {Trace} trace @param {number} row @param {boolean} second @param {Columns} columns @param {number} cores
 *  @param {Float32Array} load */
function addShares(trace, row, second, { from, to, count, byEvent }, cores, load) {
    const shares = trace.shares(row, second, from, to, count, byEvent);

    if (!shares)
        return false;
    for (let x = 0; x < count; x++)
        load[x] += shares[x] / (SHARE_WHOLE * cores);
    return true;
}

/**
 * Returns the layers, from the bottom to the top, and their sum. With several cores, they show the mean load.
 * @param {Trace} trace
 * @param {TraceRow[]} cores the rows of cores
 * @param {Columns} columns
 * @param {boolean} byThread false: no thread has a layer of its own. With several cores, the rows of threads do not show
 * the core on which a thread ran, so a single core has no layers of threads
 * @returns {{layers: Layer[], total: Float32Array}}
 */
export function loadLayers(trace, cores, columns, byThread) {
    const { count } = columns;
    const interrupts = new Float32Array(count);
    const other = new Float32Array(count);
    const total = new Float32Array(count);
    /** @type {Layer[]} */
    const layers = [{ row: LAYER_INTERRUPTS, load: interrupts }];

    for (const core of cores) {
        addShares(trace, core.row, true, columns, cores.length, interrupts);
        addShares(trace, core.row, false, columns, cores.length, other);
    }
    for (let x = 0; x < count; x++)
        total[x] = interrupts[x] + other[x];
    for (const { row } of byThread ? trace.rows().filter(({ kind }) => kind === 'thread') : []) {
        const load = new Float32Array(count);

        if (!addShares(trace, row, false, columns, cores.length, load))
            continue;
        layers.push({ row, load });
        for (let x = 0; x < count; x++)
            other[x] -= load[x];
    }
    for (let x = 0; x < count; x++)
        other[x] = other[x] > LEAST * layers.length ? other[x] : 0;
    if (other.some((load) => load > 0))
        layers.push({ row: LAYER_OTHER, load: other });
    return { layers, total };
}

/** Remembers the newest loads: at full zoom, the minimap and the lane of the core show the same. */
export class LoadCache {
    constructor() {
        /** @type {{trace: Trace, key: string, load: ReturnType<typeof loadLayers>}[]} */
        this.known = [];
    }

    /** Returns loadLayers() with the same arguments.
     *  @param {Trace} trace @param {TraceRow[]} cores @param {Columns} columns @param {boolean} byThread */
    get(trace, cores, columns, byThread) {
        const { from, to, count, byEvent } = columns;
        const key = [trace.state().version, ...cores.map(({ row }) => row), from, to, count, byEvent, byThread].join(' ');
        const found = this.known.find((each) => each.trace === trace && each.key === key);
        const load = found?.load ?? loadLayers(trace, cores, columns, byThread);

        if (!found)
            this.known = [{ trace, key, load }, ...this.known].slice(0, CACHED_MOST);
        return load;
    }
}

/**
 * Paints the layers on top of each other. A load of 1 is `height` pixels high. A load that is not 0 is at least one
 * pixel high.
 * @param {import('./pixel_strip.js').PixelStrip} strip
 * @param {{layers: Layer[], total: Float32Array}} load
 * @param {(row: number) => number} pixelOfRow
 * @param {number} height
 * @param {(x: number) => boolean} isWanted
 */
export function stackLayers(strip, { layers, total }, pixelOfRow, height, isWanted) {
    const { length } = total;
    const sums = new Float32Array(length);
    const most = strip.height;

    for (const { row, load } of layers) {
        const pixel = pixelOfRow(row);

        for (let x = 0; x < length; x++) {
            if (load[x] === 0 || !isWanted(x))
                continue;
            const bottom = Math.min(most, Math.round(sums[x] * height));

            sums[x] += load[x];
            strip.column(x, bottom, Math.min(most, Math.round(sums[x] * height)), pixel);
        }
    }
    for (let x = 0; x < length; x++)
        if (total[x] > 0 && total[x] * height < 0.5 && isWanted(x))
            strip.column(x, 0, 1, pixelOfRow(largestAt(layers, x)));
}

/** Returns the row with the largest load in a column.
 *  @param {Layer[]} layers @param {number} x */
function largestAt(layers, x) {
    return layers.reduce((largest, layer) => (layer.load[x] > largest.load[x] ? layer : largest)).row;
}
