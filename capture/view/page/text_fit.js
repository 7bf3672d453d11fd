// SPDX-License-Identifier: MIT
/* Fits texts into a width. Widths are measured once. */

/** Maximum number of remembered texts; beyond this number, all texts are forgotten. */
const REMEMBERED_MOST = 4000;

/** Number of characters that stay at the end of a name. */
const TAIL = 3;

export class TextFit {
    /** @param {(font: string, text: string) => number} measure the width of a text in px */
    constructor(measure) {
        this.measure = measure;
        this.widths = new Map();
        this.cuts = new Map();
    }

    /** @param {string} font @param {string} text */
    width(font, text) {
        const key = `${font}\n${text}`;
        let width = this.widths.get(key);

        if (width === undefined) {
            width = this.measure(font, text);
            remember(this.widths, key, width);
        }
        return width;
    }

    /**
     * Returns the text, or its beginning with an ellipsis, or '' if not even three characters fit.
     * @param {string} font @param {string} text @param {number} room in px
     */
    fit(font, text, room) {
        if (this.width(font, text) <= room)
            return text;
        const key = `${font}\n${Math.floor(room)}\n${text}`;
        let cut = this.cuts.get(key);

        if (cut === undefined) {
            cut = this.cut(font, text, room);
            remember(this.cuts, key, cut);
        }
        return cut;
    }

    /** Returns the text, or its beginning and its end. Names often differ only at their ends.
     *  @param {string} font @param {string} text @param {number} room */
    fitEnds(font, text, room) {
        if (this.width(font, text) <= room)
            return text;
        const tail = Array.from(text).slice(-TAIL).join('');
        const head = this.fit(font, text, room - this.width(font, tail));

        return head ? head + tail : this.fit(font, text, room);
    }

    /** Returns the text, or '' if it does not fit: a part of a number would be another number.
     *  @param {string} font @param {string} text @param {number} room */
    whole(font, text, room) {
        return this.width(font, text) <= room ? text : '';
    }

    /** @param {string} font @param {string} text @param {number} room */
    cut(font, text, room) {
        const characters = Array.from(text);
        let low = 0;
        let high = characters.length - 1;

        while (low < high) {
            const middle = (low + high + 1) >> 1;

            if (this.measure(font, characters.slice(0, middle).join('') + '…') <= room)
                low = middle;
            else
                high = middle - 1;
        }
        return low < 3 ? '' : characters.slice(0, low).join('').trimEnd() + '…';
    }
}

/**
 * Returns the place of a text between x and end: the first free piece that has room for the whole text, or else the
 * widest free piece.
 * @param {number} x @param {number} end @param {number} wanted px
 * @param {{x: number, end: number}[]} taken sorted by x
 * @returns {{x: number, room: number}} room: up to the next taken piece, or to the end
 */
export function roomBetween(x, end, wanted, taken) {
    let best = { x, room: -Infinity };
    let from = x;

    for (const other of [...taken, { x: end, end }]) {
        const room = Math.min(other.x, end) - from;

        if (room > best.room)
            best = { x: from, room };
        if (best.room >= wanted)
            break;
        from = Math.max(from, other.end);
    }
    return best;
}

/** @template T @param {Map<string, T>} map @param {string} key @param {T} value */
function remember(map, key, value) {
    if (map.size >= REMEMBERED_MOST)
        map.clear();
    map.set(key, value);
}
