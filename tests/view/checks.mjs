// SPDX-License-Identifier: MIT
// Counts checks like tests/e2e/lib.sh, for scripts that run under node. Prints "ok - SENTENCE". The exit status is 1 if a check
// failed, or 77 (skipped) if a check was not possible on this machine.
import { isDeepStrictEqual } from 'node:util';

let passed = 0;
let failed = 0;
let skipped = 0;

const short = (value) => (JSON.stringify(value) ?? String(value)).slice(0, 2000);

/** Prints ok if `good` is true, or if `good` is a function (possibly async) that returns true. */
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

/** Returns the first place where two values differ: [its path, the value in the first, the value in the second]. */
function difference(got, want, path = '') {
    const inner = (value) => typeof value === 'object' && value !== null;
    if (!inner(got) || !inner(want)) return [path, got, want];
    const keys = new Set([...Object.keys(got), ...Object.keys(want)]);
    const key = [...keys].find((each) => !isDeepStrictEqual(got[each], want[each]));
    return key === undefined ? [path, got, want] : difference(got[key], want[key], `${path}.${key}`);
}

/** Prints ok if both values are equal; otherwise prints where they differ. */
export async function same(sentence, got, want) {
    const equal = isDeepStrictEqual(got, want);
    if (!equal) {
        const [path, one, other] = difference(got, want);
        process.stdout.write(`# ${path} got ${short(one)}\n# ${path} want ${short(other)}\n`);
    }
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
