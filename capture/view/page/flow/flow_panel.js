// SPDX-License-Identifier: MIT
/*
 * The panel of the flow: who sends to whom through which object, how often and how full, in the selected range or in the whole
 * trace. The decoder computes the numbers as `txtap report --flow` does. A click on a node makes its row the current row, a
 * click on an edge searches its events, and each further click goes to the next of them.
 */
import { say, setRow } from '../choose.js';
import { element, fill, setText } from '../dom.js';
import { fillsOf, notesBlock } from '../figure_blocks.js';
import { NUMBER_UNKNOWN } from '../abi.js';
import { ReportPanel } from '../panel_report.js';
import { formatMoment, formatNumber, formatSpan } from '../units.js';
import { FlowGraph } from './flow_graph.js';
import { edgeQuery, edgeText, filterText, nodeName, numberText, rateText } from './flow_model.js';

/**
 * @typedef {import('./flow_model.js').Flow} Flow
 * @typedef {import('./flow_model.js').FlowEdge} FlowEdge
 * @typedef {import('./flow_model.js').FlowNode} FlowNode
 */

/** With fewer edges there is no filter. */
const FILTER_LEAST = 9;

export class FlowPanel extends ReportPanel {
    /**
     * @param {import('../timeline.js').Timeline} timeline
     * @param {import('../search.js').EventSearch} search
     * @param {HTMLElement} panel
     */
    constructor(timeline, search, panel) {
        super(timeline.view, panel, 'flow');
        this.timeline = timeline;
        this.search = search;
        /** @type {Flow|null} */
        this.flow = null;
        /** Number of hidden edges: the rarest are hidden. */
        this.hidden = 0;
        this.graph = new FlowGraph({ node: (node) => this.chooseNode(node), edge: (edge, back) => this.chooseEdge(edge, back) });
        this.head = element('div');
        this.slider = element('input', { type: 'range', min: 1, 'aria-label': 'Number of rows, the most frequent first' });
        this.filterSaid = element('span', { class: 'quiet' });
        this.filter = element('label', { class: 'flow_filter' }, this.slider, this.filterSaid);
        this.table = element('table', { class: 'profile flow' });
        this.parts = [this.head, this.filter, this.graph.element, element('details', {}, element('summary', {}, 'Table'), this.table), this.graph.card];
        this.slider.addEventListener('input', () => this.setHidden());
        this.table.addEventListener('click', (event) => this.tableClick(event));
        new ResizeObserver(() => this.graph.draw()).observe(this.graph.element);
    }

    /** @override */
    isOfRange() {
        return this.view.range !== null;
    }

    /** Updates the panel also while it has the focus: its parts stay the same elements.
     *  @override */
    isUsed() {
        return false;
    }

    /** Keeps the older graph visible until the next is known.
     *  @override
     *  @param {import('../view_state.js').Range} part @param {import('../decoder.js').TraceState} state */
    showBegun(part, state) {
        if (!this.panel.contains(this.graph.element))
            super.showBegun(part, state);
    }

    /** @override */
    showShares() {
        fill(this.panel, element('p', { class: 'hint', role: 'status' }, 'Computing…'));
    }

    /** @override
     *  @param {any} flow @param {import('../view_state.js').Range} part @param {import('../decoder.js').TraceState} state */
    show(flow, part, state) {
        this.flow = /** @type {Flow} */ (flow);
        this.covered = flow.events;
        fill(this.head, this.flowHeading(part, state), notesBlock(flow, state.hz, this.flowNotes()));
        if (!this.panel.contains(this.graph.element))
            fill(this.panel, ...this.parts);
        this.showEdges();
    }

    /** @param {import('../view_state.js').Range} part @param {import('../decoder.js').TraceState} state */
    flowHeading(part, state) {
        const { hz } = state;
        const { range } = this.view;

        this.lag = range ? null : element('span');
        return element('p', { class: 'of' }, element('b', {}, formatSpan(part.to - part.from, hz)),
            range ? ` from ${formatMoment(part.from, hz)}` : '', `, ${formatNumber(this.flow.events)}`, this.lag, ` events${state.ended || range ? '' : ' so far'}`);
    }

    /** @returns {string[]} */
    flowNotes() {
        return this.flow.edges_left_out ? [`${formatNumber(this.flow.edges_left_out)} rows did not fit.`] : [];
    }

    /** Shows the edges that the filter passes. */
    showEdges() {
        const { flow } = this;
        const all = flow.edges.length;
        const shown = Math.max(Math.min(all, 1), all - this.hidden);

        this.filter.hidden = all < FILTER_LEAST;
        this.slider.max = String(Math.max(all, 1));
        this.slider.value = String(shown);
        setText(this.filterSaid, filterText(flow, shown));
        if (all === 0)
            fill(this.graph.element, element('p', { class: 'hint' }, 'No thread and no interrupt calls an object in this time.'));
        else
            this.graph.show(flow, flow.edges.slice(0, shown), fillsOf(this.view.trace.rows()));
        this.showTable(flow.edges.slice(0, shown));
    }

    setHidden() {
        this.hidden = this.flow.edges.length - Number(this.slider.value);
        this.showEdges();
    }

    /** @param {FlowEdge[]} edges */
    showTable(edges) {
        const hz = this.flow.tick_hz;
        const heads = [hz ? 'a second' : null, 'calls', 'waited', 'failed', 'timeout'];
        const rows = edges.map((edge) => element('tr', { 'data-edge': this.flow.edges.indexOf(edge) },
            element('th', { scope: 'row', title: edgeText(this.flow, edge) }, element('button', { type: 'button', class: 'link' }, edgeText(this.flow, edge))),
            hz ? element('td', {}, rateText(edge)) : null,
            ...[edge.calls, edge.blocked, edge.failed, edge.timeouts].map((measure) => element('td', {}, numberText(measure)))));

        fill(this.table, element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, ''),
            ...heads.map((text) => text && element('th', { scope: 'col' }, text)))), element('tbody', {}, ...rows));
    }

    // ---- choice ----

    /** @param {Event} event */
    tableClick(event) {
        const row = /** @type {HTMLElement} */ (event.target).closest('tr');

        if (row?.dataset.edge && /** @type {HTMLElement} */ (event.target).closest('button'))
            this.chooseEdge(this.flow.edges[Number(row.dataset.edge)], false);
    }

    /** Makes the row of a node the current row.
     *  @param {FlowNode} node */
    chooseNode({ subject, ...node }) {
        const rows = this.view.trace.rows().filter((row) => (subject.kind === 'interrupt'
            ? row.kind === 'isr' && row.number === (subject.number ?? NUMBER_UNKNOWN)
            : row.address > 0 && row.address === Number(subject.address) && (row.kind === 'thread') === (subject.kind === 'thread')));
        const row = rows.find(({ name }) => name === subject.name) ?? rows[0];

        if (row)
            setRow(this.timeline, row.row);
        else
            say(`${nodeName({ subject, ...node })} has no row`);
    }

    /** Searches the events of an edge. If they are already found, goes to the next.
     *  @param {FlowEdge} edge @param {boolean} back */
    chooseEdge(edge, back) {
        const query = edgeQuery(this.flow, edge);

        if (this.search.query() === query)
            this.search.step(!back);
        else
            this.search.find(query);
    }
}
