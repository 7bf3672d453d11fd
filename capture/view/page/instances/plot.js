// SPDX-License-Identifier: MIT
/*
 * Draws instances over time: a point for each instance, at its end and with its length as height. If a column of pixels has
 * several instances, a line goes from the shortest to the longest. Pure, except for the context.
 */

/**
 * @typedef {{from: number, to: number, most: number, log: boolean}} Scale from, to: ticks at the edges; most: the value at the
 *     top; log: the height is the logarithm
 * @typedef {{left: number, top: number, width: number, height: number}} Area
 * @typedef {{colour: string, columns: import('./trace_instances.js').InstanceColumns}} Layer
 */

/** Space for the scale on the left and below, and above the plot, in CSS pixels. */
export const MARGIN = { left: 58, right: 8, top: 8, bottom: 20 };

/** Number of decades of a logarithmic scale, at most. */
const DECADES = 6;

/** Returns the height of a value: 0 to 1.
 *  @param {Scale} scale @param {number} value */
export function heightOf({ most, log }, value) {
    if (!log)
        return value / Math.max(most, 1);
    const decades = Math.min(DECADES, Math.max(1, Math.log10(Math.max(most, 1))));

    return value <= 0 ? 0 : Math.max(0, 1 - Math.log10(Math.max(most, 1) / value) / decades);
}

/** Returns the value at a height.
 *  @param {Scale} scale @param {number} height 0 to 1 */
export function valueAt({ most, log }, height) {
    const decades = Math.min(DECADES, Math.max(1, Math.log10(Math.max(most, 1))));

    return log ? Math.max(most, 1) / 10 ** ((1 - height) * decades) : height * Math.max(most, 1);
}

/** Returns the values at which lines go through the plot, the largest first.
 *  @param {Scale} scale @param {number} perUnit ticks per second, or 1: lines are at round numbers of the unit */
export function gridValues(scale, perUnit) {
    const { most, log } = scale;

    if (most <= 0)
        return [];
    if (log) {
        const top = 10 ** Math.floor(Math.log10(most / perUnit)) * perUnit;

        return [0, 1, 2, 3, 4, 5].map((i) => top / 10 ** i).filter((value) => heightOf(scale, value) > 0.02);
    }
    const rough = most / perUnit / 3;
    const unit = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((times) => times * unit).find((each) => each >= rough) * perUnit;

    return Array.from({ length: Math.floor(most / step) }, (_, i) => (i + 1) * step).reverse();
}

/**
 * Draws the layers into an area of the canvas.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Area} area in canvas pixels
 * @param {Scale} scale
 * @param {Layer[]} layers the columns of the area, one for each pixel
 * @param {number} size of a point, in canvas pixels
 */
export function drawLayers(ctx, area, scale, layers, size) {
    const bottom = area.top + area.height;

    for (const { colour, columns } of layers) {
        const { min, max, count } = columns;

        ctx.fillStyle = colour;
        for (let x = 0; x < count.length; x++) {
            if (count[x] === 0)
                continue;
            const high = bottom - Math.round(heightOf(scale, max[x]) * area.height);
            const low = bottom - Math.round(heightOf(scale, min[x]) * area.height);

            if (low - high > size) {
                ctx.globalAlpha = 0.35;
                ctx.fillRect(area.left + x, high, Math.max(1, size / 2), low - high);
                ctx.globalAlpha = 1;
                ctx.fillRect(area.left + x - (size >> 1), low - (size >> 1), size, size);
            }
            ctx.fillRect(area.left + x - (size >> 1), high - (size >> 1), size, size);
        }
    }
}
