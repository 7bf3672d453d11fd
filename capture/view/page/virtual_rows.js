// SPDX-License-Identifier: MIT
/*
 * Computes the visible rows of a very long list. Browsers limit the height of an element to about 16 million pixels. So for a
 * long list the scrollbar is only a scale from 0 to 1: its thumb sets the first row, and the wheel and the keys move by rows,
 * not by pixels of that scale. Pure.
 */

/** Maximum height of the scrolled element, in pixels: up to this height browsers keep positions exact. */
export const SCROLL_HEIGHT_MOST = 8_000_000;

/**
 * @typedef {{count: number, rowHeight: number, height: number}} RowsGeometry count: number of rows; rowHeight: pixels of a
 * row; height: visible pixels
 */

/** Returns the number of rows that are visible in full.
 *  @param {RowsGeometry} geometry */
export function rowsSeen(geometry) {
    return Math.max(1, Math.floor(geometry.height / geometry.rowHeight));
}

/** Returns the last row that may be the first visible row.
 *  @param {RowsGeometry} geometry */
export function lastFirstRow(geometry) {
    return Math.max(0, geometry.count - rowsSeen(geometry));
}

/** Returns the height of the element that the scrollbar moves over.
 *  @param {RowsGeometry} geometry */
export function scrollHeight(geometry) {
    return Math.max(geometry.height, Math.min(geometry.count * geometry.rowHeight, SCROLL_HEIGHT_MOST));
}

/** Returns the first visible row when the scrollbar is at `top`.
 *  @param {RowsGeometry} geometry @param {number} top */
export function rowAtScroll(geometry, top) {
    const way = scrollHeight(geometry) - geometry.height;

    return way <= 0 ? 0 : Math.round(Math.min(Math.max(top / way, 0), 1) * lastFirstRow(geometry));
}

/** Returns the position of the scrollbar for a first visible row: the inverse of rowAtScroll().
 *  @param {RowsGeometry} geometry @param {number} row */
export function scrollOfRow(geometry, row) {
    const most = lastFirstRow(geometry);

    return most === 0 ? 0 : Math.min(Math.max(row, 0), most) / most * (scrollHeight(geometry) - geometry.height);
}

/** Limits a first row to the valid range.
 *  @param {RowsGeometry} geometry @param {number} row */
export function clampRow(geometry, row) {
    return Math.min(Math.max(Math.round(row), 0), lastFirstRow(geometry));
}

/** Returns the first row such that `row` is visible: unchanged if it is visible already, or else with the row in the
 *  middle.
 *  @param {RowsGeometry} geometry @param {number} first @param {number} row */
export function rowToSee(geometry, first, row) {
    const seen = rowsSeen(geometry);

    if (row >= first && row < first + seen)
        return first;
    if (row === first - 1 || row === first + seen) // one row outside: the list moves by one row
        return clampRow(geometry, row < first ? row : row - seen + 1);
    return clampRow(geometry, row - (seen >> 1));
}

/** Returns the first row such that `row` and the row before it are visible, as rowToSee() does for one row.
 *  @param {RowsGeometry} geometry @param {number} first @param {number} row */
export function rowsToSee(geometry, first, row) {
    return rowToSee(geometry, rowToSee(geometry, first, Math.min(row, geometry.count - 1)), Math.max(row - 1, 0));
}
