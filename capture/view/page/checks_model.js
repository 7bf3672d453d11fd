// SPDX-License-Identifier: MIT
/*
 * The results of checks in the page's setup (docs/reference/page.md). A member of the wrong type is left out, so a damaged page
 * shows less instead of nothing. Pure.
 */

/** Maximum number of checks that the page lists. */
const CHECKS_MOST = 2000;

/** Verdicts in the order of the list, with the words that the page shows. */
export const VERDICTS = /** @type {const} */ ({ failed: 'FAIL', unknown: 'unknown', ok: 'ok' });

/**
 * @typedef {keyof typeof VERDICTS} Verdict
 * @typedef {{check: string, verdict: Verdict, text: string, subject: string, event: number, time: number|null}} CheckResult event:
 *     number of the deciding event, or -1; time: its time in seconds
 * @param {unknown} list `checks` of the setup
 * @returns {CheckResult[]} failed checks first, then unknown checks, each in the given order
 */
export function checkResults(list) {
    const results = (Array.isArray(list) ? list.slice(0, CHECKS_MOST) : []).flatMap(checkResult);
    const order = Object.keys(VERDICTS);

    return results.sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
}

/** @param {any} entry @returns {CheckResult[]} empty: not a result */
function checkResult(entry) {
    const { check, verdict, text, subject, event, time } = entry ?? {};
    /** @param {unknown} value */
    const words = (value) => (typeof value === 'string' ? value : '');

    if (typeof check !== 'string' || typeof verdict !== 'string' || !Object.hasOwn(VERDICTS, verdict))
        return [];
    return [{ check, verdict: /** @type {Verdict} */ (verdict), text: words(text), subject: words(subject), event: Number.isSafeInteger(event) && event >= 0 ? event : -1,
        time: Number.isFinite(time) && time >= 0 ? time : null }];
}

/** Returns the text of the tab: "Checks", or with the number of failed checks "Checks (2)".
 *  @param {CheckResult[]} results */
export function checksTitle(results) {
    const failed = results.filter(({ verdict }) => verdict === 'failed').length;

    return failed ? `Checks (${failed})` : 'Checks';
}
