// SPDX-License-Identifier: MIT
/*
 * Paints rows that have states: cores, interrupts, threads, idle, mutexes. A wide step is a shape of its own. Several steps in
 * one column are stacked bars, each as high as its share. A dense column without near neighbours has full height;
 * otherwise rare steps would be invisible at a low zoom.
 */
import { PIECE_DENSE, ROW_NONE, ROW_STATE, SHARE_WHOLE } from './abi.js';
import { px } from './frame.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./abi.js').RowColumns} RowColumns
 */

/** Dense columns within this distance of each other, in CSS px, form a crowd. */
const CROWD_NEAR = 5;

/** Minimum width of a labelled piece, in CSS px. */
const LABEL_ROOM = 34;

/**
 * @typedef {import('./frame.js').Box} Box
 * @typedef {{row: number, x0: number, x1: number, y: number, height: number, state: number, reason: number, object: number,
 *     whole: boolean}} Label whole: both ends of the step are visible
 */

/**
 * @param {Frame} frame
 * @param {import('./decoder.js').TraceRow} row
 * @param {Box} box
 * @param {Label[]|null} labels receives the pieces to label
 */
export function paintStates(frame, row, box, labels) {
    const { query } = frame;
    const pieces = frame.trace.columns(row.row, query.from, query.to, query.count, frame.byEvent);
    const { length } = pieces;
    const brush = new Brush(frame, row.kind, box);
    const room = LABEL_ROOM * frame.d;
    const near = Math.round(CROWD_NEAR * frame.d);

    for (let i = 0; i < length; i++) {
        const x0 = pieces.x0(i);
        const x1 = pieces.x1(i);

        if (pieces.flags(i) & PIECE_DENSE) {
            brush.dense(query.x + x0, query.x + x1, pieces, i, isCrowdedPiece(pieces, i, near));
            continue;
        }
        const state = pieces.state(i);
        const reason = pieces.reason(i);
        const object = pieces.object(i);

        brush.solid(query.x + x0, query.x + x1, state, reason, object);
        if (labels && x1 - x0 >= room && state !== ROW_STATE.UNKNOWN && state !== ROW_STATE.OFF)
            labels.push({
                row: row.row, x0: query.x + x0, x1: query.x + x1, y: box.y, height: box.height, state,
                reason, object, whole: i > 0 && i + 1 < length,
            });
    }
    brush.flush();
}

/** Reports whether another dense piece is near this dense piece. At most one other piece is between two near dense
 *  pieces, because wide pieces are not near.
 *  @param {RowColumns} pieces @param {number} i @param {number} near */
function isCrowdedPiece(pieces, i, near) {
    const from = pieces.x0(i) - near;
    const to = pieces.x1(i) + near;

    for (let k = Math.max(0, i - 2); k < Math.min(pieces.length, i + 3); k++)
        if (k !== i && pieces.flags(k) & PIECE_DENSE && pieces.x1(k) >= from && pieces.x0(k) <= to)
            return true;
    return false;
}

/** Returns the colour of a step that is not dense, or ''.
 *  @param {Frame} frame @param {number} state @param {number} reason @param {number} object */
export function stepColour(frame, state, reason, object) {
    const { colours } = frame;

    if (state === ROW_STATE.BLOCKED)
        return colours.waitOf[reason] ?? colours.waits;
    if (state === ROW_STATE.RUNNING && object !== ROW_NONE)
        return threadColour(frame, object);
    return colours.stateOf[state] ?? '';
}

/** Returns the colour of a thread on the lane of a core.
 *  @param {Frame} frame @param {number} row */
export function threadColour(frame, row) {
    const { threads } = frame.colours;

    return threads[(frame.layout.threadColours[row] ?? 0) % threads.length];
}

/**
 * The two shares of a dense column, by kind of row: RowColumns.run() and ready().
 * @type {Record<string, {run: import('./colours.js').PlainColour, ready: import('./colours.js').PlainColour}>}
 */
const SHARE_COLOURS = {
    core: { run: 'running', ready: 'interrupt' },
    isr: { run: 'interrupt', ready: 'interrupted' },
    idle: { run: 'idle', ready: 'ready' },
    mutex: { run: 'mutex', ready: 'ready' },
    thread: { run: 'running', ready: 'ready' },
};

/** Paints the pieces of one row. Equal adjacent dense columns become one rectangle. */
class Brush {
    /** @param {Frame} frame @param {string} kind @param {Box} box */
    constructor(frame, kind, box) {
        const shares = SHARE_COLOURS[kind] ?? SHARE_COLOURS.thread;

        this.ctx = frame.ctx;
        this.frame = frame;
        this.isCore = kind === 'core';
        this.box = box;
        this.gap = 1;
        this.thin = px(frame, 3);
        this.inset = Math.round(box.height * 0.17);
        this.floor = px(frame, 2);
        this.colour = '';
        this.runShare = frame.colours[shares.run];
        this.readyShare = frame.colours[shares.ready];
        // Dense columns of the current rectangle; the next different column ends it
        this.x0 = this.x1 = 0;
        this.run = this.ready = this.line = 0;
        this.runColour = this.lineColour = '';
    }

    /** @param {string} colour @param {number} x @param {number} y @param {number} width @param {number} height */
    fill(colour, x, y, width, height) {
        if (colour !== this.colour) {
            this.colour = colour;
            this.ctx.fillStyle = colour;
        }
        this.ctx.fillRect(x, y, width, height);
    }

    /** @param {number} x0 @param {number} x1 @param {number} state @param {number} reason @param {number} object */
    solid(x0, x1, state, reason, object) {
        const { y, height } = this.box;
        const colour = stepColour(this.frame, state, reason, this.isCore ? object : ROW_NONE);
        const gap = state !== ROW_STATE.IDLE && x1 - x0 > 3 * this.gap ? this.gap : 0;
        const width = Math.max(1, x1 - x0 - gap);

        this.flush();
        if (!colour)
            return;
        if (state === ROW_STATE.BLOCKED)
            this.fill(colour, x0, y + ((height - this.thin) >> 1), x1 - x0, this.thin);
        else if (state === ROW_STATE.READY)
            this.fill(colour, x0, y + this.inset, width, height - 2 * this.inset);
        else
            this.fill(colour, x0, y, width, height);
        if (state === ROW_STATE.INTERRUPTED)
            this.stripe(x0, width);
    }

    /** @param {number} x0 @param {number} width */
    stripe(x0, width) {
        const { y, height } = this.box;
        const { d, colours } = this.frame;
        const step = Math.round(4 * d);

        for (let x = Math.ceil(x0 / step) * step; x < x0 + width; x += step)
            this.fill(colours.interruptedStripe, x, y, Math.max(1, Math.round(d)), height);
    }

    /** @param {number} x0 @param {number} x1 @param {RowColumns} pieces @param {number} i @param {boolean} crowded */
    dense(x0, x1, pieces, i, crowded) {
        const { height } = this.box;
        const state = pieces.state(i);
        let run = pieces.run(i);
        let ready = pieces.ready(i);

        if (run)
            run = crowded ? Math.max(Math.round((run * height) / SHARE_WHOLE), this.floor) : height;
        if (ready)
            ready = crowded ? Math.max(Math.round((ready * height) / SHARE_WHOLE), this.floor) : height;
        ready = Math.min(ready, height - run);
        // In a crowd, a dense column of a core shows no single thread: it has many
        const object = crowded || !this.isCore ? ROW_NONE : pieces.object(i);
        const runColour = object === ROW_NONE ? this.runShare : threadColour(this.frame, object);
        const lineColour = state === ROW_STATE.BLOCKED ? stepColour(this.frame, state, pieces.reason(i), ROW_NONE)
            : this.isCore && state !== ROW_STATE.UNKNOWN ? this.frame.colours.idle : '';

        if (x0 !== this.x1 || run !== this.run || ready !== this.ready || runColour !== this.runColour ||
            lineColour !== this.lineColour) {
            this.flush();
            this.x0 = x0;
            this.run = run;
            this.ready = ready;
            this.runColour = runColour;
            this.lineColour = lineColour;
        }
        this.x1 = x1;
    }

    flush() {
        const { y, height } = this.box;
        const width = this.x1 - this.x0;
        const bottom = y + height;

        if (width > 0) {
            if (this.lineColour && this.isCore)
                this.fill(this.lineColour, this.x0, y, width, height);
            else if (this.lineColour)
                this.fill(this.lineColour, this.x0, y + ((height - this.thin) >> 1), width, this.thin);
            if (this.run)
                this.fill(this.runColour, this.x0, bottom - this.run, width, this.run);
            if (this.ready)
                this.fill(this.readyShare, this.x0, bottom - this.run - this.ready, width, this.ready);
        }
        this.x0 = this.x1 = 0;
    }
}
