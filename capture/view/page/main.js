// SPDX-License-Identifier: MIT
/* Starts the page: its parts, then the trace that it is to show. */
import { startCard } from './card.js';
import { startHeader } from './header.js';
import { startHelp } from './help.js';
import { KEY_ROWS, startKeys } from './keys.js';
import { startLegend } from './legend.js';
import { startParts } from './parts.js';
import { startPointer } from './pointer.js';
import { startTabs } from './tabs.js';
import { Timeline } from './timeline.js';
import { ViewState } from './view_state.js';

function startPage() {
    const view = new ViewState();
    const timeline = new Timeline(view, document.getElementById('timeline'));
    const keys = [...KEY_ROWS];

    startHeader(view);
    startTabs(view);
    startParts(view);
    startPointer(timeline);
    startKeys({ view, timeline }, keys);
    startHelp(keys);
    startCard(timeline);
    startLegend();
    // For tests and for who looks with the browser's tools
    globalThis.txtap = { view, timeline };
}

startPage();
