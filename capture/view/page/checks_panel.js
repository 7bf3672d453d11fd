// SPDX-License-Identifier: MIT
/* The panel of checks: results that the page carries, or results of checks that the user types or drops. Each result links to its
 * event on the timeline. */
import { Judge } from './checks/judge.js';
import { VERDICTS, checksTitle } from './checks_model.js';
import { element, fill, setText } from './dom.js';
import { formatNumber } from './units.js';

/** @typedef {import('./checks_model.js').CheckResult} CheckResult */

/**
 * Starts the panel, and opens it if a check in the page failed.
 * @param {import('./view_state.js').ViewState} view
 * @param {CheckResult[]} carried of checkResults()
 * @returns {Judge} judges checks of the user, whose results then replace the results in the page
 */
export function startChecks(view, carried) {
    const tab = document.getElementById('tab_checks');
    const list = element('div');
    let results = carried;
    const show = () => {
        setText(tab, checksTitle(results));
        tab.classList.toggle('failed', results[0]?.verdict === 'failed');
        fill(list, ...results.length ? checkParts(view, results) : []);
    };
    const judge = new Judge(view, (judged) => {
        results = judged;
        show();
    });

    tab.title = 'Checks of the trace, with the number of failed checks';
    fill(document.getElementById('panel_checks'), judge.form, list);
    view.on((changed) => (changed.has('trace') || changed.has('loading')) && show());
    show();
    if (results[0]?.verdict === 'failed')
        view.set({ panel: 'checks' });
    return judge;
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
