// SPDX-License-Identifier: MIT
/* A strip with the load of the whole trace, and the window that is shown. With several cores: their mean load. */
import { px } from './frame.js';
import { stackLayers } from './load_layers.js';
import { listAcross } from './paint_across.js';
import { spanText } from './paint_names.js';
import { layerColour } from './paint_states.js';
import { PixelStrip, pixelOf } from './pixel_strip.js';
import { formatShare, formatSpan } from './units.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./decoder.js').Trace} Trace
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

/** Width of the part of a handle that can be grabbed, on each side of the window's edge, in CSS px. */
const HANDLE_NEAR = 7;

export class Minimap {
    constructor() {
        /** @type {ReturnType<import('./load_layers.js').loadLayers>} */
        this.load = { layers: [], total: new Float32Array(0) };
        /** The load at the top of the strip; higher loads are cut off. */
        this.scale = 1;
        this.from = 0;
        this.to = 1;
        this.restUntil = 0;
        this.strip = new PixelStrip();
        /** @type {{trace: Trace, columns: number, byEvent: boolean, version: number}|null} */
        this.made = null;
    }

    /**
     * Computes the load, unless it was computed a short time ago.
     * @param {Frame} frame @param {{from: number, to: number}} extent @param {number} now ms
     * @returns {boolean} true: the load changed
     */
    update({ trace, width: columns, byEvent, loads }, extent, now) {
        const { version } = trace.state();
        const made = this.made;
        const same = made && made.trace === trace && made.columns === columns && made.byEvent === byEvent;

        if (same && (made.version === version || now < this.restUntil))
            return false;
        const start = performance.now();
        const cores = trace.rows().filter((row) => row.kind === 'core');

        this.from = extent.from;
        this.to = extent.to;
        this.load = loads.get(trace, cores, { from: Math.floor(this.from), to: Math.ceil(this.to), count: columns, byEvent }, true);
        this.scale = scaleOf(this.load.total);
        this.made = { trace, columns, byEvent, version };
        this.restUntil = now + (performance.now() - start) * MINIMAP_REST;
        return true;
    }

    /** @param {HTMLCanvasElement} canvas @param {Frame} frame its gaps are drawn too */
    paint(canvas, frame) {
        const { colours, left } = frame;
        const ctx = canvas.getContext('2d', { alpha: false });
        const strip = { ctx, x: left, y: px(frame, 6), height: canvas.height - px(frame, 10), colours };

        paintNoMinimap(canvas, colours);
        this.paintLoad(strip, frame);
        if (!frame.byEvent)
            this.paintGaps(strip, frame);
        ctx.fillStyle = colours.sunken;
        ctx.fillRect(0, 0, left, canvas.height);
    }

    /** Paints the figures left of the strip.
     *  @param {HTMLCanvasElement} canvas @param {Frame} frame @param {import('./load_peak.js').LoadPeak} peak */
    paintFigures(canvas, frame, peak) {
        const { colours, d, left } = frame;
        const ctx = canvas.getContext('2d', { alpha: false });
        const room = left - 16 * d;
        const figure = peakText(peak, frame.hz);
        const lines = [spanText(frame), frame.texts.whole(frame.font, figure && `CPU ${figure}`, room) || figure,
            `this strip: 0 … ${formatShare(this.scale)}`];

        ctx.fillStyle = colours.sunken;
        ctx.fillRect(0, 0, left, canvas.height);
        ctx.textBaseline = 'middle';
        for (const [i, line] of lines.entries()) {
            const font = frame.texts.whole(frame.font, line, room) ? frame.font : frame.fontSmall;

            ctx.font = font;
            ctx.fillStyle = i ? colours.quiet : colours.text;
            ctx.fillText(frame.texts.fit(font, line, room), 12 * d, canvas.height / 2 + (i - 1) * 14 * d + d);
        }
    }

    /** @param {Strip} strip @param {Frame} frame */
    paintLoad({ ctx, x, y, height }, frame) {
        const { total } = this.load;

        this.strip.begin(total.length, height);
        stackLayers(this.strip, this.load, (row) => pixelOf(layerColour(frame, row)), height / this.scale, () => true);
        this.strip.draw(ctx, x, y);
    }

    /** @param {Strip} strip @param {Frame} frame */
    paintGaps({ ctx, x, y, height, colours }, frame) {
        const scale = this.load.total.length / (this.to - this.from);

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

/** Returns "peak 71 % in 10 ms".
 *  @param {import('./load_peak.js').LoadPeak} peak @param {number} hz */
export function peakText(peak, hz) {
    const found = peak.highest();

    if (!found)
        return '';
    const window = formatSpan(found.window, hz).replace(/\.0+(?= )/, '');

    return `peak ${found.isLeast ? '≥ ' : ''}${formatShare(found.load)} in ${window}`;
}

/** Returns the window in the strip, in pixels.
 *  @param {Frame} frame @param {{from: number, to: number}} minimap @param {{from: number, to: number}} view */
export function windowOf(frame, minimap, view) {
    const { left, width, d } = frame;
    const scale = width / (minimap.to - minimap.from);
    const from = left + Math.max(0, (view.from - minimap.from) * scale);
    const to = left + Math.min(width, (view.to - minimap.from) * scale);
    const x = Math.round(Math.min(from, left + width - 3 * d));

    return { x, width: Math.max(px({ d }, 3), Math.round(to) - x) };
}

/** Returns the part of the window at x.
 *  @param {Frame} frame @param {{from: number, to: number}} minimap @param {{from: number, to: number}} view
 *  @param {number} x CSS px @returns {'from'|'to'|'inside'|'outside'} */
export function windowPart(frame, minimap, view, x) {
    const { x: left, width } = windowOf(frame, minimap, view);
    const [from, to] = [left / frame.d, (left + width) / frame.d];
    const near = Math.min(HANDLE_NEAR, Math.max(2, (to - from) / 3));

    if (x >= from - HANDLE_NEAR && x < from + near)
        return 'from';
    if (x > to - near && x <= to + HANDLE_NEAR)
        return 'to';
    return x > from && x < to ? 'inside' : 'outside';
}
