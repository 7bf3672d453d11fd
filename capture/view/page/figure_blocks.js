// SPDX-License-Identifier: MIT
/* Parts of a report as elements: bars of shares, distributions of times, links to worst cases. Used by the summary and the
 * range panel. */
import { element } from './dom.js';
import { counts, measureText, network, reportNotes, shares, spans, stackText, stacks, subjectName, waits, worstCases } from './report_model.js';
import { rowNames, threadPlaces } from './rows_layout.js';
import { THREAD_COLOURS } from './colours.js';
import { SHARE_STATES, coreShares, stateShares } from './range_shares.js';
import { formatNumber, formatShare, formatSpan } from './units.js';

/**
 * @typedef {import('./decoder.js').Trace} Trace
 * @typedef {import('./report_model.js').Report} Report
 * @typedef {import('./report_model.js').Figure} Figure
 * @typedef {import('./report_model.js').Share} Share
 */

/** @typedef {(figure: Figure|undefined, says?: boolean) => HTMLElement|null} Ask makes a button that explains a figure, or null (why/ask.js) */

/** Maximum number of rows of a block before a button shows the rest. */
const ROWS_FIRST = 8;

/** A stack of which more than this part was used, in percent, is marked. */
const STACK_MUCH = 90;

/** @param {string} title @param {string} hint @param {...(HTMLElement|null)} children */
function block(title, hint, ...children) {
    return element('section', { class: 'block' }, element('h3', { title: hint || null }, title), ...children);
}

/** Shows rows: the first few are visible, a button shows the others.
 *  @param {HTMLElement[]} rows */
function moreRows(rows) {
    if (rows.length <= ROWS_FIRST + 1)
        return rows;
    const rest = element('details', {}, element('summary', {}, `${rows.length - ROWS_FIRST} more`), ...rows.slice(ROWS_FIRST));

    return [...rows.slice(0, ROWS_FIRST), rest];
}

/** Makes a bar of length `part`, 0 to 1.
 *  @param {number} part @param {string} colour */
function bar(part, colour) {
    const inner = element('i');

    inner.style.width = `${Math.min(Math.max(part, 0), 1) * 100}%`;
    inner.style.background = colour;
    return element('span', { class: 'bar', 'aria-hidden': 'true' }, inner);
}

/** Shows warnings about hidden or doubtful data; they come first.
 *  @returns {HTMLElement|null}
 *  @param {Report} report @param {number} hz @param {string[]} [more] */
export function notesBlock(report, hz, more = []) {
    const notes = [...reportNotes(report, hz), ...more];

    return notes.length ? element('ul', { class: 'notes', role: 'note' }, ...notes.map((note) => element('li', {}, note))) : null;
}

/** Returns a thread's colour as a variable of the style sheet.
 *  @param {number|undefined} place of threadPlaces(); undefined: not in the timeline */
function threadFill(place) {
    return place === undefined ? 'var(--state-running)' : `var(--thread-${place % THREAD_COLOURS.light.length})`;
}

/** Returns the colour of each thread. Key: the thread's address, in the form that figures use.
 *  @param {import('./decoder.js').TraceRow[]} rows @returns {Map<string, string>} */
export function fillsOf(rows) {
    const places = threadPlaces(rows);

    return new Map(rows.filter(({ kind }) => kind === 'thread')
        .map(({ row, address }) => [`0x${address.toString(16).padStart(8, '0')}`, threadFill(places[row])]));
}

const SHARE_COLOURS = { thread: 'var(--state-running)', isr: 'var(--state-interrupt)', init: 'var(--state-init)', idle: 'var(--state-idle)' };

const STATE_FILL = { running: 'var(--state-running)', interrupted: 'var(--state-interrupted)', ready: 'var(--state-ready)',
    blocked: 'color-mix(in srgb, var(--state-waits) 40%, transparent)', init: 'var(--state-init)', unknown: 'transparent' };

/**
 * Shows the processor's time and the states of each thread in a part of the time, computed as in the timeline. A share whose
 * time is partly unknown has its bounds.
 * @param {Trace} trace @param {number} from @param {number} to
 */
export function statesBlock(trace, from, to) {
    const names = rowNames(trace.rows());
    const threads = stateShares(trace, from, to);
    const { cores, unknown, ...others } = coreShares(trace, from, to);
    const places = threadPlaces(trace.rows());
    const rows = threads.map(({ row, parts }) => {
        const shown = element('span', { class: 'stacked', 'aria-hidden': 'true' },
            ...[...parts].map(([state, share]) => stackedPart(share, state === 'running' ? threadFill(places[row.row]) : STATE_FILL[state], '')));
        const words = SHARE_STATES.filter((state) => state !== 'running' && parts.has(state))
            .map((state) => `${state} ${formatShare(parts.get(state))}`).join(' · ');

        return shareRow(names[trace.rows().indexOf(row)], parts.get('running') ?? 0, parts.get('unknown') ?? 0, shown, words);
    });
    const rest = CORE_ROWS.filter(([name]) => others[name] > 0 || name !== 'init')
        .map(([name, text, fill]) => shareRow(text, others[name], unknown, element('span', { class: 'stacked', 'aria-hidden': 'true' },
            stackedPart(others[name] / cores, fill, '')), ''));
    const all = element('div', { class: 'stacked', 'aria-hidden': 'true' },
        ...threads.map(({ row, parts }) => stackedPart((parts.get('running') ?? 0) / cores, threadFill(places[row.row]), names[trace.rows().indexOf(row)])),
        ...CORE_ROWS.map(([name, text, fill]) => stackedPart(others[name] / cores, fill, text)));

    return rows.length ? block('CPU', `Shares of the selected time${cores > 1 ? `, of ${cores} cores, 100 % each` : ''}`, all, ...moreRows(rows), ...rest)
        : null;
}

/** @type {[name: 'isr'|'init'|'idle', text: string, colour: string][]} */
const CORE_ROWS = [['isr', 'interrupts', SHARE_COLOURS.isr], ['init', 'initialization', SHARE_COLOURS.init], ['idle', 'idle', SHARE_COLOURS.idle]];

/** @param {number} share 0 to 1 @param {string} colour @param {string} title */
function stackedPart(share, colour, title) {
    const part = element('i', { title: title || null });

    part.style.width = `${share * 100}%`;
    part.style.background = colour;
    return part;
}

/** Shows a share. If there is no room beside it, its bounds are below it.
 *  @param {string} text "0.18 % (0.17 to 0.18)" */
function shareValue(text) {
    const [value, bounds] = text.split(/ (?=\()/);

    return element('span', { class: 'value' }, value, ...bounds ? [' ', element('span', {}, bounds)] : []);
}

/** Shows a share of the selected time, at least `share` and at most `share` + `unknown`.
 *  @param {string} name @param {number} share @param {number} unknown @param {HTMLElement} shown @param {string} words */
function shareRow(name, share, unknown, shown, words) {
    const measure = { value: share * 100, lower: share * 100, upper: (share + unknown) * 100 };
    const text = measureText({ unit: 'percent', stats: { value: measure } }, 'value', 0);

    return element('div', { class: `figure states ${name === 'idle' ? 'idle' : ''}`, title: words || null },
        element('span', { class: 'name', title: name }, name), shown, shareValue(text),
        words ? element('span', { class: 'detail quiet' }, words) : null);
}

/** Lists the contexts that had the processor. Threads have the colours of the timeline.
 *  @param {Report} report @param {number} hz @param {import('./decoder.js').TraceRow[]} threads the rows of the timeline */
export function sharesBlock(report, hz, threads) {
    const list = shares(report);
    const fills = fillsOf(threads);
    /** @param {Share} share */
    const fillOf = ({ kind, figure }) => (kind === 'thread' ? fills.get(figure.subject?.address ?? '') : undefined) ?? SHARE_COLOURS[kind];
    const busy = list.filter((share) => share.kind !== 'idle');
    const most = Math.max(...busy.map((share) => share.value), 1e-9);
    /** @param {Share} share */
    const row = (share) => element('div', { class: `figure share ${share.kind}` },
        element('span', { class: 'name', title: share.name }, share.name),
        bar(share.kind === 'idle' ? 0 : share.value / most, fillOf(share)),
        shareValue(measureText(share.figure, 'value', hz)));
    /** @param {boolean} isThread */
    const rows = (isThread) => list.filter((share) => (share.kind === 'thread') === isThread).map(row);
    const cores = report.cores > 1 ? `, of ${report.cores} cores, 100 % each` : '';

    return list.length ? block('CPU', `Shares of the observed time${cores}`, stackedShares(list, fillOf),
        ...moreRows(rows(true)), ...rows(false)) : null;
}

/** Shows all shares in one bar; its full width is the whole time.
 *  @param {Share[]} list @param {(share: Share) => string} fillOf */
function stackedShares(list, fillOf) {
    const all = Math.max(list.reduce((sum, share) => sum + share.value, 0), 100);

    return element('div', { class: 'stacked', 'aria-hidden': 'true' }, ...list.filter((share) => share.value > 0)
        .map((share) => stackedPart(share.value / all, fillOf(share), share.name)));
}

/**
 * Shows durations for each thread: a distribution and figures.
 * @param {(event: number) => void} go shows an event, by its number
 * @param {string} title @param {string} hint @param {Report} report @param {string} section @param {string} name
 * @param {number} hz @param {Ask} ask
 */
export function spansBlock(title, hint, report, section, name, hz, go, ask) {
    const rows = spans(report, section, name).map((figure) => spanRow(figure, hz, go, ask));

    return rows.length ? block(title, hint, ...moreRows(rows)) : null;
}

/** @param {Figure} figure @param {number} hz @param {(event: number) => void} go @param {Ask} ask */
function spanRow(figure, hz, go, ask) {
    const n = figure.stats.n?.value ?? 0;
    const numbers = ['p50', 'p99'].filter((stat) => figure.stats[stat])
        .map((stat) => `${stat === 'p50' ? 'median' : stat} ${measureText(figure, stat, hz)}`);

    return element('div', { class: 'figure span' },
        element('span', { class: 'name', title: subjectName(figure.subject) }, subjectName(figure.subject)),
        figure.bars?.length > 1 ? histogram(figure, hz) : strip(figure, hz),
        eventLink(measureText(figure, 'max', hz), figure.max_at?.event, go, 'the longest'),
        element('span', { class: 'detail quiet' }, [`${measureText(figure, 'n', hz)} ${n === 1 ? 'time' : 'times'}`, ...numbers].join(' · ')), ask(figure));
}

/** Draws the bars of a distribution, each [from, to, count]. The height is the square root of the count, so that a
 * single long sample is visible.
 *  @param {Figure} figure @param {number} hz */
function histogram(figure, hz) {
    const most = Math.max(...figure.bars.map(([, , count]) => count));
    const columns = figure.bars.map(([from, to, count]) => {
        const column = element('i', { title: `${formatSpan(from, hz)} to ${formatSpan(to, hz)}: ${formatNumber(count)}` });

        column.style.height = count ? `${Math.max(8, Math.sqrt(count / most) * 100)}%` : '0';
        return column;
    });

    return element('span', { class: 'histogram', role: 'img', 'aria-label': histogramText(figure, hz) }, ...columns);
}

/** @param {Figure} figure @param {number} hz */
function histogramText(figure, hz) {
    const [from, to, count] = figure.bars.reduce((a, b) => (b[2] > a[2] ? b : a));

    return `${formatNumber(count)} of ${measureText(figure, 'n', hz)} from ${formatSpan(from, hz)} to ${formatSpan(to, hz)}`;
}

/** Draws a distribution from its percentiles alone: a line from minimum to maximum, and a box for most samples.
 *  The scale is logarithmic.
 *  @param {Figure} figure @param {number} hz */
function strip(figure, hz) {
    /** @param {string} stat */
    const at = (stat) => Math.log10(Math.max(figure.stats[stat]?.value ?? 0, 1));
    const least = at('min');
    const width = Math.max(at('max') - least, 1e-9);
    /** @param {string} stat */
    const place = (stat) => (at(stat) - least) / width * 100;
    const whole = element('span', { class: 'strip', 'aria-hidden': 'true', title: figure.stats.min ? `${measureText(figure, 'min', hz)} to ${measureText(figure, 'max', hz)}, logarithmic scale` : null });

    if (!figure.stats.p95)
        return whole;
    const most = element('i', { class: 'most' });
    const middle = element('i', { class: 'middle' });

    most.style.width = `${place('p95')}%`;
    middle.style.left = `${place('p50')}%`;
    whole.append(most, middle);
    return whole;
}

/** Makes a figure as a link to the event with which it ended.
 *  @param {string} text @param {number|undefined} event @param {(event: number) => void} go @param {string} what */
function eventLink(text, event, go, what) {
    if (event === undefined)
        return element('span', { class: 'value' }, text);
    const button = element('button', { type: 'button', class: 'value link', title: `Shows ${what}, event #${event}` }, text);

    button.addEventListener('click', () => go(event));
    return button;
}

/** Lists the findings, each with a link to its event.
 *  @param {Report} report @param {(event: number) => void} go */
export function findingsBlock(report, go) {
    const rows = (report.findings ?? []).map((finding) => element('div', { class: 'figure finding' },
        eventLink(finding.text, finding.at?.event, go, 'it')));

    return rows.length ? block('Findings', 'What deserves attention, the most severe first', ...moreRows(rows)) : null;
}

/** Lists the worst case of each kind, as links, with the cause of the longest response.
 *  @param {Report} report @param {number} hz @param {(event: number) => void} go @param {Ask} ask */
export function worstBlock(report, hz, go, ask) {
    const rows = worstCases(report, hz).map((worst) => element('div', { class: 'figure worst' },
        element('span', { class: 'name', title: worst.text }, worst.text), eventLink(worst.amount, worst.event, go, 'it'), ask(worst.figure, true)));

    return rows.length ? block('Worst cases', 'Each links to the event with which it ended', ...rows) : null;
}

/** Lists the objects that threads waited for.
 *  @param {Report} report @param {number} hz @param {(event: number) => void} go @param {Ask} ask */
export function waitsBlock(report, hz, go, ask) {
    const list = waits(report);
    const rows = list.map(({ name, what, figure }) => element('div', { class: 'figure wait' },
        element('span', { class: 'name', title: `${name}: ${what}` }, name, element('span', { class: 'quiet' }, ` ${what}`)),
        eventLink(measureText(figure, figure.stats.max ? 'max' : 'value', hz), figure.max_at?.event, go, 'the longest wait'),
        element('span', { class: 'detail quiet' }, waitDetail(figure, hz)), ask(figure)));

    return rows.length ? block('Waits', 'Objects that threads waited for, with the longest wait for each', ...moreRows(rows)) : null;
}

/** @param {Figure} figure @param {number} hz */
function waitDetail(figure, hz) {
    const n = figure.stats.n?.value ?? 0;
    const sum = figure.stats.sum ? ` · total ${measureText(figure, 'sum', hz)}` : '';

    return `${measureText(figure, 'n', hz)} ${n === 1 ? 'time' : 'times'}${sum}`;
}

/** Shows the use of each stack at the times when its thread recorded an event.
 *  @param {Report} report @param {(event: number) => void} go */
export function stacksBlock(report, go) {
    const rows = stacks(report).map((stack) => {
        const full = stack.used.value > STACK_MUCH;

        return element('div', { class: `figure stack${full ? ' full' : ''}` },
            element('span', { class: 'name', title: stack.name }, stack.name),
            bar(stack.used.value / 100, full ? 'var(--warn)' : 'var(--accent)'),
            eventLink(stackText(stack), stack.event, go, 'the fullest moment'));
    });

    const origin = stacks(report).some((stack) => stack.ofKernel)
        ? 'Deepest use, by the kernel where the recording has it; otherwise at the events of the thread'
        : 'Maximum use at the events of the thread; between events it may have been higher';

    return rows.length ? block('Stacks', origin, ...moreRows(rows)) : null;
}

/** Counts that are not 0.
 *  @param {Report} report @param {number} hz */
export function countsBlock(report, hz) {
    const rows = counts(report).map(({ text, figure }) => element('div', { class: 'figure worst' },
        element('span', { class: 'name' }, text), element('span', { class: 'value' }, measureText(figure, 'value', hz))));

    return rows.length ? block('Counts', '', ...rows) : null;
}

/** Counts of FileX, NetX and USBX.
 *  @param {Report} report @param {number} hz */
export function networkBlock(report, hz) {
    const rows = network(report).map(({ name, figure }) => element('div', { class: 'figure worst' },
        element('span', { class: 'name', title: name }, name), element('span', { class: 'value' }, measureText(figure, 'value', hz))));

    return rows.length ? block('Files, network, USB', 'FileX, NetX and USBX as a whole', ...moreRows(rows)) : null;
}
