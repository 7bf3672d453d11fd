// SPDX-License-Identifier: MIT
/*
 * Which of very many rows are seen. A browser's elements cannot be higher than some 16 million pixels, so of a long list the
 * scrollbar is only a scale from 0 to 1: its thumb sets the first row, and each step of the wheel or a key moves by rows,
 * not by pixels of that scale. Pure.
 */

/** The height of what is scrolled, at most, in pixels: browsers keep positions exact up to there. */
export const SCROLL_HEIGHT_MOST = 8_000_000;

/**
 * @typedef {{count: number, rowHeight: number, height: number}} RowsGeometry rows in all; pixels of one; pixels that are seen
 */

/** How many whole rows are seen.
 *  @param {RowsGeometry} geometry */
export function rowsSeen(geometry) {
    return Math.max(1, Math.floor(geometry.height / geometry.rowHeight));
}

/** The last row that may be the first one seen.
 *  @param {RowsGeometry} geometry */
export function lastFirstRow(geometry) {
    return Math.max(0, geometry.count - rowsSeen(geometry));
}

/** The height of the element that the scrollbar moves over.
 *  @param {RowsGeometry} geometry */
export function scrollHeight(geometry) {
    return Math.max(geometry.height, Math.min(geometry.count * geometry.rowHeight, SCROLL_HEIGHT_MOST));
}

/** The first row seen, when the scrollbar is at `top`.
 *  @param {RowsGeometry} geometry @param {number} top */
export function rowAtScroll(geometry, top) {
    const way = scrollHeight(geometry) - geometry.height;

    return way <= 0 ? 0 : Math.round(Math.min(Math.max(top / way, 0), 1) * lastFirstRow(geometry));
}

/** Where the scrollbar is when that row is the first one seen: the other way round.
 *  @param {RowsGeometry} geometry @param {number} row */
export function scrollOfRow(geometry, row) {
    const most = lastFirstRow(geometry);

    return most === 0 ? 0 : Math.min(Math.max(row, 0), most) / most * (scrollHeight(geometry) - geometry.height);
}

/** A first row that there is.
 *  @param {RowsGeometry} geometry @param {number} row */
export function clampRow(geometry, row) {
    return Math.min(Math.max(Math.round(row), 0), lastFirstRow(geometry));
}

/** The first row, such that `row` is seen: the one there is if it is seen already, else with the row in the middle.
 *  @param {RowsGeometry} geometry @param {number} first @param {number} row */
export function rowToSee(geometry, first, row) {
    const seen = rowsSeen(geometry);

    if (row >= first && row < first + seen)
        return first;
    if (row === first - 1 || row === first + seen) // a step: the list moves by a row
        return clampRow(geometry, row < first ? row : row - seen + 1);
    return clampRow(geometry, row - (seen >> 1));
}
