// SPDX-License-Identifier: MIT
/* Recognises a file of checks among dropped files. Pure, except for takeChecks(), which reads files. */

/** Largest file of checks, in bytes: as in txtap. */
const CHECK_FILE_BYTES = 32768;

/** The beginning of a line with a check: NAME(PATTERN).STATISTIC OPERATOR. The decoder does the real parsing. */
const CHECK_LINE = /^\s*[a-z][a-z0-9_]*\s*(\(.*\))?\s*(\.\s*[a-z0-9]+)?\s*(<=?|>=?|==|!=)/;

/** The results of all checks in words, by the exit code of `txtap check`.
 *  @type {{[exit: number]: string}} */
export const EXIT_WORDS = {
    0: 'All checks are ok: txtap check ends with exit code 0.',
    6: 'A check failed: txtap check ends with exit code 6.',
    7: 'No check failed, but the trace cannot decide all of them: txtap check ends with exit code 7.',
};

/** Reports whether a text is a file of checks: at least a line begins like a check, and the text has no NUL.
 *  @param {string} text */
export function isChecks(text) {
    return !text.includes('\0') && text.split('\n').some((line) => CHECK_LINE.test(line));
}

/**
 * Separates files of checks from files with traces.
 * @param {File[]} list
 * @returns {Promise<{text: string, rest: File[]}>} text: of all files of checks; rest: all other files, in their order
 */
export async function takeChecks(list) {
    const texts = await Promise.all(list.map(async (file) => (file.size > CHECK_FILE_BYTES ? '' : file.text())));
    const are = texts.map(isChecks);

    return { text: texts.filter((_, at) => are[at]).join('\n'), rest: list.filter((_, at) => !are[at]) };
}
