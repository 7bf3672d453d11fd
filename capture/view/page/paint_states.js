// SPDX-License-Identifier: MIT
/*
 * Paints rows that have states: cores, interrupts, threads, idle, mutexes. A wide step is a shape of its own. A column with
 * several steps is a part of an area graph: its height is the load, the part of the column's time in which the row was active. In
 * the lane of a core, the area is stacked from all threads.
 */
import { PIECE_DENSE, ROW_NONE, ROW_STATE, SHARE_WHOLE } from './abi.js';
import { px } from './frame.js';
import { LAYER_INTERRUPTS, LAYER_OTHER, stackLayers } from './load_layers.js';
import { PixelStrip, pixelOf } from './pixel_strip.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./abi.js').RowColumns} RowColumns
 * @typedef {import('./decoder.js').TraceRow} TraceRow
 */

/** At least CROWD_LEAST dense columns within CROWD_NEAR of each other, in CSS px, form a crowd. */
const CROWD_NEAR = 5;
const CROWD_LEAST = 4;

/** Minimum height of a dense column outside a crowd, as a part of the bar's height: a rare activity must be seen. */
const LONE_LEAST = 0.6;

/** The scale of a row shows this many powers of ten: up to a share of 100 %. */
const SCALE_POWERS = 4;

/** Minimum width of a labelled piece, in CSS px. */
const LABEL_ROOM = 34;

/**
 * @typedef {import('./frame.js').Box} Box
 * @typedef {{row: number, x0: number, x1: number, y: number, height: number, state: number, reason: number, object: number,
 *     whole: boolean}} Label whole: both ends of the step are visible
 */

/**
 * @param {Frame} frame
 * @param {TraceRow} row
 * @param {Box} box
 * @param {Label[]|null} labels receives the pieces to label
 * @returns {{isArea: boolean, crowded: number}} isArea: a part of the row is an area graph; crowded: the part of the columns that
 * are in a crowd, 0 to 1
 */
export function paintStates(frame, row, box, labels) {
    const { query } = frame;
    const area = row.kind === 'core' ? new CoreArea(frame, row, box) : new RowArea(frame, row, box);
    const pieces = frame.trace.columns(row.row, query.from, query.to, query.count, frame.byEvent);
    const { length } = pieces;
    const brush = new Brush(frame, row, box);
    const room = LABEL_ROOM * frame.d;
    const near = Math.round(CROWD_NEAR * frame.d);
    const crowds = crowdsOf(pieces, near);
    let crowded = 0;

    for (let i = 0; i < length; i++) {
        const x0 = pieces.x0(i);
        const x1 = pieces.x1(i);

        crowded += crowds[i] !== 0 ? x1 - x0 : 0;
        if (pieces.flags(i) & PIECE_DENSE) {
            area.add(x0, pieces, i, crowds[i] !== 0);
            continue;
        }
        const state = pieces.state(i);
        const reason = pieces.reason(i);
        const object = pieces.object(i);

        if (crowds[i] !== 0 && state === ROW_STATE.BLOCKED) {
            area.addBaseline(x0, x1, reason);
            continue;
        }
        brush.solid(query.x + x0, query.x + x1, state, reason, object);
        if (labels && x1 - x0 >= room && state !== ROW_STATE.UNKNOWN && state !== ROW_STATE.OFF)
            labels.push({
                row: row.row, x0: query.x + x0, x1: query.x + x1, y: box.y, height: box.height, state,
                reason, object, whole: i > 0 && i + 1 < length,
            });
    }
    area.paint();
    return { isArea: area.isUsed, crowded: crowded / query.count };
}

/** Returns for each piece 1 if it is in a crowd: it is dense, or between dense columns.
 *  @param {RowColumns} pieces @param {number} near */
function crowdsOf(pieces, near) {
    const { length } = pieces;
    const crowds = new Uint8Array(length);

    for (let i = 0; i < length; ) {
        let last = i;
        let dense = 0;

        for (let k = i; k < length && pieces.x0(k) - pieces.x1(last) <= near; k++)
            if (pieces.flags(k) & PIECE_DENSE) {
                last = k;
                dense++;
            } else if (dense === 0) {
                break;
            }
        if (dense >= CROWD_LEAST)
            crowds.fill(1, i, last + 1);
        i = last + 1;
    }
    return crowds;
}

/**
 * Returns the colour of a step that is not dense, or ''.
 * @param {Pick<Frame, 'colours'|'layout'>} frame @param {number} thread the row of the thread that runs, or ROW_NONE
 * @param {number} state @param {number} reason
 */
export function stepColour(frame, thread, state, reason) {
    const { colours } = frame;

    if (state === ROW_STATE.BLOCKED)
        return colours.waitOf[reason] ?? colours.waits;
    if (thread !== ROW_NONE && state === ROW_STATE.RUNNING)
        return threadColour(frame, thread);
    if (thread !== ROW_NONE && state === ROW_STATE.INTERRUPTED)
        return colours.threadTints[threadPlace(frame, thread)];
    return colours.stateOf[state] ?? '';
}

/** @param {Pick<Frame, 'colours'|'layout'>} frame @param {number} row */
function threadPlace(frame, row) {
    return (frame.layout.threadColours[row] ?? 0) % frame.colours.threads.length;
}

/** Returns the colour of a thread, the same everywhere.
 *  @param {Pick<Frame, 'colours'|'layout'>} frame @param {number} row */
export function threadColour(frame, row) {
    return frame.colours.threads[threadPlace(frame, row)];
}

/** Returns the thread whose colour a step has: the thread that has the core, or the row itself; ROW_NONE: no thread.
 *  @param {Pick<TraceRow, 'kind'|'row'>} row @param {number} object of the step */
export function threadOf(row, object) {
    return row.kind === 'thread' ? row.row : row.kind === 'core' ? object : ROW_NONE;
}

/** Returns the colour of a layer of the load.
 *  @param {Pick<Frame, 'colours'|'layout'>} frame @param {number} row */
export function layerColour(frame, row) {
    return row === LAYER_INTERRUPTS ? frame.colours.interrupt : row === LAYER_OTHER ? frame.colours.running
        : threadColour(frame, row);
}

/**
 * Returns the height of a share on a logarithmic scale: 0.1 % is a quarter of the height, 1 % half, 10 % three quarters. So both
 * rare and frequent activity can be seen. Idle time has a linear scale.
 * @param {number} share of SHARE_WHOLE @param {number} height @param {boolean} linear
 */
export function shareHeight(share, height, linear) {
    const part = share / SHARE_WHOLE;

    return share > 0 ? Math.max(1, Math.round((linear ? part : 1 + Math.log10(part) / SCALE_POWERS) * height)) : 0;
}

/** Reports whether the area of a row has a linear scale.
 *  @param {Pick<TraceRow, 'kind'>} row */
export function isLinear({ kind }) {
    return kind === 'core' || kind === 'idle';
}

/**
 * The two shares of a dense column, by kind of row: RowColumns.run() and ready(). Threads have their own colours.
 * @type {Record<string, {run: import('./colours.js').PlainColour, ready: import('./colours.js').PlainColour}>}
 */
const SHARE_COLOURS = {
    core: { run: 'running', ready: 'interrupt' },
    isr: { run: 'interrupt', ready: 'interrupted' },
    idle: { run: 'idle', ready: 'ready' },
    mutex: { run: 'mutex', ready: 'ready' },
    thread: { run: 'running', ready: 'readyArea' },
};

/** All rows are painted one after another, so they share the pixels. */
const strip = (() => {
    /** @type {PixelStrip|null} */
    let made = null;

    return () => (made ??= new PixelStrip());
})();

/** The dense columns of a row: an area graph. */
class RowArea {
    /** @param {Frame} frame @param {TraceRow} row @param {Box} box */
    constructor(frame, row, box) {
        const shares = SHARE_COLOURS[row.kind] ?? SHARE_COLOURS.thread;

        this.frame = frame;
        this.box = box;
        this.linear = isLinear(row);
        this.lone = Math.round(box.height * LONE_LEAST);
        this.thin = px(frame, 3);
        this.strip = strip();
        this.isUsed = false;
        this.run = pixelOf(row.kind === 'thread' ? threadColour(frame, row.row) : frame.colours[shares.run]);
        this.ready = pixelOf(frame.colours[shares.ready]);
        this.waits = frame.colours.waitOf.map(pixelOf);
    }

    /** @param {number} x column @param {RowColumns} pieces @param {number} i @param {boolean} crowded */
    add(x, pieces, i, crowded) {
        const { height } = this.box;
        const run = pieces.run(i);
        const both = Math.min(SHARE_WHOLE, run + pieces.ready(i));
        const least = crowded ? 0 : this.lone;
        const low = run ? Math.max(least, shareHeight(run, height, this.linear)) : 0;
        const high = Math.max(low, both ? Math.max(least, shareHeight(both, height, this.linear)) : 0);

        this.begin();
        if (pieces.state(i) === ROW_STATE.BLOCKED)
            this.addWait(x, this.waits[pieces.reason(i)] ?? 0, crowded);
        this.strip.column(x, 0, low, this.run);
        this.strip.column(x, low, high, this.ready);
    }

    begin() {
        if (!this.isUsed)
            this.strip.begin(this.frame.query.count, this.box.height);
        this.isUsed = true;
    }

    /** Adds a short wait between dense columns.
     *  @param {number} x0 @param {number} x1 @param {number} reason */
    addBaseline(x0, x1, reason) {
        this.begin();
        for (let x = x0; x < x1; x++)
            this.addWait(x, this.waits[reason] ?? 0, true);
    }

    /** A wait is a line: at the bottom of an area, in the middle of the bar beside a wide wait.
     *  @param {number} x @param {number} pixel @param {boolean} crowded */
    addWait(x, pixel, crowded) {
        const bottom = crowded ? 0 : this.box.height - ((this.box.height - this.thin) >> 1) - this.thin;

        this.strip.column(x, bottom, bottom + (crowded ? 1 : this.thin), pixel);
    }

    paint() {
        if (this.isUsed)
            this.strip.draw(this.frame.ctx, this.frame.query.x, this.box.y);
    }
}

/** The dense columns of a core: the load of each thread, stacked. */
class CoreArea {
    /** @param {Frame} frame @param {TraceRow} row @param {Box} box */
    constructor(frame, row, box) {
        this.frame = frame;
        this.row = row;
        this.box = box;
        /** 1: the column is dense, and its state is unknown; 2: the column is dense, and a state is known. */
        this.dense = new Uint8Array(frame.query.count);
        this.isUsed = false;
    }

    /** @param {number} x column @param {RowColumns} pieces @param {number} i */
    add(x, pieces, i) {
        this.dense[x] = pieces.state(i) === ROW_STATE.UNKNOWN ? 1 : 2;
        this.isUsed = true;
    }

    /** A core never waits. */
    addBaseline() {}

    paint() {
        if (!this.isUsed)
            return;
        const { frame, box, dense } = this;
        const { query, layout, colours } = frame;
        const single = layout.rows.filter(({ kind }) => kind === 'core').length === 1;
        const load = frame.loads.get(frame.trace, [this.row], { ...query, byEvent: frame.byEvent }, single);
        const idle = pixelOf(colours.idle);
        const line = pixelOf(colours.lineStrong);
        const half = box.height >> 1;
        const pixels = strip();

        pixels.begin(query.count, box.height);
        for (let x = 0; x < query.count; x++)
            if (dense[x] === 2) {
                pixels.column(x, 0, box.height, idle);
                pixels.column(x, half, half + 1, line);
            }
        stackLayers(pixels, load, (row) => pixelOf(layerColour(frame, row)), box.height, (x) => dense[x] > 0);
        pixels.draw(frame.ctx, query.x, box.y);
    }
}

/** Paints the wide steps of one row. */
class Brush {
    /** @param {Frame} frame @param {TraceRow} row @param {Box} box */
    constructor(frame, row, box) {
        this.ctx = frame.ctx;
        this.frame = frame;
        this.row = row;
        this.box = box;
        this.gap = 1;
        this.thin = px(frame, 3);
        this.inset = Math.round(box.height * 0.17);
        this.colour = '';
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
        const thread = threadOf(this.row, object);
        const colour = stepColour(this.frame, thread, state, reason);
        const gap = state !== ROW_STATE.IDLE && x1 - x0 > 3 * this.gap ? this.gap : 0;
        const width = Math.max(1, x1 - x0 - gap);

        if (!colour)
            return;
        if (state === ROW_STATE.BLOCKED)
            this.fill(colour, x0, y + ((height - this.thin) >> 1), x1 - x0, this.thin);
        else if (state === ROW_STATE.READY)
            this.fill(colour, x0, y + this.inset, width, height - 2 * this.inset);
        else
            this.fill(colour, x0, y, width, height);
        if (state === ROW_STATE.INTERRUPTED)
            this.stripe(x0, width, thread);
    }

    /** @param {number} x0 @param {number} width @param {number} thread */
    stripe(x0, width, thread) {
        const { y, height } = this.box;
        const { d, colours } = this.frame;
        const step = Math.round(4 * d);
        const colour = thread === ROW_NONE ? colours.interruptedStripe : threadColour(this.frame, thread);

        for (let x = Math.ceil(x0 / step) * step; x < x0 + width; x += step)
            this.fill(colour, x, y, Math.max(1, Math.round(d)), height);
    }
}
