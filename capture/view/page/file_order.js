// SPDX-License-Identifier: MIT
/* The order of several files of one recording. Each file states its own number. */

/** Number of bytes to search for a file's number. Only older recordings with thousands of objects have it further back. */
const START_BYTES = 1 << 20;

/**
 * Sorts files in the order in which they were written. Leaves out duplicate files and files without content, and adds a note
 * to the trace for each. Throws if the files belong to different recordings.
 * @param {File[]} list
 * @param {import('./decoder.js').Trace} trace that will read the files
 * @returns {Promise<File[]>}
 */
export async function filesInOrder(list, trace) {
    /** @type {(File|null)[]} */
    const files = [];

    for (const file of list) {
        const bytes = new Uint8Array(await file.slice(0, START_BYTES).arrayBuffer());

        if (trace.addStart(bytes, file.size))
            files.push(file);
        else {
            trace.note(`${file.name}: skipped: it is not a recording, or its first bytes are damaged`);
            files.push(null);
        }
    }
    const { order, again, foreign } = trace.sortStarts();

    if (foreign)
        throw new Error(`${files[foreign[1]].name}: belongs to another recording than ${files[foreign[0]].name}: open files of one recording only`);
    for (const [index, kept] of again)
        if (files[index])
            trace.note(`${files[index].name}: the same file of the recording as ${files[kept].name}: read once`);
    const sorted = order.map((index) => files[index]).filter((file) => file);

    if (!sorted.length)
        throw new Error(`${list[0].name}: not a recording: several files must be of one recording`);
    return sorted;
}
