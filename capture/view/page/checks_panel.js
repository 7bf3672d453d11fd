// SPDX-License-Identifier: MIT
/* The panel of check results that the page carries. Each result links to its event on the timeline. */
import { VERDICTS, checksTitle } from './checks_model.js';
import { element, fill, setText } from './dom.js';
import { formatNumber } from './units.js';

/** @typedef {import('./checks_model.js').CheckResult} CheckResult */

/**
 * Shows the panel if there are results, and opens it if a check failed.
 * @param {import('./view_state.js').ViewState} view
 * @param {CheckResult[]} results of checkResults()
 */
export function startChecks(view, results) {
    const tab = document.getElementById('tab_checks');
    const panel = document.getElementById('panel_checks');
    const show = () => fill(panel, ...checkParts(view, results));

    tab.hidden = results.length === 0;
    setText(tab, checksTitle(results));
    tab.title = 'Results of checks, with the number of failed checks';
    tab.classList.toggle('failed', results[0]?.verdict === 'failed');
    if (!results.length)
        return;
    view.on((changed) => (changed.has('trace') || changed.has('loading')) && show());
    show();
    if (results[0].verdict === 'failed')
        view.set({ panel: 'checks' });
}

/** @param {import('./view_state.js').ViewState} view @param {CheckResult[]} results */
function checkParts(view, results) {
    const counts = Object.entries(VERDICTS).map(([verdict, word]) => ({ word, many: results.filter((each) => each.verdict === verdict).length }))
        .filter(({ many }) => many).map(({ word, many }) => `${formatNumber(many)} ${word}`);

    return [element('p', { class: 'of' }, element('b', {}, counts.join(', '))), element('ul', { class: 'checks' }, ...results.map((each) => checkItem(view, each)))];
}

/** @param {import('./view_state.js').ViewState} view @param {CheckResult} result */
function checkItem(view, { check, verdict, text, subject, event, time }) {
    const at = [subject, time === null ? '' : `at ${time.toFixed(6)} s`].filter(Boolean).join(' ');

    return element('li', { class: verdict },
        element('span', { class: 'verdict' }, VERDICTS[verdict]), ' ', element('code', {}, check),
        text || at ? element('p', {}, text || at) : null,
        event < 0 ? null : isMissing(view, event) ? element('p', { class: 'quiet' }, `event #${event} is not in this trace`)
            : element('a', { href: `#e=${event}`, title: 'Show what is around this event' }, `Show event #${event}`));
}

/** @param {import('./view_state.js').ViewState} view @param {number} seq */
function isMissing({ trace, loading }, seq) {
    return trace !== null && !loading && trace.state().ended && trace.seq(trace.indexOfSeq(seq)) !== seq;
}
