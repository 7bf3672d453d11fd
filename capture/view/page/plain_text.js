// SPDX-License-Identifier: MIT
/*
 * Names and texts from a target, as they may be shown: one line, as long as a reader needs, and with nothing in it that
 * changes how the text around it reads.
 */

/** Control characters, those that turn the direction of a line, those without width, surrogates without a partner. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/gu;

/** More characters than this are cut. */
const LENGTH_MOST = 200;

/**
 * @param {unknown} text
 * @returns {string} each character that cannot be seen is a middle dot; a long text ends with an ellipsis
 */
export function plainText(text) {
    const all = String(text ?? '');
    const cut = all.length > LENGTH_MOST ? all.slice(0, LENGTH_MOST) + '…' : all;

    return cut.replace(UNSEEN, '·');
}

/**
 * What was thrown, in words.
 * @param {unknown} error
 */
export function errorText(error) {
    return error instanceof Error ? error.message : String(error);
}
