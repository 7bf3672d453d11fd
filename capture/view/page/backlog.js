// SPDX-License-Identifier: MIT
/*
 * Bytes of the stream that the decoder has not taken yet. They wait here while the picture is paused, so that the picture does
 * not change and no byte is lost. Bytes beyond the limit go to the decoder at once. Pure.
 */

/** Maximum number of waiting bytes: minutes of a busy target. */
export const BACKLOG_BYTES_MOST = 128 * 1024 * 1024;

/** Maximum number of bytes that the decoder takes at once: a few milliseconds of work. */
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
     * Returns the bytes to decode now. While paused: only the bytes beyond the limit.
     * @param {boolean} paused
     * @returns {Uint8Array|null} the oldest bytes, at most BACKLOG_PIECE_BYTES
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
