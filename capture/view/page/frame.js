// SPDX-License-Identifier: MIT
/*
 * One picture of the timeline: the position of everything, in device pixels, and the tools for painting. timeline.js makes a
 * frame for each drawing. The painters (paint_*.js) read it and do not change it.
 */

/** Sizes in CSS px. */
export const SIZES = {
    minimap: 46,
    axis: 26,
    /** Width of the column of names; the smaller width is for narrow timelines. */
    names: 220, namesNarrow: 136, narrow: 760,
    text: 11,
};

/**
 * Sizes that depend on the height of the rows, in CSS px. above, below: free space above and below the bar of a lane, `above` only
 * for threads, whose events are there; name: size of the rows' names.
 * @type {Record<import('./row_choice.js').Density, {above: number, below: number, name: number, small: number}>}
 */
export const ROW_SIZES = {
    34: { above: 8, below: 4, name: 12.5, small: 11 },
    18: { above: 4, below: 2, name: 11, small: 10 },
    10: { above: 2, below: 1, name: 9.5, small: 9 },
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
 * @property {number} left left edge of the lanes, right of the names
 * @property {number} width of the lanes
 * @property {number} axisTop of the axis
 * @property {number} top of the lanes: below the axis
 * @property {number} height of the picture
 * @property {number} scroll distance by which the lanes are scrolled up
 * @property {number} from first visible position on the axis
 * @property {number} to
 * @property {number} ticksFrom first visible position in whole ticks
 * @property {number} ticksTo
 * @property {boolean} byEvent
 * @property {number} hz
 * @property {{from: number, to: number, x: number, count: number}} query the columns to ask for: whole units that cover
 * from..to; x: position of the first column
 * @property {Map<number, number>} most the largest value of each counter or its capacity, by row
 * @property {Map<number, import('./user_values.js').Scale>} scales of user values, by row
 * @property {Box[]} boxes the bars of rows, by number of row; paint_lanes.js fills it
 * @property {(row: number) => Box|null} boxOf
 * @property {typeof ROW_SIZES[34]} sizes of the rows
 * @property {import('./load_layers.js').LoadCache} loads
 * @property {boolean} isDeep there is room for texts of single events
 * @property {import('./edge_marks.js').EdgeMark[]} edgeMarks
 * @property {import('./paint_notes.js').NoteFlag[]} noteFlags
 * @property {string} font @property {string} fontBold @property {string} fontSmall
 * @property {string} fontName @property {string} fontNameBold @property {string} fontRowSmall @property {string} fontAxis
 */

/** Returns the screen position of a position of the axis; not rounded.
 *  @param {Across} frame @param {number} position */
export function toX(frame, position) {
    return frame.left + ((position - frame.from) * frame.width) / (frame.to - frame.from);
}

/** Returns the position on the axis at a screen position: the inverse of toX().
 *  @param {Across} frame @param {number} x */
export function toPosition(frame, x) {
    return frame.from + ((x - frame.left) * (frame.to - frame.from)) / frame.width;
}

/** Returns a size in CSS px as whole device pixels, at least one.
 *  @param {{d: number}} frame @param {number} size */
export function px(frame, size) {
    return Math.max(1, Math.round(size * frame.d));
}

/** Makes the pattern of stripes for gaps.
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
 * Returns the edges of a view, rounded to whole pixels. This keeps the content of each column the same while the view
 * is dragged.
 * @param {number} from @param {number} to @param {number} width px
 * @returns {{from: number, to: number}}
 */
export function snapped(from, to, width) {
    const column = (to - from) / width;
    const start = Math.round(from / column) * column;

    return { from: start, to: start + (to - from) };
}

/**
 * Returns the range to ask the trace for so that it covers from..to. The trace takes whole ticks that are not negative.
 * @param {Across} frame
 * @param {{from: number, to: number}} extent of the trace
 */
export function queryOf(frame, extent) {
    const from = Math.max(Math.floor(frame.from), Math.floor(extent.from), 0);
    const to = Math.min(Math.ceil(frame.to), Math.ceil(extent.to) + 1);
    const x = Math.round(toX(frame, from));

    return { from, to, x, count: to > from ? Math.max(1, Math.round(toX(frame, to)) - x) : 0 };
}
