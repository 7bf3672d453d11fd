// SPDX-License-Identifier: MIT
/* Reads bytes into a trace: from files, from the page itself, from the server. Lets the page respond between pieces. */

/** Milliseconds of work after which the page may draw. */
const SLICE_MS = 30;

/** Time between two pictures while a trace is read, in ms. */
const GROW_EVERY_MS = 700;

/** The first bytes of a recording. */
const RECORDING_HEAD = 'txtaprec';

/** Lets the page draw and respond. Unlike timers, it is not slowed down in a hidden tab. */
export function yieldToPage() {
    return new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();

        port1.onmessage = () => {
            port1.close();
            resolve();
        };
        port2.postMessage(null);
    });
}

/** Reports whether the page has been busy for too long. Then it is time for a pause. */
export class Slices {
    constructor() {
        this.start = performance.now();
    }

    async rest() {
        if (performance.now() - this.start < SLICE_MS)
            return;
        await yieldToPage();
        this.start = performance.now();
    }
}

/** Reports whether these are the first bytes of a recording.
 *  @param {Uint8Array} bytes */
export function isRecording(bytes) {
    return RECORDING_HEAD.split('').every((character, at) => bytes[at] === character.charCodeAt(0));
}

/**
 * Reads a stream of bytes into the trace: a recording piece by piece, any other file as a whole.
 * @param {ReadableStream<Uint8Array>} stream
 * @param {import('./decoder.js').Trace} trace
 * @param {(bytes: number, shown: boolean) => void} progress bytes: number of bytes so far; shown: the trace has new events to
 * show
 * @returns {Promise<void>} trace.problem has the error
 */
export async function readTrace(stream, trace, progress) {
    const reader = stream.getReader();
    const slices = new Slices();
    const pieces = [];
    let recording = null;
    let bytes = 0;
    let shown = performance.now();

    for (;;) {
        const { done, value } = await reader.read();

        if (done)
            break;
        bytes += value.length;
        pieces.push(value);
        recording ??= bytes >= RECORDING_HEAD.length ? isRecording(joined(pieces, bytes)) : null;
        if (recording)
            for (const piece of pieces.splice(0))
                trace.feed(piece);
        const due = performance.now() - shown > GROW_EVERY_MS;

        progress(bytes, due && recording === true);
        shown = due ? performance.now() : shown;
        await slices.rest();
    }
    if (!recording)
        trace.load(pieces);
}

/** @returns {Uint8Array}
 *  @param {Uint8Array[]} pieces @param {number} bytes */
function joined(pieces, bytes) {
    if (pieces.length === 1)
        return pieces[0];
    const all = new Uint8Array(bytes);
    let at = 0;

    for (const piece of pieces) {
        all.set(piece, at);
        at += piece.length;
    }
    return all;
}
