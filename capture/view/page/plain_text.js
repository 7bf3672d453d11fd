// SPDX-License-Identifier: MIT
/*
 * Makes names and texts from a target safe to show: one line, limited length, and no characters that change how the
 * surrounding text reads.
 */

/** Control characters, characters that change the direction of text, characters without width, unpaired surrogates. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/gu;

/** Longer texts are cut to this many characters. */
const LENGTH_MOST = 200;

/**
 * @param {unknown} text
 * @returns {string} invisible characters become middle dots; a cut text ends with an ellipsis
 */
export function plainText(text) {
    const all = String(text ?? '');
    const cut = all.length > LENGTH_MOST ? all.slice(0, LENGTH_MOST) + '…' : all;

    return cut.replace(UNSEEN, '·');
}

/**
 * Returns the message of a thrown value.
 * @param {unknown} error
 */
export function errorText(error) {
    return error instanceof Error ? error.message : String(error);
}
