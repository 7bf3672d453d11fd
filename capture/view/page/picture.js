// SPDX-License-Identifier: MIT
/*
 * A picture of the view for a document: the axis, the names and all lanes, also the lanes that are scrolled out of sight, and a
 * title. PNG and SVG have the same painters as the page. Pixels that a painter computes are images in the SVG.
 */
import { px } from './frame.js';
import { plainText } from './plain_text.js';
import { SvgContext } from './svg_context.js';
import { formatMoment } from './units.js';

/**
 * @typedef {import('./timeline.js').Timeline} Timeline
 * @typedef {import('./frame.js').Frame} Frame
 */

/** Height of the title, in CSS px. */
const TITLE_HEIGHT = 28;

/** Largest height of a picture, in pixels: browsers refuse larger canvases. */
const HEIGHT_MOST = 16384;

/** Returns the size of the picture, in pixels.
 *  @param {Timeline} timeline */
function sizeOf({ layout, frame, d }) {
    const lanes = frame.top + Math.round(layout.height * d);

    if (lanes > HEIGHT_MOST)
        throw new Error('the picture would be too high: fold some groups of rows first');
    return { width: frame.left + frame.width, height: Math.round(TITLE_HEIGHT * d) + lanes };
}

/** Returns the name of the trace and the visible time: "night.rec – 0.100 s to 0.200 s".
 *  @param {Timeline} timeline */
export function pictureTitle({ view }) {
    const { hz } = view.trace.state();
    const { from, to } = view.shown();
    const unit = hz ? '' : ' ticks';
    const name = document.getElementById('title').textContent;

    return plainText(`${name} – ${formatMoment(Math.max(0, Math.round(from)), hz)} to ${formatMoment(Math.max(0, Math.round(to)), hz)}${unit}`);
}

/** Paints the picture.
 *  @param {Timeline} timeline @param {CanvasRenderingContext2D} ctx */
function paintPicture(timeline, ctx) {
    const { width, height } = sizeOf(timeline);
    const title = px(timeline, TITLE_HEIGHT);
    const made = timeline.makeFrame();
    /** @type {import('./frame.js').Box[]} */
    const boxes = [];
    /** @type {Frame} */
    const frame = { ...made, ctx, scroll: 0, height: height - title, boxes, boxOf: (row) => boxes[row] ?? null };

    ctx.textBaseline = 'middle';
    ctx.fillStyle = frame.colours.page;
    ctx.fillRect(0, 0, width, height);
    ctx.font = frame.fontBold;
    ctx.fillStyle = frame.colours.text;
    ctx.fillText(frame.texts.fit(frame.fontBold, pictureTitle(timeline), width - px(frame, 24)), px(frame, 12), title / 2);
    ctx.translate(0, title);
    timeline.paintScene(frame);
}

/** Returns the stripes of gaps as an SVG pattern.
 *  @param {Timeline} timeline */
function hatchPattern({ colours, d }) {
    const size = Math.max(4, Math.round(8 * d));

    return `<pattern id="hatch" width="${size}" height="${size}" patternUnits="userSpaceOnUse">` +
        `<path d="M${-size} ${size}L0 0M0 ${size}L${size} 0M${size} ${size}L${2 * size} 0" stroke="${colours.gapStripe}" stroke-width="${Math.max(1, d * 1.2)}"/></pattern>`;
}

/** @param {Timeline} timeline @returns {Promise<Blob>} */
export async function pngOf(timeline) {
    const canvas = document.createElement('canvas');

    Object.assign(canvas, sizeOf(timeline));
    paintPicture(timeline, canvas.getContext('2d', { alpha: false }));
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));

    if (!blob)
        throw new Error('the browser cannot make a picture of this size: make the window smaller');
    return blob;
}

/** @param {Timeline} timeline @returns {Blob} */
export function svgOf(timeline) {
    const { width, height } = sizeOf(timeline);
    const context = new SvgContext(width, height, (font, text) => timeline.texts.width(font, text), hatchPattern(timeline));

    paintPicture(timeline, /** @type {any} */ (context));
    return new Blob([context.file(timeline.d, pictureTitle(timeline))], { type: 'image/svg+xml' });
}
