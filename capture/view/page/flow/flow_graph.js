// SPDX-License-Identifier: MIT
/*
 * Draws a flow: nodes are buttons, edges are curves of an SVG below them. Pointer and keyboard reach both. The pointer on a
 * node or an edge shows a card with its numbers, and dims all other nodes and edges.
 */
import { element, fill } from '../dom.js';
import { layoutFlow, NODE_HEIGHT } from './flow_layout.js';
import { callerOf, edgeLines, edgeText, fullness, hasFailures, kindText, levelLines, nodeName, numberText, objectOf, rateText, wayOf } from './flow_model.js';

/**
 * @typedef {import('./flow_model.js').Flow} Flow
 * @typedef {import('./flow_model.js').FlowEdge} FlowEdge
 * @typedef {import('./flow_model.js').FlowNode} FlowNode
 * @typedef {import('./flow_layout.js').Line} Line
 */

const SVG = 'http://www.w3.org/2000/svg';

/** Widths of the rarest and of the most frequent edge, in px. */
const LINE_LEAST = 1;
const LINE_MOST = 6;

/** Edges have numbers if there is this much space between columns, in px, and this height for each number. */
const NUMBERS_SPACE = 84;
const NUMBER_HEIGHT = 11;

/** Maximum number of edges on the card of a node. */
const CARD_EDGES = 12;

/** Distance of the card from the pointer, in px. */
const CARD_AWAY = 14;

/** @param {string} name @param {Object<string, unknown>} attributes @param {...SVGElement} children */
function svg(name, attributes, ...children) {
    const made = /** @type {SVGElement} */ (document.createElementNS(SVG, name));

    for (const [key, value] of Object.entries(attributes))
        made.setAttribute(key, String(value));
    made.append(...children);
    return made;
}

export class FlowGraph {
    /** @param {{node: (node: FlowNode) => void, edge: (edge: FlowEdge, back: boolean) => void}} choose called for a click */
    constructor(choose) {
        this.choose = choose;
        this.element = element('div', { class: 'flow_graph', role: 'group', 'aria-label': 'Flow' });
        this.card = element('div', { class: 'flow_card', role: 'tooltip', hidden: true });
        /** @type {Flow|null} */
        this.flow = null;
        /** @type {FlowEdge[]} */
        this.edges = [];
        this.fills = new Map();
        /** The key of the node or the edge with the card; '': no card. */
        this.lit = '';
        for (const name of ['pointerover', 'focusin'])
            this.element.addEventListener(name, (event) => this.light(keyOf(event.target)));
        for (const name of ['pointerleave', 'focusout'])
            this.element.addEventListener(name, () => this.light(''));
        this.element.addEventListener('pointermove', (event) => this.placeCard(event.clientX, event.clientY));
        this.element.addEventListener('focusin', (event) => this.placeCardAt(/** @type {Element} */ (event.target)));
        this.element.addEventListener('click', (event) => this.click(keyOf(event.target), event.shiftKey));
        this.element.addEventListener('keydown', (event) => this.keyDown(event));
    }

    /** @param {Flow} flow @param {FlowEdge[]} edges the edges to show @param {Map<string, string>} fills colours of threads */
    show(flow, edges, fills) {
        Object.assign(this, { flow, edges, fills });
        this.draw();
    }

    /** Draws the graph again, after its width has changed. */
    draw() {
        const width = this.element.clientWidth;

        if (!this.flow || width === 0)
            return;
        const { places, lines, nodeWidth, height } = layoutFlow(this.flow, this.edges, width);
        const most = Math.max(1, ...this.edges.map(({ calls }) => calls.value));
        const focused = keyOf(document.activeElement);
        const heads = ['senders', 'objects', 'receivers'].map((text, column) => element('span', { class: `head column${column}` }, text));
        const drawing = svg('svg', { width, height, 'aria-hidden': 'false' }, ...lines.map((line) => this.edge(line, most)),
            ...((width - 3 * nodeWidth) / 2 < NUMBERS_SPACE ? [] : this.numbers(lines)));
        const nodes = places.map((place) => {
            const made = this.node(this.flow.nodes[place.id]);

            Object.assign(made.style, { left: `${place.x}px`, top: `${place.y}px`, width: `${nodeWidth}px`, height: `${NODE_HEIGHT}px` });
            return made;
        });
        const plane = element('div', { class: 'plane' }, drawing, ...nodes);

        plane.style.height = `${height}px`;
        fill(this.element, element('div', { class: 'heads quiet' }, ...heads), plane);
        if (focused) // the element with the focus was replaced
            /** @type {HTMLElement|null} */ (this.element.querySelector(`[data-key="${focused}"]:not(.number)`))?.focus({ preventScroll: true });
        this.light(this.lit);
    }

    /** @param {FlowNode} node */
    node(node) {
        const part = fullness(node);
        const made = element('button', { type: 'button', class: `flow_node ${node.subject.kind}`, 'data-key': `n${node.id}` },
            element('span', { class: 'name' }, nodeName(node)), element('span', { class: 'quiet' }, kindText(node)));
        const colour = node.subject.kind === 'thread' ? this.fills.get(node.subject.address ?? '') : undefined;

        if (colour)
            made.style.setProperty('--mark', colour);
        if (part !== undefined) {
            const bar = element('i', { class: part >= 1 ? 'full' : '', 'aria-hidden': 'true' });

            bar.style.width = `${Math.min(part, 1) * 100}%`;
            made.append(bar);
        }
        return made;
    }

    /** @param {Line} line @param {number} most largest number of calls */
    edge({ edge, x1, y1, x2, y2 }, most) {
        const width = LINE_LEAST + ((LINE_MOST - LINE_LEAST) * edge.calls.value) / most;
        const way = wayOf(this.flow, edge);
        const head = way === 'both' ? 0 : 4 + width;
        const bend = (x2 - head - x1) / 2;
        const path = `M${x1},${y1} C${x1 + bend},${y1} ${x2 - head - bend},${y2} ${x2 - head},${y2}`;
        const made = svg('g', { class: `edge ${way}${hasFailures(edge) ? ' failed' : ''}`, 'data-key': `e${this.flow.edges.indexOf(edge)}`, tabindex: 0,
            role: 'button', 'aria-label': `${edgeText(this.flow, edge)}: ${edgeLines(edge, this.flow.tick_hz).join(', ')}` },
        svg('path', { class: 'hit', d: path }), svg('path', { class: 'line', d: path, 'stroke-width': width.toFixed(2) }));

        if (head)
            made.append(svg('path', { class: 'arrow', d: `M${x2},${y2} l${-head},${-head / 2} v${head} z` }));
        return made;
    }

    /** Returns the numbers at the beginnings of the edges, as far as there is room.
     *  @param {Line[]} lines */
    numbers(lines) {
        /** @type {Line[]} */
        const shown = [];

        for (const line of lines)
            if (!shown.some(({ x1, y1 }) => x1 === line.x1 && Math.abs(y1 - line.y1) < NUMBER_HEIGHT))
                shown.push(line);
        return shown.map(({ edge, x1, y1 }) => {
            const text = svg('text', { class: 'number', x: x1 + 6, y: y1 - 4, 'data-key': `e${this.flow.edges.indexOf(edge)}`, 'aria-hidden': 'true' });

            text.textContent = this.flow.tick_hz ? `${rateText(edge)}/s` : numberText(edge.calls);
            return text;
        });
    }

    // ---- the card ----

    /** Shows the card of a node or an edge, and dims the nodes and edges that do not belong to it.
     *  @param {string} key '': no card */
    light(key) {
        const edges = this.edgesOf(key);
        const keys = new Set([key, ...edges.flatMap((edge) => [`e${this.flow.edges.indexOf(edge)}`, `n${edge.from}`, `n${edge.to}`])]);
        const lines = this.cardLines(key, edges);

        this.lit = lines.length ? key : '';
        this.element.classList.toggle('has_lit', this.lit !== '');
        for (const each of this.element.querySelectorAll('[data-key]'))
            each.classList.toggle('lit', this.lit !== '' && keys.has(/** @type {HTMLElement} */ (each).dataset.key));
        fill(this.card, ...lines.map((line, at) => element('div', { class: at === 0 ? 'title' : null }, line)));
        this.card.hidden = this.lit === '';
    }

    /** Returns the shown edges of a node, or the edge itself.
     *  @param {string} key */
    edgesOf(key) {
        const number = Number(key.slice(1));

        if (key.startsWith('e'))
            return this.edges.filter((edge) => edge === this.flow.edges[number]);
        return key ? this.edges.filter((edge) => callerOf(this.flow, edge).id === number || objectOf(this.flow, edge).id === number) : [];
    }

    /** @param {string} key @param {FlowEdge[]} edges */
    cardLines(key, edges) {
        const hz = this.flow?.tick_hz ?? 0;
        const node = key.startsWith('n') ? this.flow.nodes[Number(key.slice(1))] : undefined;

        if (!edges.length)
            return [];
        if (!node)
            return [edgeText(this.flow, edges[0]), ...edgeLines(edges[0], hz)];
        return [`${nodeName(node)}, ${node.subject.kind.replace('_', ' ')}`, ...levelLines(node, hz),
            ...edges.slice(0, CARD_EDGES).map((edge) => `${edgeText(this.flow, edge)}: ${hz ? `${rateText(edge)} a second` : numberText(edge.calls)}`),
            ...(edges.length > CARD_EDGES ? [`and ${edges.length - CARD_EDGES} more`] : [])];
    }

    /** @param {number} x @param {number} y of the pointer on the page */
    placeCard(x, y) {
        const { offsetWidth, offsetHeight } = this.card;

        this.card.style.left = `${Math.max(4, x + CARD_AWAY + offsetWidth > innerWidth ? x - CARD_AWAY - offsetWidth : x + CARD_AWAY)}px`;
        this.card.style.top = `${Math.max(4, y + CARD_AWAY + offsetHeight > innerHeight ? y - CARD_AWAY - offsetHeight : y + CARD_AWAY)}px`;
    }

    /** @param {Element} target */
    placeCardAt(target) {
        const box = target.getBoundingClientRect();

        this.placeCard(box.left + box.width / 2, box.top + box.height / 2);
    }

    // ---- choice ----

    /** @param {string} key @param {boolean} back */
    click(key, back) {
        if (key.startsWith('n'))
            this.choose.node(this.flow.nodes[Number(key.slice(1))]);
        else if (key)
            this.choose.edge(this.flow.edges[Number(key.slice(1))], back);
    }

    /** Makes Enter on an edge a click; nodes are buttons.
     *  @param {KeyboardEvent} event */
    keyDown(event) {
        const key = keyOf(event.target);

        if (key.startsWith('e') && event.key === 'Enter') {
            event.preventDefault();
            event.stopPropagation();
            this.click(key, event.shiftKey);
        }
    }
}

/** Returns the key of the node or the edge that contains an element; '': it is in no node and no edge.
 *  @param {EventTarget|null} target */
function keyOf(target) {
    const of = target instanceof Element ? target.closest('.flow_graph [data-key]') : null;

    return of?.getAttribute('data-key') ?? '';
}
