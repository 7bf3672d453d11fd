// SPDX-License-Identifier: MIT
/* A strip with the load of the whole trace, and the window that is shown. With several cores: their mean load. */
import { PIECE_DENSE, ROW_STATE, SHARE_WHOLE } from './abi.js';
import { px } from './frame.js';
import { listAcross } from './paint_across.js';
import { formatShare } from './units.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./decoder.js').Trace} Trace
 * @typedef {import('./decoder.js').TraceRow} TraceRow
 * @typedef {import('./decoder.js').TraceGap} TraceGap
 */

/** Minimum load that fills the strip, so that idle systems do not look busy. */
const PEAK_LEAST = 0.02;

/** Minimum time between two drawings, as a multiple of the duration of a drawing. */
const MINIMAP_REST = 12;

/** This part of the columns with any load is not cut off. */
const UNCUT = 0.97;

/** Returns the load that fills the strip. A few peaks are cut off so that the rest stays visible.
 *  @param {Float32Array} load */
function scaleOf(load) {
    const busy = load.filter((part) => part > 0).sort();

    return busy.length ? Math.min(1, Math.max(PEAK_LEAST, busy[Math.floor((busy.length - 1) * UNCUT)] * 1.15)) : 1;
}

/** @typedef {{ctx: CanvasRenderingContext2D, x: number, y: number, height: number, colours: Frame['colours']}} Strip */

export class Minimap {
    constructor() {
        this.load = new Float32Array(0);
        this.isr = new Float32Array(0);
        this.peak = 0;
        /** The load at the top of the strip; higher loads are cut off. */
        this.scale = 1;
        this.from = 0;
        this.to = 1;
        this.restUntil = 0;
        /** @type {{trace: Trace, columns: number, byEvent: boolean, version: number}|null} */
        this.made = null;
    }

    /**
     * Computes the load, unless it was computed a short time ago.
     * @param {Trace} trace @param {number} columns @param {boolean} byEvent @param {{from: number, to: number}} extent
     * @param {number} now ms
     * @returns {boolean} true: the load changed
     */
    update(trace, columns, byEvent, extent, now) {
        const { version } = trace.state();
        const made = this.made;
        const same = made && made.trace === trace && made.columns === columns && made.byEvent === byEvent;

        if (same && (made.version === version || now < this.restUntil))
            return false;
        const start = performance.now();

        this.from = extent.from;
        this.to = extent.to;
        this.load = new Float32Array(columns);
        this.isr = new Float32Array(columns);
        const cores = trace.rows().filter((row) => row.kind === 'core');

        for (const core of cores)
            this.addCore(trace, core, columns, byEvent, cores.length);
        this.peak = this.load.reduce((peak, load) => Math.max(peak, load), 0);
        this.scale = scaleOf(this.load);
        this.made = { trace, columns, byEvent, version };
        this.restUntil = now + (performance.now() - start) * MINIMAP_REST;
        return true;
    }

    /** @param {Trace} trace @param {TraceRow} core @param {number} columns @param {boolean} byEvent @param {number} cores */
    addCore(trace, core, columns, byEvent, cores) {
        const pieces = trace.columns(core.row, Math.floor(this.from), Math.ceil(this.to), columns, byEvent);

        for (let i = 0; i < pieces.length; i++) {
            const state = pieces.state(i);
            const dense = pieces.flags(i) & PIECE_DENSE;
            const run = dense ? pieces.run(i) / SHARE_WHOLE : Number(state === ROW_STATE.RUNNING || state === ROW_STATE.INIT);
            const isr = dense ? pieces.ready(i) / SHARE_WHOLE : Number(state === ROW_STATE.ISR);

            if (!dense && state === ROW_STATE.UNKNOWN)
                continue;
            const end = pieces.x1(i);

            for (let x = pieces.x0(i); x < end; x++) {
                this.load[x] += (run + isr) / cores;
                this.isr[x] += isr / cores;
            }
        }
    }

    /** @param {HTMLCanvasElement} canvas @param {Frame} frame its gaps are drawn too */
    paint(canvas, frame) {
        const { colours, d, left } = frame;
        const ctx = canvas.getContext('2d', { alpha: false });
        const strip = { ctx, x: left, y: px(frame, 6), height: canvas.height - px(frame, 10), colours };

        paintNoMinimap(canvas, colours);
        this.paintLoad(strip);
        if (!frame.byEvent)
            this.paintGaps(strip, frame);
        ctx.fillStyle = colours.sunken;
        ctx.fillRect(0, 0, left, canvas.height);
        ctx.font = frame.font;
        ctx.textBaseline = 'middle';
        ctx.fillStyle = colours.quiet;
        ctx.fillText(`CPU load, peak ${formatShare(this.peak)}`, 12 * d, canvas.height / 2 - 7 * d);
        ctx.fillText(`0 … ${formatShare(this.scale)}`, 12 * d, canvas.height / 2 + 8 * d);
    }

    /** @param {Strip} strip */
    paintLoad({ ctx, x, y, height, colours }) {
        const scale = height / this.scale;
        /** @param {number} load */
        const high = (load) => Math.min(height, Math.max(1, Math.round(load * scale)));

        ctx.fillStyle = colours.running;
        for (let i = 0; i < this.load.length; i++)
            if (this.load[i] > 0)
                ctx.fillRect(x + i, y + height - high(this.load[i]), 1, high(this.load[i]));
        ctx.fillStyle = colours.interrupt;
        for (let i = 0; i < this.load.length; i++)
            if (this.isr[i] * scale >= 1)
                ctx.fillRect(x + i, y + height - high(this.load[i]), 1, high(this.isr[i]));
    }

    /** @param {Strip} strip @param {Frame} frame */
    paintGaps({ ctx, x, y, height, colours }, frame) {
        const scale = this.load.length / (this.to - this.from);

        /** @param {number} from @param {number} to @param {number} most */
        const ask = (from, to, most) => frame.trace.gapsBetween(from, to, most);
        /** @param {TraceGap} gap */
        const behind = (gap) => Math.max(gap.to + 1, Math.ceil(gap.to + 1 / scale));

        for (const gap of listAcross(ask, Math.floor(this.from), Math.ceil(this.to), behind)) {
            const from = x + Math.round((gap.from - this.from) * scale);
            const width = Math.max(2, Math.round((gap.to - gap.from) * scale));

            for (const style of [colours.gap, frame.hatch]) {
                ctx.fillStyle = style;
                ctx.fillRect(from, y, width, height);
            }
        }
    }
}

/** Draws the strip without a trace.
 *  @param {HTMLCanvasElement} canvas @param {Frame['colours']} colours */
export function paintNoMinimap(canvas, colours) {
    const ctx = canvas.getContext('2d', { alpha: false });

    ctx.fillStyle = colours.sunken;
    ctx.fillRect(0, 0, canvas.width, canvas.height);
}
