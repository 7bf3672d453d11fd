// SPDX-License-Identifier: MIT
/*
 * Rows of user values: the counters, states and slices of a definitions file. The decoder orders values by keys (user_value.h)
 * and makes all texts, so the page, the table and `txtap decode` show the same text.
 */
import { plainText } from './plain_text.js';

/**
 * @typedef {import('./decoder.js').Trace} Trace
 * @typedef {import('./decoder.js').TraceRow} TraceRow
 * @typedef {{least: number, most: number}} Scale keys of the smallest and the largest value of a row; least above most: no value
 * @typedef {{x0: number, x1: number, min: number, max: number, last: number, flags: number}} ValuePiece
 */

/** Kinds of rows, as the decoder names them. */
const USER_KINDS = ['user_value', 'user_state', 'slice'];

/** Maximum number of remembered texts. */
const TEXTS_MOST = 4000;

/** @param {TraceRow} row */
export function isUserRow(row) {
    return USER_KINDS.includes(row.kind);
}

const words = new DataView(new ArrayBuffer(4));

/** Returns the number of a key. Decimals and the unit are not considered: a plot has its own scale.
 *  @param {import('./decoder.js').ValueForm|undefined} form @param {number} key */
export function numberOfKey(form, key) {
    if (form === 'signed')
        return key - 0x80000000;
    if (form !== 'float')
        return key;
    words.setUint32(0, key >= 0x80000000 ? key - 0x80000000 : ~key >>> 0);
    return words.getFloat32(0);
}

/** @type {WeakMap<Trace, Map<string, string>>} */
const textsOf = new WeakMap();

/** Returns a value as text, with its unit.
 *  @param {Trace} trace @param {TraceRow} row @param {number} key */
export function userText(trace, row, key) {
    const texts = textsOf.get(trace) ?? new Map();
    const name = `${row.row} ${key}`;
    let text = texts.get(name);

    if (text === undefined) {
        if (texts.size >= TEXTS_MOST)
            texts.clear();
        text = plainText(trace.valueText(row.row, key));
        texts.set(name, text);
        textsOf.set(trace, texts);
    }
    return text;
}

/**
 * Returns the pieces of a row in the view, copied: later calls of the decoder do not change them.
 * @param {import('./frame.js').Frame} frame @param {TraceRow} row
 * @returns {ValuePiece[]}
 */
export function valuePieces(frame, row) {
    const { query } = frame;
    const found = frame.trace.values(row.row, query.from, query.to, query.count, frame.byEvent);

    return Array.from({ length: found.length }, (none, i) => ({
        x0: query.x + found.x0(i), x1: query.x + found.x1(i), min: found.min(i), max: found.max(i), last: found.last(i),
        flags: found.flags(i),
    }));
}

/** Returns the index of a state's colour. States with the same number have the same colour in all rows.
 *  @param {number} key @param {number} colours number of colours */
export function stateColour(key, colours) {
    return key % colours;
}
