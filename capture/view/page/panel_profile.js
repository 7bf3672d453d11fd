// SPDX-License-Identifier: MIT
/*
 * The panel of the profile: the functions that the program counter was sampled in, for all threads or for one thread, in the
 * selected range or in the whole trace. The decoder counts the samples and computes the intervals, as `txtap profile` does.
 */
import { element, fill } from './dom.js';
import { plainText } from './plain_text.js';
import { formatMoment, formatNumber, formatSpan } from './units.js';

/**
 * @typedef {import('./view_state.js').ViewState} ViewState
 * @typedef {import('./decoder.js').Profile} Profile
 * @typedef {import('./decoder.js').ProfileRow} ProfileRow
 */

/** Time without a change after which a range counts as final, in ms. */
const SETTLED_MS = 100;

/** Minimum time between two profiles of a growing trace, in ms. */
const AGAIN_MS = 1000;

/** Maximum number of functions in the table. */
const FUNCTIONS_MOST = 200;

/** The choice of all threads. */
const ALL = '';

/** @param {number} percent */
const percentText = (percent) => `${percent.toFixed(1)} %`;

/** Returns the name of the thread, the interrupt or another context of a row.
 *  @param {ProfileRow} row */
export function contextOf(row) {
    return plainText(row.thread ?? row.interrupt ?? '(not known)');
}

/** Returns the functions of a thread, or of all threads. The row with the most samples comes first.
 *  @param {Profile} profile @param {string} thread ALL: all threads */
export function functionsOf(profile, thread) {
    return thread === ALL ? profile.functions : profile.functions_by_thread.filter((row) => contextOf(row) === thread);
}

export class ProfilePanel {
    /** @param {ViewState} view @param {HTMLElement} panel */
    constructor(view, panel) {
        this.view = view;
        this.panel = panel;
        this.tab = document.getElementById('tab_profile');
        /** Identifies the contents of the panel. */
        this.key = '';
        this.thread = ALL;
        this.computedAt = -Infinity;
        /** @type {ReturnType<typeof setTimeout>|undefined} */
        this.timer = undefined;
        panel.addEventListener('change', (event) => this.choose(/** @type {HTMLSelectElement} */ (event.target).value));
        view.on((changed) => ['trace', 'data', 'range', 'panel', 'hz'].some((name) => changed.has(name)) && this.soon());
        this.soon();
    }

    /** @param {string} thread */
    choose(thread) {
        this.thread = thread;
        this.key = '';
        this.update();
    }

    soon() {
        const has = this.view.trace?.rows().some(({ kind }) => kind === 'pc') ?? false;

        if (this.tab.hidden === has)
            this.tab.hidden = !has;
        if (this.view.panel !== 'profile' || document.hidden)
            return;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.update(), SETTLED_MS);
    }

    update() {
        const { range, trace } = this.view;
        const state = trace?.state();

        if (!state?.events || this.tab.hidden) {
            this.key = '';
            fill(this.panel, element('p', { class: 'hint' }, 'No samples of the program counter. Record with --pc to get a profile.'));
            return;
        }
        const part = range ?? { from: state.from, to: state.to };
        const key = [part.from, part.to, this.thread, state.hz, state.rowsVersion, state.to >= part.to].join();
        const wait = this.computedAt + AGAIN_MS - performance.now();

        if (key === this.key || this.panel.contains(document.activeElement) && document.activeElement !== this.panel && this.key !== '')
            return;
        if (wait > 0 && !range && !state.ended) {
            this.timer = setTimeout(() => this.update(), wait);
            return;
        }
        this.key = key;
        this.computedAt = performance.now();
        fill(this.panel, ...this.parts(trace.profile(part.from, part.to), part, state.hz));
    }

    /** @param {Profile} profile @param {{from: number, to: number}} part @param {number} hz */
    parts(profile, part, hz) {
        const threads = profile.threads.map(contextOf);
        const thread = threads.includes(this.thread) ? this.thread : ALL;
        const rows = functionsOf(profile, thread);
        const select = element('select', { 'aria-label': 'Thread' }, ...[ALL, ...threads].map((name) =>
            element('option', { value: name, selected: name === thread }, name === ALL ? 'all threads' : name)));

        return [
            element('p', { class: 'of' }, element('b', {}, formatSpan(part.to - part.from, hz)), ` from ${formatMoment(part.from, hz)}, `,
                `${formatNumber(profile.samples)} samples of the program counter`),
            profile.samples === 0 ? element('p', { class: 'hint' }, 'No samples in this range.') : null,
            profile.dropped ? element('p', { class: 'hint' }, `${formatNumber(profile.dropped)} samples are at too many addresses to be listed.`) : null,
            profile.samples ? threadBlock(profile) : null,
            profile.samples ? element('section', { class: 'block' }, element('h3', {}, 'Functions'), select, functionTable(rows)) : null,
        ];
    }
}

/** @param {Profile} profile */
function threadBlock(profile) {
    return element('section', { class: 'block' }, element('h3', {}, 'Threads'), table('Thread', profile.threads, contextOf));
}

/** @param {ProfileRow[]} rows */
function functionTable(rows) {
    const rest = rows.length - FUNCTIONS_MOST;
    const shown = table('Function', rows.slice(0, FUNCTIONS_MOST), (row) => plainText(row.function ?? '(not known)'));

    return rest > 0 ? element('div', {}, shown, element('p', { class: 'quiet' }, `and ${formatNumber(rest)} more functions`)) : shown;
}

/** @param {string} title @param {ProfileRow[]} rows @param {(row: ProfileRow) => string} nameOf */
function table(title, rows, nameOf) {
    const head = ['Samples', 'Share', '95 % interval'].map((text) => element('th', { scope: 'col' }, text));

    return element('table', { class: 'profile' },
        element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, title), ...head)),
        element('tbody', {}, ...rows.map((row) => element('tr', {}, nameCell(nameOf(row), row.percent),
            element('td', {}, formatNumber(row.samples)), element('td', {}, percentText(row.percent)),
            element('td', { class: 'quiet', title: `as certain as ${formatNumber(row.effective)} independent samples` },
                `${row.low.toFixed(1)} … ${percentText(row.high)}`)))));
}

/** Returns a cell with a name above a bar of the share.
 *  @param {string} name @param {number} percent */
function nameCell(name, percent) {
    const bar = element('i', { 'aria-hidden': 'true' });

    bar.style.width = `${Math.min(Math.max(percent, 0), 100)}%`;
    return element('th', { scope: 'row', title: name }, name, bar);
}
