// SPDX-License-Identifier: MIT
/* The order of several files of one recording: each says itself which file it is. */

/** What says so is within the first bytes, except in older recordings with thousands of objects. */
const START_BYTES = 1 << 20;

/**
 * The files in the order in which they were written. A file that is there twice stays once, one that has nothing to read is left out,
 * and the trace has a note of each. Throws if they are not of one recording.
 * @param {File[]} list
 * @param {import('./decoder.js').Trace} trace which will read them
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
            trace.note(`${file.name}: not a recording, or it is damaged in its first bytes: not read`);
            files.push(null);
        }
    }
    const { order, again, foreign } = trace.sortStarts();

    if (foreign)
        throw new Error(`${files[foreign[1]].name}: of another recording than ${files[foreign[0]].name}: open the files of one recording`);
    for (const [index, kept] of again)
        if (files[index])
            trace.note(`${files[index].name}: the same file of the recording as ${files[kept].name}: read once`);
    const sorted = order.map((index) => files[index]).filter((file) => file);

    if (!sorted.length)
        throw new Error(`${list[0].name}: not a recording: several files must be of one recording`);
    return sorted;
}
