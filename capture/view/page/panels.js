// SPDX-License-Identifier: MIT
/* Creates the parts around the timeline: table, panel, search, links, and their keys. */
import { element } from './dom.js';
import { FlowPanel } from './flow/flow_panel.js';
import { GoTo } from './go_to.js';
import { InstancesPanel } from './instances/panel_instances.js';
import { selectNothing } from './keys.js';
import { ProfilePanel } from './panel_profile.js';
import { ReportPanel } from './panel_report.js';
import { Places } from './places.js';
import { EventSearch } from './search.js';
import { SelectionPanel } from './selection_panel.js';
import { EventTable } from './table.js';
import { startTheme } from './theme.js';
import { askSelected, WhyPanel } from './why/panel_why.js';

/**
 * @typedef {import('./event_steps.js').StepKind} StepKind
 * @typedef {import('./drop.js').FileDrop} FileDrop
 */

/**
 * @param {import('./timeline.js').Timeline} timeline
 * @param {() => boolean} isBehind reports whether a live stream still delivers history
 * @returns {{table: EventTable, search: EventSearch, places: Places, goTo: GoTo, instances: InstancesPanel}}
 */
export function startPanels(timeline, isBehind) {
    const { view } = timeline;
    const panel = document.getElementById('panel_search');

    startTheme();
    const search = new EventSearch(view, document.querySelector('#header .find'), panel);
    const places = new Places(view, search, isBehind);
    places.listeners.add(() => timeline.showNotes(places.notes));
    const goTo = new GoTo(view, places, panel);

    new ReportPanel(view, document.getElementById('panel_summary'), 'summary');
    new ReportPanel(view, document.getElementById('panel_range'), 'range');
    new FlowPanel(timeline, search, document.getElementById('panel_flow'));
    new ProfilePanel(view, document.getElementById('panel_profile'));
    const instances = new InstancesPanel(view, document.getElementById('panel_instances'));
    new SelectionPanel(timeline, { goTo, places }, document.getElementById('panel_selection'));
    new WhyPanel(view, document.getElementById('panel_why'));
    document.getElementById('show_all').before(places.linkButton());
    return { table: new EventTable(view, document.getElementById('table')), search, places, goTo, instances };
}

/** Adds a button that opens files, before the buttons of the view.
 *  @param {FileDrop} files */
export function addOpenButton(files) {
    const button = element('button', { type: 'button', id: 'open_button', title: 'Files to open (o)' }, 'Open…');

    button.addEventListener('click', () => files.choose());
    document.getElementById('copy_link').before(button);
}

/**
 * Rows of the table of keys (keys.js).
 * @param {{search: EventSearch, places: Places, goTo: GoTo}} panels
 * @param {() => {line: import('./live_line.js').LiveLine, files: FileDrop}|null} source null: not created yet
 * @returns {import('./keys.js').KeyRow[]}
 */
export function panelKeys({ search, places, goTo }, source) {
    const find = 'Find';
    /** @param {string} keys @param {StepKind} kind @param {string} text */
    const step = (keys, kind, text) => [
        { group: find, keys, text: `next ${text}`, run: () => goTo.step(true, kind) },
        { group: find, keys: keys.toUpperCase(), text: `previous ${text}`, run: () => goTo.step(false, kind) },
    ];

    return [
        { group: find, keys: '/', text: 'search', run: () => search.focus() },
        { group: find, keys: 'n', text: 'next hit', run: () => search.step(true) },
        { group: find, keys: 'N', text: 'previous hit', run: () => search.step(false) },
        { group: find, keys: 'g', text: 'go to an event or a time', run: () => goTo.focus() },
        { group: find, keys: '.', text: 'next event of the chosen kind', run: () => goTo.step(true) },
        { group: find, keys: ',', text: 'previous event of that kind', run: () => goTo.step(false) },
        ...step('v', 'event', 'same event'),
        ...step('h', 'thread', 'event of the same thread'),
        ...step('b', 'object', 'event about the same object'),
        ...step('c', 'switch', 'context switch'),
        { group: find, keys: 'm', text: 'mark the selected event', run: () => places.toggleMark() },
        { group: find, keys: 'M', text: 'note on the selected event', run: () => goTo.marks.note() },
        { group: 'Select', keys: 'W', text: 'why: the cause of the selected job or wait', run: ({ view }) => askSelected(view) },
        { group: 'Select', keys: 'Escape', show: 'Esc', text: 'close a list; else drop the path of a cause, then event, range, cursors, search',
            run: ({ view }) => selectNothing(view) || search.find('') },
        { group: 'View', keys: 'o', text: 'open files', run: () => source()?.files.choose() },
        { group: 'View', keys: 'Space', text: 'pause or continue the live picture', run: () => source()?.line.togglePause() },
    ];
}
