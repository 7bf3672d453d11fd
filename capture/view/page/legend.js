// SPDX-License-Identifier: MIT
/* The line at the bottom: the meanings of colours and shapes. */
import { coloursOf, systemTheme } from './colours.js';
import { element, fill } from './dom.js';

/** @typedef {import('./colours.js').Colours} Colours */

/** Name in colours.js, meaning, shape.
 *  @type {[name: import('./colours.js').PlainColour, text: string, shape: string][]} */
const LEGEND_ROWS = [
    ['running', 'running', ''],
    ['ready', 'ready: wants a CPU', 'lower'],
    ['interrupted', 'interrupted', 'striped'],
    ['interrupt', 'interrupt', ''],
    ['waits', 'sleeps, suspended', 'thin'],
    ['queue', 'waits: queue', 'thin'],
    ['semaphore', 'semaphore', 'thin'],
    ['flags', 'event flags', 'thin'],
    ['pool', 'pool', 'thin'],
    ['mutex', 'mutex', 'thin'],
    ['hit', 'user event', 'mark'],
    ['gapStripe', 'events lost', 'hatched'],
];

export function startLegend() {
    const show = () => fill(document.getElementById('legend'), ...legendParts(coloursOf(systemTheme())));

    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
    show();
}

/** @param {Colours} colours */
function legendParts(colours) {
    return LEGEND_ROWS.map(([name, text, shape]) => {
        const chip = element('i', { class: shape, 'aria-hidden': 'true' });

        chip.style.setProperty('--chip', colours[name]);
        chip.style.setProperty('--chip-stripe', name === 'interrupted' ? colours.interruptedStripe : colours.gap);
        return element('span', {}, chip, text);
    });
}
