// SPDX-License-Identifier: MIT
/*
 * A drawing context that makes an SVG. It has the part of CanvasRenderingContext2D that the painters of the timeline use, so
 * they draw into it without knowing it. Rectangles in a row with the same style become one element.
 */

/** Characters that XML does not allow, even escaped. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** @param {string} text */
function escaped(text) {
    return text.replace(NOT_XML, '·').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Returns a coordinate with at most two decimals.
 *  @param {number} value */
function short(value) {
    return String(Math.round(value * 100) / 100);
}

export class SvgContext {
    /** @param {number} width px @param {number} height px @param {(font: string, text: string) => number} measure
     *  @param {string} hatch the content of an element <pattern>: the stripes of gaps */
    constructor(width, height, measure, hatch) {
        this.width = width;
        this.height = height;
        this.measure = measure;
        /** @type {string[]} */
        this.parts = [`<defs>${hatch}</defs>`];
        /** @type {string|CanvasPattern|CanvasGradient} */
        this.fillStyle = '#000000';
        /** @type {string|CanvasPattern|CanvasGradient} */
        this.strokeStyle = '#000000';
        this.lineWidth = 1;
        this.globalAlpha = 1;
        this.font = '10px sans-serif';
        this.textBaseline = 'alphabetic';
        /** @type {number[]} */
        this.dash = [];
        this.path = '';
        /** Rectangles that are not written yet, and their style. */
        this.rects = '';
        this.rectStyle = '';
        /** Number of open groups. */
        this.groups = 0;
    }

    /** Moves everything that is drawn later down.
     *  @param {number} x always 0 @param {number} y px */
    translate(x, y) {
        this.flush();
        this.parts.push(`<g transform="translate(${short(x)} ${short(y)})">`);
        this.groups++;
    }

    /** @param {string|CanvasPattern|CanvasGradient} style */
    colourOf(style) {
        return typeof style === 'string' ? escaped(style) : 'url(#hatch)';
    }

    alpha() {
        return this.globalAlpha < 1 ? ` opacity="${short(this.globalAlpha)}"` : '';
    }

    flush() {
        if (this.rects)
            this.parts.push(`<path${this.rectStyle} d="${this.rects}"/>`);
        this.rects = '';
    }

    // ---- as in CanvasRenderingContext2D ----

    /** @param {number} x @param {number} y @param {number} width @param {number} height */
    fillRect(x, y, width, height) {
        const style = ` fill="${this.colourOf(this.fillStyle)}"${this.alpha()}`;

        if (style !== this.rectStyle)
            this.flush();
        this.rectStyle = style;
        this.rects += `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`;
    }

    /** @param {number} x @param {number} y @param {number} width @param {number} height */
    strokeRect(x, y, width, height) {
        this.strokePath(`M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`);
    }

    beginPath() {
        this.path = '';
    }

    closePath() {
        this.path += 'z';
    }

    /** @param {number} x @param {number} y */
    moveTo(x, y) {
        this.path += `M${short(x)} ${short(y)}`;
    }

    /** @param {number} x @param {number} y */
    lineTo(x, y) {
        this.path += `L${short(x)} ${short(y)}`;
    }

    /** @param {number} x @param {number} y @param {number} width @param {number} height */
    rect(x, y, width, height) {
        this.path += `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`;
    }

    /** Corners are not rounded.
     *  @param {number} x @param {number} y @param {number} width @param {number} height */
    roundRect(x, y, width, height) {
        this.rect(x, y, width, height);
    }

    fill() {
        this.flush();
        if (this.path)
            this.parts.push(`<path fill="${this.colourOf(this.fillStyle)}"${this.alpha()} d="${this.path}"/>`);
    }

    stroke() {
        this.strokePath(this.path);
    }

    /** @param {string} path */
    strokePath(path) {
        const dash = this.dash.length ? ` stroke-dasharray="${this.dash.map(short).join(' ')}"` : '';

        this.flush();
        if (path)
            this.parts.push(`<path fill="none" stroke="${this.colourOf(this.strokeStyle)}" stroke-width="${short(this.lineWidth)}"${dash}${this.alpha()} d="${path}"/>`);
    }

    /** @param {number[]} dash */
    setLineDash(dash) {
        this.dash = dash;
    }

    /** @param {string} text @param {number} x @param {number} y */
    fillText(text, x, y) {
        const [, weight, size, family] = /^(?:(\d+) )?([\d.]+)px (.*)$/.exec(this.font) ?? ['', '', '10', 'sans-serif'];
        const bold = weight ? ` font-weight="${weight}"` : '';
        const middle = this.textBaseline === 'middle' ? ' dominant-baseline="central"' : '';

        this.flush();
        if (text)
            this.parts.push(`<text x="${short(x)}" y="${short(y)}" font-family="${escaped(family)}" font-size="${size}"${bold}${middle} fill="${this.colourOf(this.fillStyle)}"${this.alpha()}>${escaped(text)}</text>`);
    }

    /** @param {string} text */
    measureText(text) {
        return { width: this.measure(this.font, text) };
    }

    /** Draws pixels that a painter computed; they become an image in the SVG.
     *  @param {HTMLCanvasElement} image @param {number} fromX @param {number} fromY @param {number} width @param {number} height
     *  @param {number} x @param {number} y */
    drawImage(image, fromX, fromY, width, height, x, y) {
        const part = document.createElement('canvas');

        part.width = width;
        part.height = height;
        part.getContext('2d').drawImage(image, fromX, fromY, width, height, 0, 0, width, height);
        this.flush();
        this.parts.push(`<image x="${short(x)}" y="${short(y)}" width="${width}" height="${height}" href="${part.toDataURL('image/png')}"/>`);
    }

    // ---- the result ----

    /** Returns the file. scale: pixels of the drawing in one CSS px. title: text for people who do not see the picture.
     *  @param {number} scale @param {string} title */
    file(scale, title) {
        const { width, height } = this;

        this.flush();
        return [
            '<?xml version="1.0" encoding="UTF-8"?>\n',
            `<svg xmlns="http://www.w3.org/2000/svg" width="${short(width / scale)}" height="${short(height / scale)}" viewBox="0 0 ${width} ${height}">`,
            `<title>${escaped(title)}</title>\n`, this.parts.join('\n'), '</g>'.repeat(this.groups), '</svg>\n',
        ].join('');
    }
}
