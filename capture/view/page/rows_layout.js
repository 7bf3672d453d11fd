// SPDX-License-Identifier: MIT
/*
 * The lanes of the timeline from top to bottom: rows of the trace in groups, in an order that the user may change, folded or
 * not. Does not use the canvas. Heights are in CSS px.
 */
import { NUMBER_UNKNOWN } from './abi.js';
import { plainText } from './plain_text.js';
import { ALL_ROWS, densityOf, rowKey, showsRow } from './row_choice.js';

/**
 * @typedef {import('./decoder.js').TraceRow} TraceRow
 * @typedef {import('./row_choice.js').RowChoice} RowChoice
 */

/**
 * Groups in display order. folded: initially folded; overview: a folded group shows its rows in one lane.
 * @typedef {{name: string, title: string, kinds: string[], folded?: boolean, overview?: boolean}} RowGroup
 * @type {RowGroup[]}
 */
export const ROW_GROUPS = [
    { name: 'cores', title: '', kinds: ['core'] },
    { name: 'interrupts', title: 'Interrupts', kinds: ['isr'], overview: true },
    { name: 'threads', title: 'Threads', kinds: ['thread'], overview: true },
    { name: 'idle', title: '', kinds: ['idle'] },
    { name: 'values', title: 'User values', kinds: ['user_value', 'user_state', 'slice'] },
    { name: 'samples', title: 'Samples', kinds: ['sampled_value', 'sampled_state', 'log'] },
    { name: 'objects', title: 'Objects', kinds: ['queue', 'semaphore', 'mutex', 'block_pool', 'byte_pool'] },
    { name: 'quiet', title: 'Objects that do not change', kinds: [], folded: true },
];

/** Heights of lanes by density and kind of row; also of the head of a group and of a folded row.
 *  @type {Record<import('./row_choice.js').Density, Object<string, number>>} */
export const LANE_HEIGHTS = {
    34: { core: 52, isr: 20, thread: 34, idle: 18, queue: 36, semaphore: 36, mutex: 26, block_pool: 36, byte_pool: 36,
        user_value: 48, user_state: 24, slice: 26, sampled_value: 48, sampled_state: 24, log: 24, head: 22, folded: 12 },
    18: { core: 40, isr: 14, thread: 18, idle: 12, queue: 20, semaphore: 20, mutex: 16, block_pool: 20, byte_pool: 20,
        user_value: 34, user_state: 18, slice: 18, sampled_value: 34, sampled_state: 18, log: 18, head: 19, folded: 10 },
    10: { core: 32, isr: 10, thread: 10, idle: 10, queue: 12, semaphore: 12, mutex: 10, block_pool: 12, byte_pool: 12,
        user_value: 20, user_state: 12, slice: 12, sampled_value: 20, sampled_state: 12, log: 12, head: 16, folded: 8 },
};

/** Maximum number of slices inside each other that are drawn; the card at the pointer shows more. */
export const SLICE_LEVELS = 4;

/** Height of a slice inside another slice, as a part of the height of the lane. */
const INNER_SLICE = 0.7;

/** @type {Object<string, string>} */
const KIND_TITLES = {
    core: 'CPU', isr: 'interrupt', thread: 'thread', idle: 'idle', queue: 'queue', semaphore: 'semaphore', mutex: 'mutex',
    user_value: 'counter', user_state: 'state', slice: 'slice', sampled_value: 'value', sampled_state: 'state', log: 'log', flags: 'event flags', block_pool: 'block pool', byte_pool: 'byte pool', timer: 'timer', other: 'object',
};

/** Returns the common name of a kind of row: "event flags" for 'flags'.
 *  @param {string} kind */
export function kindTitle(kind) {
    return KIND_TITLES[kind] ?? plainText(kind);
}

/** Returns the number of levels that the lane of a slice has.
 *  @param {TraceRow} row */
export function levelsOf(row) {
    return Math.min(SLICE_LEVELS, Math.max(1, row.deepest ?? 1));
}

/** Returns the height of a row's lane, from the height of its kind.
 *  @param {TraceRow} row @param {number} height */
function laneHeight(row, height) {
    return row.kind === 'slice' ? Math.round(height * (1 + INNER_SLICE * (levelsOf(row) - 1))) : height;
}

/** @param {number} address */
const hexAddress = (address) => `0x${address.toString(16).padStart(8, '0')}`;

/**
 * Returns the display name of each row: its name on the target, with a number if an earlier row of the kind has the same name.
 * The address replaces a missing name. "?": the address had objects with other names, too.
 * @param {TraceRow[]} rows
 * @returns {string[]}
 */
export function rowNames(rows) {
    const seen = new Map();
    const cores = rows.filter((row) => row.kind === 'core').length;

    return rows.map((row) => {
        if (row.kind === 'core')
            return cores > 1 ? `CPU ${row.number}` : 'CPU';
        if (row.kind === 'idle')
            return cores > 1 ? `idle ${row.number}` : 'idle';
        if (row.name && row.kind === 'isr')
            return `${plainText(row.name)} (${row.number})`;
        if (row.name) {
            const key = `${row.kind}\n${row.name}`;

            seen.set(key, (seen.get(key) ?? 0) + 1);
            return plainText(row.name) + (row.doubtful ? '?' : '') + (seen.get(key) > 1 ? ` (${seen.get(key)})` : '');
        }
        if (row.kind === 'isr')
            return row.number === NUMBER_UNKNOWN ? 'interrupts' : `ISR ${row.number}`;
        return row.address ? hexAddress(row.address) : `${kindTitle(row.kind)} ${row.number}`;
    });
}

/**
 * Returns the place of each thread in the list of colours, by number of row. The places are in the order in which the
 * threads first appeared, so a thread keeps its colour when other threads appear.
 * @param {TraceRow[]} rows
 * @returns {number[]}
 */
export function threadPlaces(rows) {
    /** @type {number[]} */
    const places = [];

    for (const [place, row] of rows.filter(({ kind }) => kind === 'thread').entries())
        places[row.row] = place;
    return places;
}

/**
 * @typedef {object} Lane
 * @property {string} key stays the same as long as the page is open
 * @property {string} group
 * @property {TraceRow|null} row null: the head of a group
 * @property {string} title
 * @property {boolean} folded
 * @property {TraceRow[]} members for a head: the rows of its group
 * @property {boolean} overview a folded head that shows its rows
 * @property {number} y top of the lane, relative to the first lane's top
 * @property {number} height
 */

export class RowsLayout {
    constructor() {
        /** @type {Lane[]} */
        this.lanes = [];
        this.height = 0;
        /** @type {string[]} by number of row */
        this.names = [];
        /** threadPlaces()
         *  @type {number[]} */
        this.threadColours = [];
        /** @type {import('./row_choice.js').Density} */
        this.density = 34;
        /** Number of rows that the user's choice hides. */
        this.hidden = 0;
        /** @type {TraceRow[]} */
        this.rows = [];
        /** Lanes that the user folded or opened, by key.
         *  @type {Map<string, boolean>} */
        this.folds = new Map();
        /** Positions that the user gave to rows, by key. They take precedence over the order of the trace.
         *  @type {Map<string, number>} */
        this.places = new Map();
    }

    /**
     * Computes the layout.
     * @param {TraceRow[]} rows
     * @param {{quiet?: Set<number>, choice?: RowChoice, loads?: Map<number, number>}} how quiet: rows of objects that never
     * change; loads: the time that each row ran, for the order by CPU time
     */
    update(rows, how = {}) {
        const { quiet = new Set(), choice = ALL_ROWS, loads = new Map() } = how;

        if (rows !== this.rows) {
            this.rows = rows;
            this.names = rowNames(rows);
            this.threadColours = threadPlaces(rows);
        }
        this.density = densityOf(choice, rows.filter((row) => row.kind === 'thread').length);
        this.lanes = [];
        this.hidden = 0;
        for (const group of ROW_GROUPS) {
            const all = this.rowsOf(group, quiet, choice, loads);
            const shown = all.filter((row) => showsRow(choice, row, this.names[row.row]));

            this.hidden += all.length - shown.length;
            this.addGroup(group, shown);
        }
        this.place();
    }

    /** @param {RowGroup} group @param {Set<number>} quiet @param {RowChoice} choice @param {Map<number, number>} loads */
    rowsOf(group, quiet, choice, loads) {
        const objects = ROW_GROUPS.find((other) => other.name === 'objects').kinds;
        const kinds = group.name === 'quiet' ? objects : group.kinds;
        const wantsQuiet = group.name === 'quiet';
        const compare = this.comparison(choice, loads);
        const found = this.rows.filter((row) =>
            kinds.includes(row.kind) && (!objects.includes(row.kind) || quiet.has(row.row) === wantsQuiet));

        found.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || compare(a, b));
        return found.map((row, place) => ({ row, place: this.places.get(rowKey(row)) ?? place }))
            .sort((a, b) => a.place - b.place).map(({ row }) => row);
    }

    /** Returns a function that compares two rows of a kind.
     *  @param {RowChoice} choice @param {Map<number, number>} loads @returns {(a: TraceRow, b: TraceRow) => number} */
    comparison({ order }, loads) {
        switch (order) {
        case 'name':
            return (a, b) => this.names[a.row].localeCompare(this.names[b.row], 'en', { numeric: true });
        case 'cpu':
            return (a, b) => (loads.get(b.row) ?? 0) - (loads.get(a.row) ?? 0) || compareRows(a, b);
        case 'recorded':
            return (a, b) => a.row - b.row;
        default:
            return compareRows;
        }
    }

    /** @param {RowGroup} group @param {TraceRow[]} rows */
    addGroup(group, rows) {
        if (!rows.length)
            return;
        const heights = LANE_HEIGHTS[this.density];
        const headed = group.title !== '';
        const folded = headed && this.isFolded(group.name, group.folded ?? false);

        if (headed)
            this.lanes.push({
                key: group.name, group: group.name, row: null, title: group.title, folded, members: rows,
                overview: folded && Boolean(group.overview), y: 0, height: heights.head,
            });
        if (folded)
            return;
        for (const row of rows) {
            const key = rowKey(row);
            const small = this.isFolded(key, false);

            this.lanes.push({
                key, group: group.name, row, title: this.names[row.row], folded: small, members: [], overview: false, y: 0,
                height: small ? heights.folded : laneHeight(row, heights[row.kind]),
            });
        }
    }

    place() {
        this.height = 0;
        for (const lane of this.lanes) {
            lane.y = this.height;
            this.height += lane.height;
        }
    }

    /** @param {string} key @param {boolean} otherwise */
    isFolded(key, otherwise) {
        return this.folds.get(key) ?? otherwise;
    }

    /** Folds an open lane or opens a folded lane. Takes effect with update().
     *  @param {Lane} lane */
    toggle(lane) {
        this.folds.set(lane.key, !lane.folded);
    }

    /** Moves a row to the position of another row of its group. Takes effect with update().
     *  @param {Lane} lane @param {Lane} to */
    move(lane, to) {
        if (!lane.row || lane.group !== to.group || !to.row || lane === to)
            return;
        const group = this.lanes.filter((other) => other.group === lane.group && other.row);
        const target = group.indexOf(to);

        group.splice(group.indexOf(lane), 1);
        group.splice(target, 0, lane);
        for (const [place, other] of group.entries())
            this.places.set(other.key, place);
    }

    /** Forgets the positions that the user gave to rows. */
    forgetPlaces() {
        this.places.clear();
    }

    /** Returns the lane at the height `y`, or null.
     *  @param {number} y below the first lane's top, scrolled */
    laneAt(y) {
        let low = 0;
        let high = this.lanes.length;

        while (low < high) {
            const middle = (low + high) >> 1;

            if (this.lanes[middle].y + this.lanes[middle].height <= y)
                low = middle + 1;
            else
                high = middle;
        }
        return y >= 0 && low < this.lanes.length ? this.lanes[low] : null;
    }

    /** Returns the lane of a row, or the head of its folded group, or null.
     *  @param {number} row */
    laneOf(row) {
        return this.lanes.find((lane) => lane.row?.row === row) ??
            this.lanes.find((lane) => lane.folded && lane.members.some((member) => member.row === row)) ?? null;
    }
}

/** Orders rows by priority, rows without a priority last, then by number.
 *  @param {TraceRow} a @param {TraceRow} b */
function compareRows(a, b) {
    /** @param {TraceRow} row */
    const known = (row) => (row.kind === 'thread' && Number.isInteger(row.priority) && row.priority >= 0 ? row.priority : Infinity);
    const [first, second] = [known(a), known(b)];

    return first !== second ? first - second : a.number - b.number;
}
