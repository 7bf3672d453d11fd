// SPDX-License-Identifier: MIT
/* The moments at which two traces can be aligned, in ticks of a trace. Each function throws a sentence if the trace does not
 * have the moment. */
import { ROW_STATE } from '../abi.js';

/** @typedef {import('../view_state.js').ViewState} ViewState */

/** States of a job: it is ready or runs. */
const AT_WORK = /** @type {number[]} */ ([ROW_STATE.RUNNING, ROW_STATE.INTERRUPTED, ROW_STATE.READY]);

/** Maximum number of a job or a hit. */
export const NUMBER_MOST = 100_000;

/** Milliseconds between two looks at a search that is not complete. */
const SEARCH_MS = 20;

/** @param {ViewState} view */
export function startOf(view) {
    return view.trace.state().from;
}

/** @param {ViewState} view */
export function selectedOf(view) {
    if (view.selected < 0)
        throw new Error('select an event in each timeline first');
    return view.trace.ticks(view.selected);
}

/** Returns the names of the threads that both traces have.
 *  @param {ViewState[]} views */
export function commonThreads(views) {
    const [a, b] = views.map((view) => threadsOf(view).map((row) => row.name));

    return [...new Set(a)].filter((name) => b.includes(name)).sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}

/** @param {ViewState} view */
function threadsOf(view) {
    return view.trace.rows().filter((row) => row.kind === 'thread' && row.name !== '');
}

/** Returns the moment at which a thread becomes ready for the `number`th time, from 1. Only jobs whose wait is in the trace
 *  count.
 *  @param {ViewState} view @param {string} thread @param {number} number */
export function jobOf(view, thread, number) {
    const row = threadsOf(view).find((each) => each.name === thread);
    const end = view.trace.state().to;
    let before = ROW_STATE.UNKNOWN;
    let jobs = 0;

    for (let at = view.trace.state().from; row && at < end;) {
        const step = view.trace.step(row.row, at);

        if (!step || step.to <= at)
            break;
        if (before === ROW_STATE.BLOCKED && AT_WORK.includes(step.state) && ++jobs === number)
            return step.from;
        before = step.state;
        at = step.to;
    }
    throw new Error(`${thread} has only ${jobs} job${jobs === 1 ? '' : 's'} that begin in the trace`);
}

/** Returns the time of the `number`th mark, from 1: a reset, a trigger, a violated check.
 *  @param {ViewState} view @param {number} number */
export function markOf(view, number) {
    const { from, to } = view.trace.state();
    const marks = view.trace.marksBetween(from, to, number);

    if (marks.length < number)
        throw new Error(`the trace has only ${marks.length} mark${marks.length === 1 ? '' : 's'}`);
    return marks[number - 1].ticks;
}

/** Searches all events, and returns the time of the `number`th hit, from 1.
 *  @param {{view: ViewState, search: import('../search.js').EventSearch}} page @param {string} query @param {number} number */
export async function hitOf({ view, search }, query, number) {
    search.find(query);
    const hits = view.search;

    if (!hits)
        throw new Error('type a search first, such as an event\'s name');
    while (view.search === hits && !hits.isDone())
        await new Promise((resolve) => setTimeout(resolve, SEARCH_MS));
    const index = [...hits.earlier, ...hits.later][number - 1];

    if (index === undefined)
        throw new Error(`the search has only ${hits.count} hit${hits.count === 1 ? '' : 's'}`);
    return view.trace.ticks(index);
}
