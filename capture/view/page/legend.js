// SPDX-License-Identifier: MIT
/* The line at the bottom: the meanings of colours and shapes. */
import { coloursOf, systemTheme, watchTheme } from './colours.js';
import { element, fill } from './dom.js';

/** @typedef {import('./colours.js').Colours} Colours */

/** Name in colours.js, meaning, shape, explanation.
 *  @type {[name: import('./colours.js').PlainColour, text: string, shape: string, title?: string][]} */
const LEGEND_ROWS = [
    ['running', 'running', 'threads', 'Each thread has a colour of its own'],
    ['running', 'load', 'area', 'Several changes in a column: the height is the part of the time. On the scale of the rows, 0.1 % is a quarter of the height, 1 % half, 10 % three quarters. The scale of the CPU is linear.'],
    ['ready', 'ready', 'lower', 'A thread wants a CPU and waits for it'],
    ['interrupted', 'interrupted', 'striped'],
    ['interrupt', 'interrupt', ''],
    ['waits', 'sleep', 'thin', 'A thread sleeps or is suspended'],
    ['queue', 'queue', 'thin', 'A thread waits for a queue'],
    ['semaphore', 'semaphore', 'thin', 'A thread waits for a semaphore'],
    ['flags', 'flags', 'thin', 'A thread waits for event flags'],
    ['pool', 'pool', 'thin', 'A thread waits for memory of a pool'],
    ['mutex', 'mutex', 'thin', 'A thread waits for a mutex'],
    ['hit', 'user event', 'mark'],
    ['gapStripe', 'lost', 'hatched', 'Events are lost'],
];

export function startLegend() {
    const show = () => fill(document.getElementById('legend'), ...legendParts(coloursOf(systemTheme())));

    watchTheme(show);
    show();
}

/** @param {Colours} colours */
function legendParts(colours) {
    return LEGEND_ROWS.map(([name, text, shape, title]) => {
        const chip = element('i', { class: shape, 'aria-hidden': 'true' });

        chip.style.setProperty('--chip', colours[name]);
        chip.style.setProperty('--chip-stripe', name === 'interrupted' ? colours.interruptedStripe : colours.gap);
        for (const [i, colour] of colours.threads.slice(0, 3).entries())
            chip.style.setProperty(`--chip-${i}`, colour);
        return element('span', { title }, chip, text);
    });
}
