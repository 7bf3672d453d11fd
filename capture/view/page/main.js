// SPDX-License-Identifier: MIT
/* Starts the page: first its parts, then the trace. */
import { startCard } from './card.js';
import { checkResults } from './checks_model.js';
import { startChecks } from './checks_panel.js';
import { compareFiles, startCompare } from './compare/compare.js';
import { readSetup } from './embedded.js';
import { startHeader } from './header.js';
import { startHelp } from './help.js';
import { followHostChecks, followHostTheme } from './host/host.js';
import { KEY_ROWS, startKeys } from './keys.js';
import { startLegend } from './legend.js';
import { addOpenButton, panelKeys, startPanels } from './panels.js';
import { showTable, startParts } from './parts.js';
import { startPointer } from './pointer.js';
import { startRowTools } from './row_tools.js';
import { startSave } from './save.js';
import { openData } from './sources.js';
import { startTabs } from './tabs.js';
import { Timeline } from './timeline.js';
import { ViewState } from './view_state.js';

/** Below this window width the panel leaves too little of the timeline, so it is closed at the start. */
const NARROW_PX = 1000;

/** @param {import('./embedded.js').Setup} setup */
function startPage(setup) {
    const root = setup.mode === 'empty' ? /** @type {HTMLElement} */ (document.documentElement.cloneNode(true)) : null;
    const view = new ViewState();

    if (innerWidth < NARROW_PX || setup.side)
        view.panel = '';
    const timeline = new Timeline(view, document.getElementById('timeline'));
    /** @type {{line: import('./live_line.js').LiveLine, files: import('./drop.js').FileDrop}|null} */
    let source = null;
    const panels = startPanels(timeline, () => source?.line.link.catchingUp ?? false);
    const keys = [...KEY_ROWS, ...panelKeys(panels, () => source)];

    startHeader(view);
    startTabs(view);
    startParts(view);
    startPointer(timeline);
    startRowTools(timeline);
    startKeys({ view, timeline }, keys);
    startHelp(keys);
    startCard(timeline);
    startLegend();
    if (setup.mode === 'hosted' || setup.relayed)
        followHostTheme();
    startSave(timeline);
    startWaiting(view);
    if (setup.side) {
        document.documentElement.classList.add('in_side', setup.side);
        showTable(false);
    }
    if (setup.panel)
        view.set({ panel: setup.panel });
    const judge = startChecks(view, checkResults(setup.checks));

    if (setup.mode === 'hosted')
        followHostChecks(judge);
    // For tests and for developer tools
    globalThis.txtap = { view, timeline, ...panels };
    globalThis.txtap.ready = openData(setup, view, (opened) => {
        source = opened;
        if (setup.mode !== 'live' && !setup.side) // a page that follows a target does not open files
            addOpenButton(opened.files);
    }, { judge: (text) => judge.take(text), compare: root && ((files) => compareFiles(root, setup.hz ?? 0, files)) });
}

/** Disables the buttons that need a trace, until there is a trace.
 *  @param {ViewState} view */
function startWaiting(view) {
    const update = () => {
        for (const control of document.querySelectorAll('#header .tools button:not(#open_button, #show_help), #header input'))
            control.toggleAttribute('disabled', !view.trace);
    };

    view.on((changed) => changed.has('trace') && update());
    update();
}

const setup = readSetup();

if (setup.mode === 'compared')
    globalThis.txtap = { ready: startCompare(setup) };
else
    startPage(setup);
