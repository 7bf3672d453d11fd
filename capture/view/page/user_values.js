// SPDX-License-Identifier: MIT
/*
 * Rows of user values: the counters, states and slices of a definitions file, and the samples of variables and logs. The decoder
 * orders values of definitions by keys (user_value.h); samples are numbers. It makes all texts, so the page, the table and `txtap
 * decode` show the same text.
 */
import { plainText } from './plain_text.js';

/**
 * @typedef {import('./decoder.js').Trace} Trace
 * @typedef {import('./decoder.js').TraceRow} TraceRow
 * @typedef {{least: number, most: number}} Scale keys of the smallest and the largest value of a row; least above most: no value
 * @typedef {{x0: number, x1: number, min: number, max: number, last: number, flags: number}} ValuePiece
 */

/** Kinds of rows, as the decoder names them. */
const SAMPLED_KINDS = ['sampled_value', 'sampled_state', 'log'];
const USER_KINDS = ['user_value', 'user_state', 'slice', ...SAMPLED_KINDS];

/** Maximum number of remembered texts. */
const TEXTS_MOST = 4000;

/** @param {TraceRow} row */
export function isUserRow(row) {
    return USER_KINDS.includes(row.kind);
}

/** @param {TraceRow} row */
export function isSampledRow(row) {
    return SAMPLED_KINDS.includes(row.kind);
}

/** Reports whether a row is drawn as a line with steps.
 *  @param {TraceRow} row */
export function isPlotRow(row) {
    return row.kind === 'user_value' || row.kind === 'sampled_value';
}

/** Reports whether a row is drawn as bars with words.
 *  @param {TraceRow} row */
export function isStateRow(row) {
    return row.kind === 'user_state' || row.kind === 'sampled_state';
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
        text = plainText(isSampledRow(row) ? trace.sampleText(row.row, key) : trace.valueText(row.row, key));
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
    const found = piecesOf(frame.trace, row, query.from, query.to, query.count, frame.byEvent);

    return Array.from({ length: found.length }, (none, i) => ({
        x0: query.x + found.x0(i), x1: query.x + found.x1(i), min: found.min(i), max: found.max(i), last: found.last(i),
        flags: found.flags(i),
    }));
}

/** Returns the smallest and largest values of a row in columns.
 *  @param {Trace} trace @param {TraceRow} row @param {number} from @param {number} to @param {number} count
 *  @param {boolean} byEvent */
export function piecesOf(trace, row, from, to, count, byEvent) {
    return isSampledRow(row) ? trace.samples(row.row, from, to, count, byEvent) : trace.values(row.row, from, to, count, byEvent);
}

/** Returns the index of a state's colour. States with the same number have the same colour in all rows.
 *  @param {number} key @param {number} colours number of colours */
export function stateColour(key, colours) {
    return ((key % colours) + colours) % colours;
}
