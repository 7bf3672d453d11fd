// SPDX-License-Identifier: MIT
// Counts checks like tests/e2e/lib.sh does, for scripts that run under node: "ok - SENTENCE", and the exit status is 1
// if one failed, 77 (skipped) if one was not possible here.
import { isDeepStrictEqual } from 'node:util';

let passed = 0;
let failed = 0;
let skipped = 0;

const short = (value) => (JSON.stringify(value) ?? String(value)).slice(0, 2000);

/** ok if `good` is true, or is a function, maybe async, that returns true and does not throw. */
export async function check(sentence, good) {
    let cause = '';
    let result = good;
    try {
        if (typeof good === 'function') result = await good();
    } catch (error) {
        cause = `# ${error.stack ?? error}\n`;
        result = false;
    }
    if (result === true) passed++;
    else failed++;
    process.stdout.write(`${cause}${result === true ? '' : 'not '}ok - ${sentence}\n`);
}

/** ok if both are equal, else prints both. */
export async function same(sentence, got, want) {
    const equal = isDeepStrictEqual(got, want);
    if (!equal) process.stdout.write(`# got ${short(got)}\n# want ${short(want)}\n`);
    await check(sentence, equal);
}

export function skip(sentence, reason) {
    process.stdout.write(`ok - ${sentence} # SKIP ${reason}\n`);
    skipped++;
}

export function note(text) {
    process.stdout.write(`# ${text}\n`);
}

/** Prints the totals and sets the exit status. */
export function end() {
    const more = skipped ? `, ${skipped} skipped` : '';
    process.stdout.write(`${passed} passed, ${failed} failed${more}\n`);
    process.exitCode = failed ? 1 : skipped ? 77 : 0;
}
