// SPDX-License-Identifier: MIT
/* The line at the top: the name of the trace, its amounts, and the buttons of the view. */
import { setText } from './dom.js';
import { formatNumber, formatSpan } from './units.js';

/**
 * @typedef {import('./view_state.js').ViewState} ViewState
 * @typedef {import('./decoder.js').Trace} Trace
 */

/** Minimum time between two updates of the figures while data arrives, in ms. */
const FACTS_MS = 250;

/** @param {ViewState} view */
export function startHeader(view) {
    const byEvent = document.getElementById('by_event');
    let waiting = false;

    document.getElementById('show_all').addEventListener('click', () => view.showAll());
    byEvent.addEventListener('click', () => view.setByEvent(!view.byEvent));
    view.on((changed) => {
        if (changed.has('byEvent'))
            byEvent.setAttribute('aria-pressed', String(view.byEvent));
        if (!changed.has('data') || waiting)
            return;
        waiting = true;
        setTimeout(() => {
            waiting = false;
            showFacts(view);
        }, changed.has('trace') ? 0 : FACTS_MS);
    });
}

/** @param {ViewState} view */
function showFacts(view) {
    setText(document.getElementById('facts'), view.trace ? factsText(view.trace) : '');
}

/** Returns "20 368 events · 10.203 s". live_line.js shows what is missing.
 *  @param {Trace} trace */
export function factsText(trace) {
    const state = trace.state();

    return [counted(state.events, 'event'), formatSpan(state.to - state.from, state.hz)].join(' · ');
}

/** @param {number} number @param {string} what */
function counted(number, what) {
    return `${formatNumber(number)} ${what}${number === 1 ? '' : 's'}`;
}

/** Shows the name of the trace, in the header and as the window's title.
 *  @param {string} name */
export function showTitle(name) {
    setText(document.getElementById('title'), name);
    document.title = `${document.getElementById('title').textContent} – txtap`;
}
