// SPDX-License-Identifier: MIT
/* The panel's tabs. view.panel is the open page: `panel_NAME` in page.html, opened by `tab_NAME`. */
import { PANEL_NAMES } from './view_hash.js';

/** @param {import('./view_state.js').ViewState} view */
export function startTabs(view) {
    for (const name of PANEL_NAMES)
        document.getElementById(`tab_${name}`).addEventListener('click', () => view.set({ panel: name }));
    const tabs = /** @type {HTMLElement} */ (document.querySelector('#panel .tabs'));

    tabs.addEventListener('keydown', (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];

        if (!step)
            return;
        const names = PANEL_NAMES.filter((name) => !document.getElementById(`tab_${name}`).hidden);
        const next = names[(names.indexOf(view.panel) + step + names.length) % names.length];

        event.preventDefault();
        view.set({ panel: next });
        document.getElementById(`tab_${next}`).focus();
    });
    view.on((changed) => changed.has('panel') && showPanel(view.panel));
    showPanel(view.panel);
}

/** @param {string} open the name of a page, or '' to hide the panel */
function showPanel(open) {
    document.getElementById('panel').hidden = open === '';
    document.getElementById('panel_edge').hidden = open === '';
    document.getElementById('toggle_panel').setAttribute('aria-pressed', String(open !== ''));
    for (const name of PANEL_NAMES) {
        const tab = document.getElementById(`tab_${name}`);

        document.getElementById(`panel_${name}`).hidden = name !== open;
        tab.setAttribute('aria-selected', String(name === open));
        tab.tabIndex = name === open ? 0 : -1;
    }
}
