// SPDX-License-Identifier: MIT
/*
 * A report (the object that `txtap report -f json` prints) as lists to show: CPU shares, durations, worst cases, stacks, and
 * the limits of the report. Pure: uses no elements and no trace.
 */
import { NUMBER_UNKNOWN } from './abi.js';
import { plainText } from './plain_text.js';
import { formatMoment, formatNumber, formatShare, formatSpan } from './units.js';

/**
 * @typedef {{value: number, lower: number|null, upper: number|null}} Measure upper null: no upper limit
 * @typedef {{kind: string, name?: string, address?: string, number?: number, life?: number}} Subject
 * @typedef {{event: number, ticks: number}} FigurePlace
 * @typedef {{section: string, name: string, subject: Subject, other?: Subject, detail?: string, unit: string,
 *     stats: Object<string, Measure>, max_at?: FigurePlace, min_at?: FigurePlace, bars?: [number, number, number][],
 *     censored: number}} Figure bars: from, to, count
 * @typedef {{events: number, cores: number, window_ticks: number, observed_ticks: number, uncertain_ticks: number,
 *     gaps: number, lost: number, lost_exact: boolean, resets: number, left_out: number, not_recorded?: string,
 *     figures: Figure[], findings?: Finding[], findings_left_out?: number, jobs?: import('./why/question.js').LongestJob[]}} Report
 * @typedef {{kind: string, text: string, at?: FigurePlace}} Finding text: a sentence
 */

/** Returns the figures called `name`, in the report's order.
 *  @param {Report} report @param {string} section @param {string} name @returns {Figure[]} */
export function figuresOf(report, section, name) {
    return report.figures.filter((figure) => figure.section === section && figure.name === name);
}

/** Returns the first figure called `name`.
 *  @param {Report} report @param {string} section @param {string} name @returns {Figure|undefined} */
export function figureOf(report, section, name) {
    return report.figures.find((figure) => figure.section === section && figure.name === name);
}

/** Returns the name of the subject of a figure, or else its kind with its address or number.
 *  @param {Subject} subject */
export function subjectName(subject) {
    if (subject.name)
        return plainText(subject.name) + (subject.kind === 'interrupt' ? ` (${subject.number})` : '');
    if (subject.kind === 'interrupt')
        return subject.number === undefined || subject.number === NUMBER_UNKNOWN ? 'interrupts' : `interrupt ${subject.number}`;
    if (subject.address)
        return `${subject.kind} ${plainText(subject.address)}`;
    return subject.number === undefined ? subject.kind : `${subject.kind} ${subject.number}`;
}

/** Returns a key of a subject that does not depend on its name. life: distinguishes threads that were created at the
 *  same address.
 *  @param {Subject} subject */
export function subjectKey(subject) {
    return `${subject.kind} ${subject.address ?? subject.number ?? subject.name ?? ''} ${subject.life ?? ''}`;
}

/** Returns a number of a figure as text with its certainty: ">=" at least, "<=" at most, "~" approximate. A share has
 *  its bounds instead.
 *  @param {Pick<Figure, 'unit'|'stats'|'max_at'>} figure @param {string} stat @param {number} hz */
export function measureText(figure, stat, hz) {
    const of = figure.stats[stat];

    if (!of)
        return figure.unit === 'percent' ? 'not recorded' : '–';
    const upper = of.upper ?? Infinity;
    const lower = of.lower ?? -Infinity;
    if (figure.unit === 'percent' && !figure.max_at && Number.isFinite(upper) && (lower < of.value || upper > of.value))
        return `${quantityText(of.value, 'percent', hz)} (${bound(lower, Math.floor)} to ${bound(upper, Math.ceil)})`;
    const more = upper > of.value && lower >= of.value;
    const sign = more ? '≥ ' : lower >= of.value ? '' : upper > of.value ? '~ ' : stat === 'min' ? '≤ ' : '';

    return sign + quantityText(more ? lower : of.value, stat === 'n' ? 'count' : figure.unit, hz);
}

/** Rounds a limit of a share away from the share, so that the limit stays true. txtap report rounds in the same way.
 *  @param {number} percent @param {(value: number) => number} round */
function bound(percent, round) {
    return formatNumber(round(percent * 100) / 100, 2);
}

/** @param {string} unit a figure's
 *  @param {number} value @param {number} hz */
export function quantityText(value, unit, hz) {
    if (!Number.isFinite(value))
        return '–';
    if (unit === 'ticks')
        return formatSpan(Number.isInteger(value) || hz ? value : Math.round(value * 100) / 100, hz);
    if (unit === 'percent')
        return `${formatNumber(value, 2)} %`;
    return formatNumber(value, Number.isInteger(value) ? 0 : 2) + (unit === 'bytes' ? ' bytes' : '');
}

/** Returns warnings about hidden data, one line each, the most serious first. Empty: nothing is hidden.
 *  @param {Report} report @param {number} hz */
export function reportNotes(report, hz) {
    const notes = [];

    if (report.gaps)
        notes.push(lossNote(report));
    if (report.resets)
        notes.push(`The target was reset ${report.resets === 1 ? 'once' : `${report.resets} times`}.`);
    if (report.gaps && report.observed_ticks < report.window_ticks)
        notes.push(`Observed: ${formatSpan(report.observed_ticks, hz)} of ${formatSpan(report.window_ticks, hz)}.`);
    if (report.uncertain_ticks)
        notes.push(`For ${formatSpan(report.uncertain_ticks, hz)} it is unknown whether an interrupt ran: some interrupts do not record enter and exit.`);
    if (report.not_recorded)
        notes.push(`Not recorded: ${plainText(report.not_recorded)}.`);
    if (report.left_out)
        notes.push(`${formatNumber(report.left_out)} threads or objects did not fit: their figures are missing.`);
    return notes;
}

/** Returns '', or a warning that the timeline does not show everything.
 *  @param {import('./decoder.js').TraceState} state */
export function rowsNote(state) {
    return state.leftOut ? 'Some threads, interrupts or objects have no row: there are too many.' : '';
}

/** Returns '', or a warning that a range begins before the oldest event of the trace.
 *  @param {import('./decoder.js').TraceState} state
 *  @param {{from: number}} range */
export function droppedText(range, state) {
    return state.dropped && range.from < state.from
        ? `. Events before ${formatMoment(state.from, state.hz)} are no longer available: the figures cover only the rest` : '';
}

/** @param {Report} report */
function lossNote(report) {
    const gaps = report.gaps === 1 ? 'a gap' : `${formatNumber(report.gaps)} gaps`;
    const lost = report.lost === 1 ? '1 event' : `${formatNumber(report.lost)} events`;

    if (!report.lost && !report.lost_exact)
        return `Events were lost in ${gaps}, number unknown: figures are limits.`;
    if (!report.lost)
        return `The trace has ${gaps}: figures are limits.`;
    return `${report.lost_exact ? '' : 'At least '}${lost} lost in ${gaps}: figures are limits.`;
}

/**
 * Lists CPU shares, largest first: threads, then interrupts, initialization and idle.
 * @typedef {{key: string, name: string, kind: 'thread'|'isr'|'init'|'idle', figure: Figure, value: number}} Share value: percent
 *     of one core, 0 to 100
 * @returns {Share[]}
 * @param {Report} report
 */
export function shares(report) {
    const threads = figuresOf(report, 'cpu', 'cpu').map((figure) => share(figure, 'thread', subjectName(figure.subject)))
        .sort((a, b) => b.value - a.value);
    /** @type {[name: string, kind: Share['kind'], text: string][]} */
    const others = [['interrupts', 'isr', 'interrupts'], ['init', 'init', 'initialization'], ['idle', 'idle', 'idle']];
    const rest = others
        .map(([name, kind, text]) => ({ figure: figureOf(report, 'cpu', name), kind, text }))
        .filter(({ figure, kind }) => figure && (figure.stats.value?.value > 0 || kind !== 'init'))
        .map(({ figure, kind, text }) => share(figure, kind, text));

    return [...threads, ...rest];
}

/** @param {Figure} figure @param {Share['kind']} kind @param {string} name
 *  @returns {Share} */
function share(figure, kind, name) {
    return { key: subjectKey(figure.subject) + kind, name, kind, figure, value: figure.stats.value?.value ?? 0 };
}

/** Returns the distributions called `name`, sorted by maximum, longest first.
 *  @param {Report} report @param {string} section @param {string} name */
export function spans(report, section, name) {
    return figuresOf(report, section, name).filter((figure) => reachesFar(figure) > 0 || figure.stats.n?.value > 0)
        .sort((a, b) => reachesFar(b) - reachesFar(a));
}

/** Returns the part of the maximum that is certain.
 *  @param {Figure} figure */
export function reachesFar(figure) {
    const max = figure.stats.max ?? figure.stats.value;

    return max ? Math.max(max.value, max.lower ?? 0) : 0;
}

/** Figures that have a worst case to show, and its description.
 *  @type {[section: string, name: string, say: (who: string) => string][]} */
const WORST_KINDS = [
    ['wake', 'wake', (who) => `wake-up latency: ${who}`],
    ['jobs', 'response', (who) => `response time: ${who}`],
    ['jobs', 'run', (who) => `execution time: ${who}`],
    ['mutexes', 'wait', (who) => `wait for mutex ${who}`],
    ['mutexes', 'hold', (who) => `mutex held: ${who}`],
    ['inversion', 'inversion', () => 'priority inversion'],
    ['interrupts', 'isr', (who) => `interrupt time: ${who}`],
    ['queues', 'depth', (who) => `queue depth: ${who}`],
];

/** @returns {{text: string, amount: string, event: number, figure?: Figure}[]} the worst case of each kind; event: number of the event
 *  @param {Report} report @param {number} hz */
export function worstCases(report, hz) {
    const found = [];

    for (const [section, name, say] of WORST_KINDS) {
        const worst = worstOf(report, section, name);

        if (worst && worst.max_at)
            found.push({ text: say(subjectName(worst.subject)), amount: worstAmount(worst, hz), event: worst.max_at.event, figure: worst });
    }
    const [fullest] = stacks(report);

    if (fullest?.event !== undefined)
        found.push({ text: `stack use: ${fullest.name}`, amount: stackText(fullest), event: fullest.event });
    return found;
}

/** @param {Report} report @param {string} section @param {string} name */
function worstOf(report, section, name) {
    const candidates = figuresOf(report, section, name).filter((figure) => figure.max_at && reachesFar(figure) > 0);

    return candidates.reduce((a, b) => (a && reachesFar(a) >= reachesFar(b) ? a : b), null);
}

/** @param {Figure} figure @param {number} hz */
function worstAmount(figure, hz) {
    return measureText(figure, figure.stats.max ? 'max' : 'value', hz);
}

/**
 * Lists the stacks, the fullest first.
 * @typedef {{name: string, used: Measure, usedBytes: Measure|undefined, size: number, event: number|undefined, ofKernel: boolean}} StackUse
 *     used: in percent; size: in bytes; 0 and undefined: not known; ofKernel: the kernel tells it, not the events
 * @returns {StackUse[]}
 * @param {Report} report
 */
export function stacks(report) {
    const bytes = new Map(figuresOf(report, 'stack', 'stack_bytes').map((figure) => [subjectKey(figure.subject), figure]));
    const sizes = new Map(figuresOf(report, 'stack', 'stack_size').map((figure) => [subjectKey(figure.subject), figure]));

    return figuresOf(report, 'stack', 'stack').filter((figure) => figure.stats.value).map((figure) => {
        const key = subjectKey(figure.subject);
        const size = sizes.get(key)?.stats.value?.value ?? 0;
        const free = bytes.get(key)?.stats.value;

        return {
            name: subjectName(figure.subject),
            used: taken(figure.stats.value, 100),
            usedBytes: size && free ? taken(free, size) : undefined,
            size,
            event: figure.max_at?.event,
            ofKernel: figure.detail === 'kernel',
        };
    }).sort((a, b) => b.used.value - a.used.value);
}

/** Returns the rest of `all`, with its bounds.
 *  @param {Measure} free @param {number} all @returns {Measure} */
function taken({ value, lower, upper }, all) {
    return { value: all - value, lower: all - Math.min(upper ?? all, all), upper: all - Math.max(lower ?? 0, 0) };
}

/** Returns "188 of 1 024 bytes (18 %)". If events were lost, more may have been used: "≥ 188". The kernel's value is
 *  "188 of 1 024 bytes (18 %), by the kernel".
 *  @param {StackUse} stack */
export function stackText({ used, usedBytes, size, ofKernel }) {
    const { value, upper } = usedBytes ?? used;
    const sign = upper > value ? '≥ ' : '';
    const percent = formatShare(used.value / 100);

    const origin = ofKernel ? ', by the kernel' : '';

    return usedBytes ? `${sign}${formatNumber(value)} of ${formatNumber(size)} bytes (${percent})${origin}` : `${sign}${percent}${origin}`;
}

/** Returns the objects that threads waited for, longest total wait first.
 *  @returns {{name: string, what: string, figure: Figure}[]}
 *  @param {Report} report */
export function waits(report) {
    return figuresOf(report, 'blocking', 'block').filter((figure) => reachesFar(figure) > 0).map((figure) => ({
        name: subjectName(figure.subject),
        what: waitName(figure),
        figure,
    })).sort((a, b) => waitedTicks(b.figure) - waitedTicks(a.figure));
}

/** @param {Figure} figure */
function waitedTicks(figure) {
    return figure.stats.sum?.value ?? reachesFar(figure);
}

/** @param {Figure} figure */
function waitName(figure) {
    const reason = plainText(figure.detail ?? '').replace(/_/g, ' ');
    const object = figure.other && figure.other.kind !== 'system' ? subjectName(figure.other) : '';

    return object && !object.startsWith(reason) ? `${reason} ${object}`.trim() : object || reason;
}

/** Counts of the whole system to show, as [text, figure]. */
const COUNTS = [
    ['switches', 'switches', 'context switches'],
    ['switches', 'preemptions', 'preemptions'],
    ['switches', 'time_slice_switches', 'switches by time slice'],
    ['interrupts', 'isr_entered', 'interrupts'],
    ['interrupts', 'isr_bursts', 'bursts of interrupts'],
    ['calls', 'failed', 'calls that failed'],
    ['inversion', 'inversions', 'priority inversions'],
    ['inversion', 'unbounded', 'of them unbounded'],
    ['deadlock', 'deadlock_for_ever', 'deadlocks'],
    ['pools', 'leak', 'pools that may leak'],
];

/** @returns {{text: string, figure: Figure}[]} the counts of the report that are not 0
 *  @param {Report} report */
export function counts(report) {
    return COUNTS.map(([section, name, text]) => ({ text, figure: figureOf(report, section, name) }))
        .filter(({ figure }) => figure && (figure.stats.value?.value > 0 || figure.stats.value?.lower > 0));
}

/** Returns the counts of FileX, NetX and USBX as a whole that are not 0.
 *  @returns {{name: string, figure: Figure}[]}
 *  @param {Report} report */
export function network(report) {
    return report.figures.filter((figure) => figure.section === 'network' && figure.subject.kind === 'system' && !figure.other &&
        figure.stats.value?.value > 0)
        .map((figure) => ({ name: plainText(figure.name).replace(/_/g, ' '), figure }));
}
