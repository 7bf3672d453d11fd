// SPDX-License-Identifier: MIT
/*
 * The lanes of the timeline from top to bottom: rows of the trace in groups, in an order that the user may change, folded or
 * not. Does not use the canvas. Heights are in CSS px.
 */
import { NUMBER_UNKNOWN } from './abi.js';
import { plainText } from './plain_text.js';

/** @typedef {import('./decoder.js').TraceRow} TraceRow */

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
    { name: 'objects', title: 'Objects', kinds: ['queue', 'semaphore', 'mutex', 'block_pool', 'byte_pool'] },
    { name: 'quiet', title: 'Objects that do not change', kinds: [], folded: true },
];

/** Heights of lanes by the kind of row; also of the head of a group and of a folded row.
 *  @type {Object<string, number>} */
export const LANE_HEIGHTS = {
    core: 32, isr: 20, thread: 34, idle: 18, queue: 36, semaphore: 36, mutex: 26, block_pool: 36, byte_pool: 36,
    head: 22, folded: 12,
};

/** @type {Object<string, string>} */
const KIND_TITLES = {
    core: 'CPU', isr: 'interrupt', thread: 'thread', idle: 'idle', queue: 'queue', semaphore: 'semaphore', mutex: 'mutex',
    flags: 'event flags', block_pool: 'block pool', byte_pool: 'byte pool', timer: 'timer', other: 'object',
};

/** Returns the common name of a kind of row: "event flags" for 'flags'.
 *  @param {string} kind */
export function kindTitle(kind) {
    return KIND_TITLES[kind] ?? plainText(kind);
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
        /** Index of each thread in THREAD_COLOURS, by number of row.
         *  @type {number[]} */
        this.threadColours = [];
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
     * @param {Set<number>} quiet rows of objects that never change
     */
    update(rows, quiet = new Set()) {
        if (rows !== this.rows) {
            this.rows = rows;
            this.names = rowNames(rows);
            this.threadColours = [];
            for (const [place, row] of sortedRows(rows, 'thread').entries())
                this.threadColours[row.row] = place;
        }
        this.lanes = [];
        for (const group of ROW_GROUPS)
            this.addGroup(group, this.rowsOf(group, quiet));
        this.place();
    }

    /** @param {RowGroup} group @param {Set<number>} quiet */
    rowsOf(group, quiet) {
        const objects = ROW_GROUPS.find((other) => other.name === 'objects').kinds;
        const kinds = group.name === 'quiet' ? objects : group.kinds;
        const wantsQuiet = group.name === 'quiet';
        const found = this.rows.filter((row) =>
            kinds.includes(row.kind) && (!objects.includes(row.kind) || quiet.has(row.row) === wantsQuiet));

        found.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || compareRows(a, b));
        return found.map((row, place) => ({ row, place: this.places.get(rowKey(row)) ?? place }))
            .sort((a, b) => a.place - b.place).map(({ row }) => row);
    }

    /** @param {RowGroup} group @param {TraceRow[]} rows */
    addGroup(group, rows) {
        if (!rows.length)
            return;
        const headed = group.title !== '';
        const folded = headed && this.isFolded(group.name, group.folded ?? false);

        if (headed)
            this.lanes.push({
                key: group.name, group: group.name, row: null, title: group.title, folded, members: rows,
                overview: folded && Boolean(group.overview), y: 0, height: LANE_HEIGHTS.head,
            });
        if (folded)
            return;
        for (const row of rows) {
            const key = rowKey(row);
            const small = this.isFolded(key, false);

            this.lanes.push({
                key, group: group.name, row, title: this.names[row.row], folded: small, members: [], overview: false, y: 0,
                height: small ? LANE_HEIGHTS.folded : LANE_HEIGHTS[row.kind],
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

/** @param {TraceRow} row */
function rowKey(row) {
    return `${row.kind} ${row.address || row.number}`;
}

/** Orders rows by priority, rows without a priority last, then by number.
 *  @param {TraceRow} a @param {TraceRow} b */
function compareRows(a, b) {
    /** @param {TraceRow} row */
    const known = (row) => (row.kind === 'thread' && Number.isInteger(row.priority) && row.priority >= 0 ? row.priority : Infinity);
    const [first, second] = [known(a), known(b)];

    return first !== second ? first - second : a.number - b.number;
}

/** @param {TraceRow[]} rows @param {string} kind */
function sortedRows(rows, kind) {
    return rows.filter((row) => row.kind === kind).sort(compareRows);
}
