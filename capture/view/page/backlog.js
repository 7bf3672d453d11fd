// SPDX-License-Identifier: MIT
/*
 * Bytes of the stream between its reader and the decoder. While the picture is paused they wait here, so that it stands
 * still and nothing is lost; what does not fit any more goes on to the decoder. Pure.
 */

/** What waits at most: minutes of a busy target. */
export const BACKLOG_BYTES_MOST = 128 * 1024 * 1024;

/** The decoder takes so many bytes at once: a few milliseconds of work. */
export const BACKLOG_PIECE_BYTES = 256 * 1024;

export class Backlog {
    constructor(bytesMost = BACKLOG_BYTES_MOST) {
        this.bytesMost = bytesMost;
        this.bytes = 0;
        /** @type {Uint8Array[]} */
        this.chunks = [];
        this.head = 0;
    }

    /** @param {Uint8Array} chunk */
    push(chunk) {
        this.chunks.push(chunk);
        this.bytes += chunk.length;
    }

    /**
     * What is due: while paused only what does not fit.
     * @param {boolean} paused
     * @returns {Uint8Array|null} the oldest bytes, BACKLOG_PIECE_BYTES of them at most
     */
    take(paused) {
        if (paused ? this.bytes <= this.bytesMost : this.bytes === 0)
            return null;
        const chunk = this.chunks[this.head];
        const piece = chunk.subarray(0, BACKLOG_PIECE_BYTES);

        this.bytes -= piece.length;
        if (piece.length < chunk.length)
            this.chunks[this.head] = chunk.subarray(piece.length);
        else
            this.forgetHead();
        return piece;
    }

    forgetHead() {
        this.chunks[this.head++] = null;
        if (this.head * 2 > this.chunks.length) {
            this.chunks.splice(0, this.head);
            this.head = 0;
        }
    }
}
