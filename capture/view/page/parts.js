// SPDX-License-Identifier: MIT
/* The parts of the page and their sizes: which parts are visible, and the edges between them, which pointer and keys move. */

/** Pixels that an arrow key moves an edge. */
const EDGE_STEP = 24;

/**
 * Edges: the part that an edge resizes, its CSS variable, its limits in px, and the direction in which it grows.
 * @typedef {{edge: string, part: string, variable: string, axis: 'clientX'|'clientY', size: 'offsetWidth'|'offsetHeight',
 *     keys: [more: string, less: string], least: number, leave: number, room: () => number}} Edge
 * @type {Edge[]}
 */
const EDGES = [
    { edge: 'panel_edge', part: 'panel', variable: '--panel-width', axis: 'clientX', size: 'offsetWidth', keys: ['ArrowLeft', 'ArrowRight'], least: 200, leave: 240, room: () => innerWidth },
    { edge: 'table_edge', part: 'table', variable: '--table-height', axis: 'clientY', size: 'offsetHeight', keys: ['ArrowUp', 'ArrowDown'], least: 60, leave: 220, room: () => innerHeight },
];

/** @param {import('./view_state.js').ViewState} view */
export function startParts(view) {
    const panelButton = document.getElementById('toggle_panel');
    const tableButton = document.getElementById('toggle_table');
    let last = view.panel || 'summary';

    panelButton.addEventListener('click', () => {
        last = view.panel || last;
        view.set({ panel: view.panel ? '' : last });
    });
    tableButton.addEventListener('click', () => showTable(tableButton.getAttribute('aria-pressed') !== 'true'));
    for (const edge of EDGES)
        startEdge(edge);
}

/** Shows or hides the table of events.
 *  @param {boolean} on */
export function showTable(on) {
    document.getElementById('table').hidden = !on;
    document.getElementById('table_edge').hidden = !on;
    document.getElementById('toggle_table').setAttribute('aria-pressed', String(on));
}

/** @param {Edge} edge */
function startEdge({ edge, part, variable, axis, size, keys, least, leave, room }) {
    const element = document.getElementById(edge);
    /** @param {number} wanted */
    const resize = (wanted) => {
        const bounded = Math.max(least, Math.min(wanted, room() - leave));

        document.documentElement.style.setProperty(variable, `${Math.round(bounded)}px`);
        element.setAttribute('aria-valuenow', String(Math.round(bounded)));
    };
    const now = () => document.getElementById(part)[size];
    /** @type {{at: number, size: number}|null} */
    let grasped = null;

    element.addEventListener('pointerdown', (event) => {
        element.setPointerCapture(event.pointerId);
        grasped = { at: event[axis], size: now() };
    });
    element.addEventListener('pointermove', (event) => grasped && resize(grasped.size + grasped.at - event[axis]));
    element.addEventListener('pointerup', () => (grasped = null));
    element.addEventListener('pointercancel', () => (grasped = null));
    element.addEventListener('keydown', (event) => {
        const step = event.key === keys[0] ? EDGE_STEP : event.key === keys[1] ? -EDGE_STEP : 0;

        if (!step)
            return;
        event.preventDefault();
        event.stopPropagation();
        resize(now() + step);
    });
}
