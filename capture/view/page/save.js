// SPDX-License-Identifier: MIT
/* The button "Save" and its menu: events as CSV, and the view as a picture. The browser saves the files. */
import { element, fill } from './dom.js';
import { pngOf, svgOf } from './picture.js';
import { errorText } from './plain_text.js';
import { say } from './choose.js';

/**
 * @typedef {import('./timeline.js').Timeline} Timeline
 * @typedef {import('./view_state.js').ViewState} ViewState
 */

/** Number of events in one step, so that the page can respond between two steps. */
const CSV_STEP = 20000;

/** @param {Timeline} timeline */
export function startSave(timeline) {
    const button = element('button', { type: 'button', id: 'save', 'aria-haspopup': 'menu', 'aria-expanded': 'false', 'aria-label': 'Save', title: 'Save as CSV, PNG or SVG' }, '↓');
    const menu = element('div', { id: 'save_menu', role: 'menu', 'aria-label': 'Save', hidden: true });
    /** @param {boolean} open @param {string} [problem] */
    const show = (open, problem = '') => {
        if (open)
            fill(menu, problem && element('p', { class: 'problem', role: 'alert' }, problem), ...menuParts(timeline, show));
        menu.hidden = !open;
        button.setAttribute('aria-expanded', String(open));
        if (open)
            placeMenu(menu, button);
    };

    document.getElementById('toggle_panel').before(button);
    document.body.append(menu);
    button.addEventListener('click', () => show(menu.hidden));
    document.addEventListener('pointerdown', (event) => {
        if (event.target instanceof Node && !menu.contains(event.target) && !button.contains(event.target))
            show(false);
    });
    menu.addEventListener('keydown', (event) => pressKey(event, menu, () => {
        show(false);
        button.focus();
    }));
}

/** @param {HTMLElement} menu @param {HTMLElement} button */
function placeMenu(menu, button) {
    const { left, bottom } = button.getBoundingClientRect();

    menu.style.top = `${Math.round(bottom + 4)}px`;
    menu.style.left = `${Math.round(Math.max(4, Math.min(left, innerWidth - menu.offsetWidth - 4)))}px`;
    /** @type {HTMLElement|null} */ (menu.querySelector('button:not(:disabled)'))?.focus();
}

/** @param {KeyboardEvent} event @param {HTMLElement} menu @param {() => void} close */
function pressKey(event, menu, close) {
    const items = /** @type {HTMLElement[]} */ ([...menu.querySelectorAll('button:not(:disabled)')]);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;

    if (event.key === 'Escape')
        close();
    else if (step)
        items[(items.findIndex((item) => item === document.activeElement) + step + items.length) % items.length]?.focus();
    else
        return;
    event.preventDefault();
    event.stopPropagation();
}

/** @param {Timeline} timeline @param {(open: boolean, problem?: string) => void} show */
function menuParts(timeline, show) {
    const { view } = timeline;
    const events = view.range ? 'Events of the range' : 'Events in view';
    /** @param {string} id @param {string} text @param {() => Promise<void>} run */
    const item = (id, text, run) => element('button', {
        type: 'button', role: 'menuitem', id, disabled: !view.trace, onclick: () => {
            show(false);
            run().catch((error) => show(true, `Not saved: ${errorText(error)}.`));
        },
    }, text);

    return [
        item('save_csv', `${events} (CSV)`, () => saveCsv(view)),
        item('save_png', 'Picture of the view (PNG)', async () => saveFile(await pngOf(timeline), nameOf(view, 'png'))),
        item('save_svg', 'Picture of the view (SVG)', async () => saveFile(svgOf(timeline), nameOf(view, 'svg'))),
    ];
}

/** Returns the chosen range, or the visible part, in whole ticks, both inclusive.
 *  @param {ViewState} view */
function chosenTicks(view) {
    const { from, to } = view.range ?? view.shown();

    return { from: Math.max(0, Math.ceil(from)), to: Math.max(0, Math.floor(to)) };
}

/** @param {ViewState} view */
async function saveCsv(view) {
    const { trace } = view;
    const { from, to } = chosenTicks(view);
    const pieces = [];
    let state = 'more';

    trace.beginCsv(from, to);
    while (state === 'more') {
        const step = trace.stepCsv(CSV_STEP);

        ({ state } = step);
        pieces.push(step.bytes);
        await new Promise((resolve) => setTimeout(resolve));
        if (view.trace !== trace)
            throw new Error('another trace was opened');
    }
    if (state === 'none')
        throw new Error('the page dropped some of these events, because it keeps only the newest: choose a later range');
    saveFile(new Blob(pieces, { type: 'text/csv' }), nameOf(view, 'csv'));
}

/** Returns the name of a file: the trace's name, and the range in ticks.
 *  @param {ViewState} view @param {string} ending */
export function nameOf(view, ending) {
    const trace = document.getElementById('title').textContent.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 80);
    const { from, to } = chosenTicks(view);

    return `${trace || 'trace'}-${from}-${to}.${ending}`;
}

/** Lets the browser save a file.
 *  @param {Blob} blob @param {string} name */
function saveFile(blob, name) {
    const url = URL.createObjectURL(blob);

    element('a', { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60000); // the browser may read it later
    say(`saved ${name}`);
}
