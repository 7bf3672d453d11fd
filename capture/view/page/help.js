// SPDX-License-Identifier: MIT
/* The help that opens with ?: the table of keys in keys.js. */
import { element, fill } from './dom.js';

/** @typedef {import('./keys.js').KeyRow} KeyRow */

/** @param {KeyRow[]} rows */
export function startHelp(rows) {
    const help = /** @type {HTMLDialogElement} */ (document.getElementById('help'));

    document.getElementById('show_help').addEventListener('click', () => {
        fill(help, ...helpParts(rows), element('form', { method: 'dialog' }, element('button', {}, 'Close')));
        help.showModal();
        help.scrollTop = 0; // the button at the end has the focus
    });
    help.addEventListener('click', (event) => event.target === help && help.close());
}

/** @param {KeyRow[]} rows */
function helpParts(rows) {
    const groups = [...new Set(rows.map((row) => row.group))];

    return [
        element('h2', { id: 'help_title' }, 'Keys and pointer'),
        element('div', { class: 'groups' }, ...groups.map((group) => element('section', {},
            element('h3', {}, group),
            element('dl', {}, ...rows.filter((row) => row.group === group).flatMap((row) => [
                element('dt', {}, ...(row.show ?? row.keys).split(' ').map((key) => element('kbd', {}, key))),
                element('dd', {}, row.text),
            ]))))),
    ];
}
