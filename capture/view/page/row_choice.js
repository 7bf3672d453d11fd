// SPDX-License-Identifier: MIT
/*
 * The user's choice of rows: their height, their order, and the rows that are hidden. Also its form in the URL. view.rows holds
 * the choice; rows_layout.js applies it. Pure.
 */

/**
 * Heights of a thread's row, in CSS px.
 * @typedef {34|18|10} Density
 * @type {Density[]}
 */
export const DENSITIES = [34, 18, 10];

/**
 * Orders of rows, each with its text.
 * @typedef {'priority'|'recorded'|'cpu'|'name'} RowOrder
 * @type {[order: RowOrder, text: string][]}
 */
export const ROW_ORDERS = [['priority', 'by priority'], ['recorded', 'as recorded'], ['cpu', 'by CPU time'], ['name', 'by name']];

/** A trace with more threads than this has rows of medium height, unless the user chose a height. */
const THREADS_TALL = 16;

/** Limits of a choice in a URL. */
const HIDDEN_MOST = 100;
const FILTER_MOST = 60;

/**
 * @typedef {{density: Density|0, order: RowOrder, filter: string, hidden: string[], only: string}} RowChoice density 0: by the
 * number of threads; filter: a part of the names; hidden, only: keys of rows (rowKey()); only '': all rows
 * @type {Readonly<RowChoice>}
 */
export const ALL_ROWS = Object.freeze({ density: 0, order: 'priority', filter: '', hidden: [], only: '' });

/** Returns the key of a row. It is the same in all pages of the trace.
 *  @param {import('./decoder.js').TraceRow} row */
export function rowKey(row) {
    return `${row.kind}:${(row.address || row.number).toString(16)}`;
}

/** Returns the height of a thread's row.
 *  @param {Pick<RowChoice, 'density'>} choice @param {number} threads number of threads
 *  @returns {Density} */
export function densityOf({ density }, threads) {
    return density || (threads > THREADS_TALL ? 18 : 34);
}

/** Reports whether the choice hides rows.
 *  @param {RowChoice} choice */
export function hidesRows({ filter, hidden, only }) {
    return filter !== '' || hidden.length > 0 || only !== '';
}

/** Reports whether a row is shown. A core is hidden only if the user hid its row: the filter and `only` do not hide it.
 *  @param {RowChoice} choice @param {import('./decoder.js').TraceRow} row @param {string} name as displayed */
export function showsRow({ filter, hidden, only }, row, name) {
    const key = rowKey(row);

    if (hidden.includes(key))
        return false;
    if (row.kind === 'core' || (row.kind === 'idle' && !filter && !only))
        return true;
    return (!only || only === key) && name.toLowerCase().includes(filter.toLowerCase());
}

/** Returns the choice without hidden rows.
 *  @param {RowChoice} choice @returns {RowChoice} */
export function withAllRows(choice) {
    return { ...choice, filter: '', hidden: [], only: '' };
}

// ---- in the URL: d=18&o=cpu&f=_rx&h=thread:20001000,queue:5&u=thread:7 ----

/** Adds the choice to a URL.
 *  @param {RowChoice} choice @param {(key: string, text: string) => void} add */
export function formatRows({ density, order, filter, hidden, only }, add) {
    if (density)
        add('d', String(density));
    if (order !== ALL_ROWS.order)
        add('o', order);
    if (filter)
        add('f', encodeURIComponent(filter.slice(0, FILTER_MOST)));
    if (hidden.length)
        add('h', hidden.slice(0, HIDDEN_MOST).join(','));
    if (only)
        add('u', only);
}

/** Returns the choice in a URL, without invalid parts; undefined: the URL has none.
 *  @param {Map<string, string>} values @returns {RowChoice|undefined} */
export function parseRows(values) {
    const keys = (values.get('h') ?? '').split(',').filter(isKey).slice(0, HIDDEN_MOST);
    /** @type {RowChoice} */
    const choice = {
        density: DENSITIES.find((density) => String(density) === values.get('d')) ?? 0,
        order: ROW_ORDERS.find(([order]) => order === values.get('o'))?.[0] ?? ALL_ROWS.order,
        filter: parseFilter(values.get('f') ?? ''),
        hidden: [...new Set(keys)],
        only: isKey(values.get('u') ?? '') ? values.get('u') : '',
    };

    return choice.density || choice.order !== ALL_ROWS.order || hidesRows(choice) ? choice : undefined;
}

/** @param {string} text */
function isKey(text) {
    return /^[a-z_]{1,16}:[0-9a-f]{1,8}$/.test(text);
}

/** @param {string} text */
function parseFilter(text) {
    try {
        return decodeURIComponent(text).slice(0, FILTER_MOST);
    } catch {
        return '';
    }
}
