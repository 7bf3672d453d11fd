// SPDX-License-Identifier: MIT
/* The load of the whole trace in a strip, and the window of it that is shown. Of several cores: their mean. */
import { ROW_STATE } from './paint_states.js';

/** The load that fills the strip is at least this, so that idle systems are not drawn as busy ones. */
const PEAK_LEAST = 0.02;

/** Not drawn again before this many times as long as it took. */
const MINIMAP_REST = 12;

/** Of the columns with any load, this part is not cut. */
const UNCUT = 0.97;

/** The load that fills the strip: a few peaks do not make the rest invisible. */
function scaleOf(load) {
    const busy = load.filter((part) => part > 0).sort();

    return busy.length ? Math.min(1, Math.max(PEAK_LEAST, busy[Math.floor((busy.length - 1) * UNCUT)] * 1.15)) : 1;
}

export class Minimap {
    constructor() {
        this.load = new Float32Array(0);
        this.isr = new Float32Array(0);
        this.known = new Uint8Array(0);
        this.peak = 0;
        /** The load that is as high as the strip; what is above it is cut. */
        this.scale = 1;
        this.from = 0;
        this.to = 1;
        this.restUntil = 0;
        this.made = null;
    }

    /**
     * Computes the load, unless it was computed a moment ago.
     * @param {object} trace @param {number} columns @param {boolean} byEvent @param {{from: number, to: number}} extent
     * @param {number} now ms
     * @returns {boolean} it changed
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
        this.known = new Uint8Array(columns);
        const cores = trace.rows().filter((row) => row.kind === 'core');

        for (const core of cores)
            this.addCore(trace, core, columns, byEvent, cores.length);
        this.peak = this.load.reduce((peak, load) => Math.max(peak, load), 0);
        this.scale = scaleOf(this.load);
        this.made = { trace, columns, byEvent, version };
        this.restUntil = now + (performance.now() - start) * MINIMAP_REST;
        return true;
    }

    addCore(trace, core, columns, byEvent, cores) {
        const { u8, u16, length } = trace.columns(core.row, Math.floor(this.from), Math.ceil(this.to), columns, byEvent);

        for (let i = 0; i < length; i++) {
            const state = u8[i * 16 + 4];
            const dense = u16[i * 8 + 5] & 1;
            const run = dense ? u8[i * 16 + 6] / 255 : Number(state === ROW_STATE.RUNNING || state === ROW_STATE.INIT);
            const isr = dense ? u8[i * 16 + 7] / 255 : Number(state === ROW_STATE.ISR);

            if (!dense && state === ROW_STATE.UNKNOWN)
                continue;
            for (let x = u16[i * 8]; x < u16[i * 8 + 1]; x++) {
                this.load[x] += (run + isr) / cores;
                this.isr[x] += isr / cores;
                this.known[x] = 1;
            }
        }
    }

    /**
     * @param {CanvasRenderingContext2D} ctx
     * @param {{x: number, y: number, height: number, colours: object, gaps: {from: number, to: number}[], hatch: CanvasPattern}} place
     */
    paint(ctx, { x, y, height, colours, gaps, hatch }) {
        const scale = height / this.scale;
        const columns = this.load.length;

        ctx.fillStyle = colours.running;
        for (let i = 0; i < columns; i++)
            if (this.load[i] > 0) {
                const high = Math.min(height, Math.max(1, Math.round(this.load[i] * scale)));

                ctx.fillRect(x + i, y + height - high, 1, high);
            }
        ctx.fillStyle = colours.interrupt;
        for (let i = 0; i < columns; i++)
            if (this.isr[i] * scale >= 1)
                ctx.fillRect(x + i, y + height - Math.round(Math.min(height, this.load[i] * scale)), 1,
                    Math.round(Math.min(height, this.isr[i] * scale)));
        for (const gap of gaps) {
            const from = x + Math.round(((gap.from - this.from) / (this.to - this.from)) * columns);
            const to = x + Math.round(((gap.to - this.from) / (this.to - this.from)) * columns);

            ctx.fillStyle = colours.gap;
            ctx.fillRect(from, y, Math.max(2, to - from), height);
            ctx.fillStyle = hatch;
            ctx.fillRect(from, y, Math.max(2, to - from), height);
        }
    }
}
