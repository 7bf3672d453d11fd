// SPDX-License-Identifier: MIT
/*
 * The flow of a trace: the object that `txtap report --flow -f json` prints. Names, texts and searches of its nodes and edges.
 * Pure: uses no elements and no trace.
 */
import { NUMBER_UNKNOWN } from '../abi.js';
import { measureText, subjectName } from '../report_model.js';
import { formatNumber, formatSpan } from '../units.js';

/**
 * @typedef {import('../report_model.js').Measure} Measure
 * @typedef {import('../report_model.js').Subject} Subject
 * @typedef {{id: number, subject: Subject, depth?: Measure, depth_mean?: Measure, capacity?: Measure, full?: Measure,
 *     count?: Measure, available?: Measure, pool_size?: Measure}} FlowNode
 * @typedef {{from: number, to: number, action: string, calls: Measure, rate?: Measure, blocked?: Measure, failed?: Measure,
 *     timeouts?: Measure}} FlowEdge from, to: ids of nodes; a missing number is unknown
 * @typedef {{tick_hz: number|null, events: number, gaps: number, left_out: number, edges_left_out: number, nodes: FlowNode[], edges: FlowEdge[]} &
 *     Omit<import('./../report_model.js').Report, 'figures'>} Flow edges: the most frequent first
 */

/** Kinds of subjects that call services. All others are objects. */
const CALLERS = ['thread', 'interrupt', 'init', 'unknown'];

/** @param {FlowNode} node */
export function isCaller(node) {
    return CALLERS.includes(node.subject.kind);
}

/** Returns the direction of an edge: 'to' its object, 'from' its object, or 'both' for a mutex.
 *  @param {Flow} flow @param {FlowEdge} edge @returns {'to'|'from'|'both'} */
export function wayOf(flow, edge) {
    if (edge.action === 'own')
        return 'both';
    return isCaller(flow.nodes[edge.from]) ? 'to' : 'from';
}

/** @param {Flow} flow @param {FlowEdge} edge */
export function callerOf(flow, edge) {
    return flow.nodes[isCaller(flow.nodes[edge.from]) ? edge.from : edge.to];
}

/** @param {Flow} flow @param {FlowEdge} edge */
export function objectOf(flow, edge) {
    return flow.nodes[isCaller(flow.nodes[edge.from]) ? edge.to : edge.from];
}

/** Returns the name of a node without its kind, as rows have it: "samples", "ISR 22", "0x20001000".
 *  @param {FlowNode} node */
export function nodeName(node) {
    const { subject } = node;

    if (subject.kind === 'init')
        return 'initialization';
    if (subject.kind === 'interrupt' && !subject.name)
        return subject.number === undefined || subject.number === NUMBER_UNKNOWN ? 'interrupts' : `ISR ${subject.number}`;
    return !subject.name && subject.address ? subject.address : subjectName(subject);
}

/** Returns a number with its certainty; '–': unknown.
 *  @param {Measure|undefined} measure @param {string} [unit] @param {number} [hz] */
export function numberText(measure, unit = 'count', hz = 0) {
    return measureText({ unit, stats: measure ? { value: measure } : {} }, 'value', hz);
}

/** Returns the kind of a node and how full it was, in a few characters: "queue 3 of 8", "0 of 3 free".
 *  @param {FlowNode} node */
export function kindText(node) {
    const { subject, depth, capacity, count, available, pool_size: size } = node;
    const kind = subject.kind.replace('_', ' ');

    if (depth)
        return `${kind} ${numberText(depth)}${capacity ? ` of ${numberText(capacity)}` : ''}`;
    if (count)
        return `${kind} ${numberText(count)}`;
    return available ? `${numberText(available)}${size ? ` of ${numberText(size)}` : ''} free` : kind;
}

/** Returns how full a queue or a pool was at most, 0 to 1; undefined: unknown.
 *  @param {FlowNode} node */
export function fullness({ depth, capacity, available, pool_size: size }) {
    if (depth && capacity?.value)
        return depth.value / capacity.value;
    return available && size?.value ? 1 - available.value / size.value : undefined;
}

/** Returns facts about how full an object was, one line each.
 *  @param {FlowNode} node @param {number} hz */
export function levelLines(node, hz) {
    const of = node.capacity ? ` of ${numberText(node.capacity)}` : '';

    return [
        node.depth && `at most ${numberText(node.depth)}${of} messages`,
        node.depth_mean && `${numberText(node.depth_mean)} messages on average`,
        node.full?.value && `full for ${formatSpan(node.full.value, hz)}`,
        node.count && `count at most ${numberText(node.count)}`,
        node.available && `at least ${numberText({ ...node.available, lower: node.available.value, upper: node.available.value })}${node.pool_size ? ` of ${numberText(node.pool_size)}` : ''} free`,
    ].filter(Boolean).map(String);
}

/** Returns "sampler send samples", in the direction of the data.
 *  @param {Flow} flow @param {FlowEdge} edge */
export function edgeText(flow, edge) {
    return `${nodeName(flow.nodes[edge.from])} ${edge.action} ${nodeName(flow.nodes[edge.to])}`;
}

/** Returns the numbers of an edge in words, one line each.
 *  @param {FlowEdge} edge @param {number|null} hz */
export function edgeLines(edge, hz) {
    /** @param {Measure|undefined} measure @param {string} text */
    const line = (measure, text) => (measure && !measure.value && measure.upper === 0 ? '' : `${numberText(measure)} ${text}`);

    return [
        `${numberText(edge.calls)} ${edge.calls.value === 1 ? 'call' : 'calls'}${hz && edge.rate ? `, ${rateText(edge)} a second` : ''}`,
        line(edge.blocked, 'waited'), line(edge.failed, 'did not wait, and got nothing'), line(edge.timeouts, 'timed out'),
    ].filter(Boolean);
}

/** @param {FlowEdge} edge */
export function rateText(edge) {
    return edge.rate ? numberText({ ...edge.rate, upper: edge.calls.upper === null ? null : edge.rate.value }) : '–';
}

/** Reports whether calls of the edge got nothing.
 *  @param {FlowEdge} edge */
export function hasFailures(edge) {
    return (edge.failed?.value ?? 0) + (edge.timeouts?.value ?? 0) > 0;
}

// ---- searches ----

/** Patterns of the names of ThreadX's events, by the kind of object and the action. */
const EVENT_PATTERNS = {
    'queue send': 'tx_queue_*send', 'queue receive': 'tx_queue_receive', 'queue flush': 'tx_queue_flush',
    'semaphore put': 'tx_semaphore_*put', 'semaphore get': 'tx_semaphore_get',
    'event flags set': 'tx_event_flags_set', 'event flags get': 'tx_event_flags_get', 'mutex own': 'tx_mutex_get',
    'block pool allocate': 'tx_block_allocate', 'block pool release': 'tx_block_release',
    'byte pool allocate': 'tx_byte_allocate', 'byte pool release': 'tx_byte_release',
};

/** Returns a pattern that matches a whole name. Characters with a meaning in a search match any character.
 *  @param {string} name */
function exactly(name) {
    const pattern = [...name].map((character, at) => (/[\w -]/.test(character) ? (at === 0 ? `\\${character}` : character) : '?'.repeat(character.length))).join('');

    return pattern.includes(' ') ? `"${pattern}"` : pattern;
}

/** Returns the search for the events of an edge, as the user may type it.
 *  @param {Flow} flow @param {FlowEdge} edge */
export function edgeQuery(flow, edge) {
    const caller = callerOf(flow, edge).subject;
    const object = objectOf(flow, edge).subject;
    const event = EVENT_PATTERNS[/** @type {keyof typeof EVENT_PATTERNS} */ (`${object.kind.replace('_', ' ')} ${edge.action}`)];
    const by = { interrupt: 'isr', init: 'init', unknown: '' }[caller.kind] ?? exactly(caller.name || caller.address);

    return [event && `event:${event}`, by && `by:${by}`, `object:${exactly(object.name || object.address)}`].filter(Boolean).join(' ');
}

/** Returns the words beside the filter.
 *  @param {Flow} flow @param {number} shown number of shown edges */
export function filterText(flow, shown) {
    const all = flow.edges.length;
    const last = flow.edges[shown - 1];

    if (shown >= all)
        return `all ${formatNumber(all)} rows`;
    return `${formatNumber(shown)} of ${formatNumber(all)} rows, ${flow.tick_hz ? `≥ ${rateText(last)} a second` : `≥ ${numberText(last.calls)} calls`}`;
}
