// SPDX-License-Identifier: MIT
/*
 * A rectangle of pixels that a painter fills and then draws at once. The dense part of a row has a column of its own for each
 * pixel. To draw each of these columns as a rectangle would take ten times as long.
 */

/** @type {Map<string, number>} */
const pixels = new Map();

/** Returns a colour "#rrggbb" as the number of a pixel.
 *  @param {string} colour */
export function pixelOf(colour) {
    let pixel = pixels.get(colour);

    if (pixel === undefined) {
        const rgb = parseInt(colour.slice(1), 16);

        pixel = (0xff000000 | (rgb & 0xff) << 16 | rgb & 0xff00 | rgb >> 16) >>> 0;
        pixels.set(colour, pixel);
    }
    return pixel;
}

export class PixelStrip {
    constructor() {
        this.width = 0;
        this.height = 0;
        this.canvas = new OffscreenCanvas(1, 1);
        this.ctx = this.canvas.getContext('2d', { willReadFrequently: true });
        /** The pixels, row by row; 0 is transparent. */
        this.pixels = new Uint32Array(0);
        /** @type {ImageData|null} */
        this.image = null;
    }

    /** Starts with transparent pixels.
     *  @param {number} width @param {number} height */
    begin(width, height) {
        if (width === this.width && height === this.height) {
            this.pixels.fill(0);
            return;
        }
        this.width = width;
        this.height = height;
        this.image = new ImageData(width, height);
        this.pixels = new Uint32Array(this.image.data.buffer);
        if (this.canvas.width < width || this.canvas.height < height) {
            this.canvas.width = Math.max(this.canvas.width, width);
            this.canvas.height = Math.max(this.canvas.height, height);
        }
    }

    /** Fills a part of a column. y is relative to the bottom, upwards.
     *  @param {number} x @param {number} y0 @param {number} y1 @param {number} pixel */
    column(x, y0, y1, pixel) {
        let at = (this.height - 1 - y0) * this.width + x;

        for (let y = y0; y < y1; y++, at -= this.width)
            this.pixels[at] = pixel;
    }

    /** Draws the pixels.
     *  @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y */
    draw(ctx, x, y) {
        this.ctx.putImageData(this.image, 0, 0);
        ctx.drawImage(this.canvas, 0, 0, this.width, this.height, x, y, this.width, this.height);
    }
}
