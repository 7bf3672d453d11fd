// SPDX-License-Identifier: MIT
/* The figures of both sides as `txtap compare` prints them: its words, its numbers, its order. */
import { element, fill } from '../dom.js';

/**
 * changes_show.c writes a comparison. worst: for each side, the event that ended the figure's largest sample, and the length of
 * that sample in ticks; null: not known.
 * @typedef {{seq: number, ticks: number}} Worst
 * @typedef {{cells: string[], principal: boolean, worst: (Worst|null)[]}} Row
 * @typedef {{verdict: string, about: string[], only: {head: string, names: string}[], tables: {head: string, rows: Row[]}[]}} Comparison
 */

const HEADS = ['A', '±', 'B', '±', 'B / A', ''];

/** Columns of HEADS that are empty if each side has a single run. */
const SPREADS = [1, 3];

export class FiguresTable {
    /** @param {HTMLElement} panel @param {Comparison} comparison @param {(worst: Worst[], name: string) => void} show shows the worst
     *  case of each side */
    constructor(panel, comparison, show) {
        this.comparison = comparison;
        this.show = show;
        this.body = element('div');
        const rows = comparison.tables.flatMap((table) => table.rows);

        /** Numbers of the columns of HEADS that are shown. */
        this.columns = [...HEADS.keys()].filter((column) => !SPREADS.includes(column) || rows.some(({ cells }) => cells[column + 1] !== ''));
        this.all = element('input', { type: 'checkbox', id: 'all_numbers' });
        this.all.addEventListener('change', () => this.fill());
        fill(panel, element('p', { id: 'verdict' }, comparison.verdict),
            element('label', { class: 'quiet' }, this.all, ' all numbers'), this.body,
            ...comparison.only.map(({ head, names }) => element('p', {}, element('b', {}, `${head}: `), names)),
            ...comparison.about.map((line) => element('p', { class: 'quiet' }, line)));
        this.fill();
    }

    fill() {
        const tables = this.comparison.tables.map(({ head, rows }, part, all) => ({
            head, rows: rows.filter((row) => this.all.checked || (row.principal && part < all.length - 1)),
        }));

        fill(this.body, ...tables.filter(({ rows }) => rows.length).map((table) => this.table(table)));
    }

    /** @param {{head: string, rows: Row[]}} table */
    table({ head, rows }) {
        return element('table', { class: 'compared' },
            element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, head), ...this.columns.map((column) => element('th', { scope: 'col' }, HEADS[column])))),
            element('tbody', {}, ...rows.map((row) => this.row(row))));
    }

    /** @param {Row} row */
    row({ cells: [name, ...numbers], worst }) {
        const word = numbers.at(-1);
        const [a, b] = worst;
        const button = a && b ? element('button', { type: 'button', class: 'link', title: `Show the worst case of each side: A event #${a.seq}, B event #${b.seq}` }, name) : null;

        button?.addEventListener('click', () => this.show([a, b], name));
        return element('tr', { class: word === '?' ? 'unsure' : word || null },
            element('th', { scope: 'row', title: name }, button ?? name), ...this.columns.map((column) => element('td', {}, numbers[column])));
    }
}
