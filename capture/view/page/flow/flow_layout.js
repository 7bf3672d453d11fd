// SPDX-License-Identifier: MIT
/*
 * Places the nodes of a flow in three columns: callers that send, objects, callers that receive. A caller that does both is in
 * both outer columns, so all edges go from left to right. The same graph has the same layout, also if its numbers differ.
 * Pure.
 */
import { callerOf, objectOf, wayOf } from './flow_model.js';

/**
 * @typedef {import('./flow_model.js').Flow} Flow
 * @typedef {import('./flow_model.js').FlowEdge} FlowEdge
 * @typedef {{id: number, column: 0|1|2, x: number, y: number}} Place of the upper left corner of a node
 * @typedef {{edge: FlowEdge, x1: number, y1: number, x2: number, y2: number}} Line
 * @typedef {{places: Place[], lines: Line[], nodeWidth: number, height: number}} FlowLayout
 */

export const NODE_HEIGHT = 38;
const NODE_GAP = 10;
const NODE_WIDTH_MOST = 190;

/** Width of the space between two columns, as a part of the whole width, and its minimum. */
const SPACE = 0.13;
const SPACE_LEAST = 30;

/** Number of times that each column is sorted by the places of its neighbours. */
const SWEEPS = 6;

/**
 * @param {Flow} flow
 * @param {FlowEdge[]} edges the edges to place
 * @param {number} width in px
 * @returns {FlowLayout}
 */
export function layoutFlow(flow, edges, width) {
    const space = Math.max(SPACE_LEAST, width * SPACE);
    const nodeWidth = Math.min(NODE_WIDTH_MOST, Math.max(40, (width - 2 * space) / 3));
    const columns = sortedColumns(flow, edges);
    const places = placed(columns, [0, (width - nodeWidth) / 2, width - nodeWidth], linksOf(flow, edges));
    const height = Math.max(0, ...places.map(({ y }) => y + NODE_HEIGHT));

    return { places, lines: linesOf(flow, edges, places, nodeWidth), nodeWidth, height };
}

/** Returns the edges as pairs of places: an outer column, the caller's id, the object's id.
 *  @param {Flow} flow @param {FlowEdge[]} edges
 *  @returns {{column: 0|2, caller: number, object: number, edge: FlowEdge}[]} */
function linksOf(flow, edges) {
    return edges.map((edge) => ({ column: wayOf(flow, edge) === 'from' ? 2 : 0, caller: callerOf(flow, edge).id, object: objectOf(flow, edge).id, edge }));
}

/** Returns the ids of the nodes in each column, sorted so that few edges cross.
 *  @param {Flow} flow @param {FlowEdge[]} edges @returns {[number[], number[], number[]]} */
function sortedColumns(flow, edges) {
    const links = linksOf(flow, edges);
    /** @param {number} column */
    const callers = (column) => [...new Set(links.filter((link) => link.column === column).map(({ caller }) => caller))].sort((a, b) => a - b);
    /** @type {[number[], number[], number[]]} */
    const columns = [callers(0), [...new Set(links.map(({ object }) => object))].sort((a, b) => a - b), callers(2)];

    for (let sweep = 0; sweep < SWEEPS; sweep++) {
        const outer = [indexes(columns[0]), indexes(columns[2])];

        columns[1] = sortedByMean(columns[1], links, ({ object }) => object, ({ column, caller }) => outer[column / 2].get(caller));
        const middle = indexes(columns[1]);

        for (const column of /** @type {(0|2)[]} */ ([0, 2]))
            columns[column] = sortedByMean(columns[column], links.filter((link) => link.column === column), ({ caller }) => caller, ({ object }) => middle.get(object));
    }
    return columns;
}

/** Returns the place of each id in its column, relative to the column's middle.
 *  @param {number[]} ids */
function indexes(ids) {
    return new Map(ids.map((id, at) => [id, at - (ids.length - 1) / 2]));
}

/**
 * Sorts ids by the mean of the places of their neighbours. Ids with equal means keep their order.
 * @template L
 * @param {number[]} ids @param {L[]} links @param {(link: L) => number} idOf @param {(link: L) => number} placeOf
 */
function sortedByMean(ids, links, idOf, placeOf) {
    const sums = new Map(ids.map((id) => [id, { sum: 0, count: 0 }]));

    for (const link of links) {
        const of = sums.get(idOf(link));

        of.sum += placeOf(link);
        of.count++;
    }
    const means = new Map([...sums].map(([id, { sum, count }]) => [id, sum / count]));

    return [...ids].sort((a, b) => means.get(a) - means.get(b));
}

/**
 * Places the middle column from top to bottom, and each node of an outer column near its objects.
 * @param {[number[], number[], number[]]} columns @param {number[]} xs @param {ReturnType<typeof linksOf>} links
 * @returns {Place[]}
 */
function placed(columns, xs, links) {
    const step = NODE_HEIGHT + NODE_GAP;
    const rows = Math.max(...columns.map(({ length }) => length));
    const top = ((rows - columns[1].length) * step) / 2;
    const middle = new Map(columns[1].map((id, at) => [id, top + at * step]));
    /** @param {0|2} column */
    const outer = (column) => {
        const wished = columns[column].map((id) => {
            const ys = links.filter((link) => link.column === column && link.caller === id).map(({ object }) => middle.get(object));

            return ys.reduce((sum, y) => sum + y, 0) / ys.length;
        });
        const ys = spread(wished, step, rows * step - NODE_GAP - NODE_HEIGHT);

        return columns[column].map((id, at) => ({ id, column, x: xs[column], y: ys[at] }));
    };

    return [...outer(0), ...columns[1].map((id) => ({ id, column: /** @type {1} */ (1), x: xs[1], y: middle.get(id) })), ...outer(2)];
}

/** Returns places near the wished places, at least `step` apart, from 0 to `most`.
 *  @param {number[]} wished @param {number} step @param {number} most */
function spread(wished, step, most) {
    /** @type {number[]} */
    const ys = [];

    for (const [at, wish] of wished.entries())
        ys.push(Math.max(wish, at > 0 ? ys[at - 1] + step : 0));
    for (let at = ys.length - 1, limit = most; at >= 0; at--, limit = ys[at + 1] - step)
        ys[at] = Math.min(ys[at], limit);
    return ys;
}

/** Returns the ends of each edge. The ends at a side of a node are in the order of the nodes at the other ends.
 *  @param {Flow} flow @param {FlowEdge[]} edges @param {Place[]} places @param {number} nodeWidth @returns {Line[]} */
function linesOf(flow, edges, places, nodeWidth) {
    const at = new Map(places.map((place) => [`${place.column} ${place.id}`, place]));
    const ends = linksOf(flow, edges).map(({ column, caller, object, edge }) => {
        const left = at.get(column === 0 ? `0 ${caller}` : `1 ${object}`);
        const right = at.get(column === 0 ? `1 ${object}` : `2 ${caller}`);

        return { edge, left, right, x1: left.x + nodeWidth, y1: 0, x2: right.x, y2: 0 };
    });

    for (const place of places) {
        const outgoing = ends.filter(({ left }) => left === place).sort((a, b) => a.right.y - b.right.y);
        const incoming = ends.filter(({ right }) => right === place).sort((a, b) => a.left.y - b.left.y);

        outgoing.forEach((end, i) => (end.y1 = place.y + ((i + 1) * NODE_HEIGHT) / (outgoing.length + 1)));
        incoming.forEach((end, i) => (end.y2 = place.y + ((i + 1) * NODE_HEIGHT) / (incoming.length + 1)));
    }
    return ends.map(({ edge, x1, y1, x2, y2 }) => ({ edge, x1, y1, x2, y2 }));
}
