// SPDX-License-Identifier: MIT
/* Contents of the page's own elements: the setup, the decoder, possibly a trace. */

/** Length of a piece of base64. It is a multiple of four characters, so that each piece can be decoded by itself. */
const BASE64_PIECE = 1 << 20;

/** Number of bytes to inflate at once. The page draws between two of these pieces. */
const STREAM_PIECE = 1 << 17;

/**
 * Returns the setup that txtap writes into the page (document.c). Empty if the page is an empty viewer, or if the setup
 * cannot be read.
 * @typedef {{mode: 'empty'|'embedded'|'file'|'live'|'compared'|'dropped'|'hosted', name?: string, version?: string, panel?: string, bytes?: number,
 *     profile?: number, definitions?: string[], interrupts?: string, functions?: string, hz?: number, hz_found?: boolean, hz_measured?: boolean, hz_low?: number, hz_high?: number, checks?: unknown,
 *     sides?: Setup[], comparison?: import('./compare/figures_table.js').Comparison, side?: 'a'|'b', holder?: string, relayed?: boolean}} Setup
 * checks: for checkResults(); sides, comparison: of a page of two traces; side, holder: in a frame of such a page, the frame's side
 * and the element of the outer page with its trace; relayed: a live page inside an editor, which makes the page's requests
 * @returns {Setup}
 */
export function readSetup() {
    try {
        const setup = JSON.parse(document.getElementById('setup').textContent);

        return setup && typeof setup === 'object' ? setup : { mode: 'empty' };
    } catch {
        return { mode: 'empty' };
    }
}

/** @param {string} text base64 @returns {Uint8Array} */
export function fromBase64(text) {
    if (typeof Uint8Array.fromBase64 === 'function')
        return Uint8Array.fromBase64(text);
    const clean = text.replace(/\s/g, '');
    const bytes = new Uint8Array(clean.length * 3 / 4 - (/=*$/.exec(clean)[0].length));
    let to = 0;

    for (let from = 0; from < clean.length; from += BASE64_PIECE) {
        const piece = atob(clean.slice(from, from + BASE64_PIECE));

        for (let at = 0; at < piece.length; at++)
            bytes[to++] = piece.charCodeAt(at);
    }
    return bytes;
}

/** Returns the bytes as a stream. A stream of a Blob would copy them to another process and back.
 *  @param {Uint8Array} bytes */
function streamOf(bytes) {
    let at = 0;

    return new ReadableStream({
        pull(controller) {
            if (at < bytes.length)
                controller.enqueue(bytes.subarray(at, at += STREAM_PIECE));
            else
                controller.close();
        },
    });
}

/**
 * Returns the decoded bytes of an element with base64, as a stream. Empties the element.
 * @param {string} id
 * @param {Document} [page]
 * @returns {ReadableStream<Uint8Array>|null} null: the page has no such element
 */
export function embeddedStream(id, page = document) {
    const holder = page.getElementById(id);

    if (!holder)
        return null;
    const stream = streamOf(fromBase64(holder.textContent.trim()));

    holder.remove();
    return holder.dataset.format === 'deflate-raw' ? stream.pipeThrough(new DecompressionStream('deflate-raw')) : stream;
}

/** Returns the decoder as a module, compiled once.
 *  @returns {Promise<WebAssembly.Module>} */
export async function embeddedDecoder() {
    const stream = embeddedStream('wasm');

    if (!stream)
        throw new Error('the page has no decoder');
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
}
