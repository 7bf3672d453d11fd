// SPDX-License-Identifier: MIT
/*
 * One picture of the timeline: where everything is, in pixels of the device, and with what it is painted. Made for each
 * drawing by timeline.js; the painters (paint_*.js) take it and change nothing in it.
 */

/** Sizes in CSS px. */
export const SIZES = {
    minimap: 46,
    axis: 26,
    /** The column of names; narrow where the timeline is. */
    names: 220, namesNarrow: 136, narrow: 760,
    /** Of a lane: what is free above and below its bar. */
    above: 8, below: 4,
    text: 11, textName: 12.5,
};

/**
 * @typedef {{y: number, height: number}} Box of a bar, in pixels
 * @typedef {Pick<Frame, 'left'|'width'|'from'|'to'>} Across how the axis lies on the screen
 * @typedef {object} Frame
 * @property {CanvasRenderingContext2D} ctx
 * @property {import('./decoder.js').Trace} trace never null where something is painted
 * @property {ReturnType<import('./colours.js').coloursOf>} colours
 * @property {import('./text_fit.js').TextFit} texts
 * @property {import('./rows_layout.js').RowsLayout} layout
 * @property {CanvasPattern|null} hatch stripes of gaps
 * @property {number} d pixels of the device in one CSS px
 * @property {number} left where the lanes begin: behind the names
 * @property {number} width of the lanes
 * @property {number} axisTop of the axis
 * @property {number} top of the lanes: below the axis
 * @property {number} height of the picture
 * @property {number} scroll lanes are that much further up
 * @property {number} from what is shown, on the axis
 * @property {number} to
 * @property {number} ticksFrom the same in whole ticks
 * @property {number} ticksTo
 * @property {boolean} byEvent
 * @property {number} hz
 * @property {{from: number, to: number, x: number, count: number}} query what columns are asked for: whole units that cover
 *     from..to; x is where the first column is drawn
 * @property {Map<number, number>} most the largest value of each counter, by row, or its capacity
 * @property {Box[]} boxes where the bars of rows are, by number of row; paint_lanes.js fills it
 * @property {(row: number) => Box|null} boxOf
 * @property {string} font @property {string} fontBold @property {string} fontSmall
 * @property {string} fontName @property {string} fontNameBold
 */

/** The place on the screen of a position of the axis; not rounded.
 *  @param {Across} frame @param {number} position */
export function toX(frame, position) {
    return frame.left + ((position - frame.from) * frame.width) / (frame.to - frame.from);
}

/** The reverse.
 *  @param {Across} frame @param {number} x */
export function toPosition(frame, x) {
    return frame.from + ((x - frame.left) * (frame.to - frame.from)) / frame.width;
}

/** CSS px as whole pixels, at least one.
 *  @param {{d: number}} frame @param {number} size */
export function px(frame, size) {
    return Math.max(1, Math.round(size * frame.d));
}

/** Stripes of gaps.
 *  @param {Frame['colours']} colours @param {number} d */
export function hatchOf(colours, d) {
    const size = Math.max(4, Math.round(8 * d));
    const tile = new OffscreenCanvas(size, size);
    const ctx = tile.getContext('2d');

    ctx.strokeStyle = colours.gapStripe;
    ctx.lineWidth = Math.max(1, d * 1.2);
    for (const shift of [-size, 0, size]) {
        ctx.beginPath();
        ctx.moveTo(shift, size);
        ctx.lineTo(shift + size, 0);
        ctx.stroke();
    }
    return ctx.createPattern(tile, 'repeat');
}

/**
 * The edges of a view, moved to whole pixels: while it is dragged, columns have the same content in each picture.
 * @param {number} from @param {number} to @param {number} width px
 * @returns {{from: number, to: number}}
 */
export function snapped(from, to, width) {
    const column = (to - from) / width;
    const start = Math.round(from / column) * column;

    return { from: start, to: start + (to - from) };
}

/**
 * What to ask the trace for so that from..to is covered: it knows whole ticks that are not negative.
 * @param {Across} frame
 * @param {{from: number, to: number}} extent of the trace
 */
export function queryOf(frame, extent) {
    const from = Math.max(Math.floor(frame.from), Math.floor(extent.from), 0);
    const to = Math.min(Math.ceil(frame.to), Math.ceil(extent.to) + 1);
    const x = Math.round(toX(frame, from));

    return { from, to, x, count: to > from ? Math.max(1, Math.round(toX(frame, to)) - x) : 0 };
}
