// SPDX-License-Identifier: MIT
/*
 * The panel of instances: the samples of a figure over time, for all subjects or for one, as a plot. A click goes to the event
 * with which an instance ended. A drag selects a range of time. The decoder makes the instances, as `txtap report --instances`
 * does, and the smallest and largest value of each column of pixels.
 */
import { coloursOf, systemTheme, watchTheme } from '../colours.js';
import { copyText, element, fill, setText } from '../dom.js';
import { errorText } from '../plain_text.js';
import { threadPlaces } from '../rows_layout.js';
import { formatBetween, formatMoment, formatNumber, formatSpan } from '../units.js';
import { drawLayers, gridValues, heightOf, MARGIN, valueAt } from './plot.js';
import { ALL_SERIES, instanceAt, instanceColumns, instanceNear, instancesCsv, makeInstances, nextInstance } from './trace_instances.js';

/**
 * @typedef {import('../view_state.js').ViewState} ViewState
 * @typedef {import('./trace_instances.js').SeriesList} SeriesList
 * @typedef {import('./trace_instances.js').Series} Series
 * @typedef {import('./trace_instances.js').Instance} Instance
 */

/** Figures that the user can choose. */
const FIGURES = [
    ['response', 'response time of jobs'], ['run', 'run time of jobs'], ['wake', 'wake-up latency'], ['ready', 'waits for a core'],
    ['block', 'waits, by thread'], ['waits', 'waits, by object'], ['hold', 'mutex held'], ['isr', 'interrupts'],
    ['period', 'period of jobs'], ['path', 'from interrupt to end of job'],
];

const PLOT_HEIGHT = 220;

/** Distance in CSS pixels within which an instance is under the pointer, and after which a press is a drag. */
const NEAR = 6;
const DRAG = 4;

/** Minimum time between two analyses of a growing trace: this many ms, and this multiple of the last analysis. */
const AGAIN_MS = 2000;
const AGAIN_TIMES = 20;

const SETTLED_MS = 60;

export class InstancesPanel {
    /** @param {ViewState} view @param {HTMLElement} panel */
    constructor(view, panel) {
        this.view = view;
        this.panel = panel;
        this.figure = 'response';
        /** Text of the chosen subject; '': all. It stays when the figure changes. */
        this.subject = '';
        this.whole = true;
        this.log = false;
        /** @type {SeriesList|null} */
        this.list = null;
        /** Identifies the instances in the decoder. */
        this.key = '';
        this.run = 0;
        this.computed = { at: -Infinity, ms: 0 };
        /** True while the decoder's instances are incomplete: the plot does not change. */
        this.busy = false;
        /** Number of the instance under the pointer, or chosen with keys; -1: none. */
        this.at = -1;
        /** @type {{x: number, from: number, moved: boolean}|null} */
        this.press = null;
        /** @type {number|null} ticks at which a range that is selected with keys begins */
        this.anchor = null;
        /** @type {ReturnType<typeof setTimeout>|undefined} */
        this.timer = undefined;
        this.frame = 0;
        this.build();
        view.on((changed) => this.changed(changed));
        watchTheme(() => this.draw());
        new ResizeObserver(() => this.draw()).observe(this.canvas);
        this.soon();
    }

    build() {
        this.figures = element('select', { 'aria-label': 'Figure', onchange: () => this.chooseFigure() },
            ...FIGURES.map(([name, text]) => element('option', { value: name }, `${name}: ${text}`)));
        this.subjects = element('select', { 'aria-label': 'Subject', onchange: () => this.chooseSubject() });
        this.wholeBox = element('input', { type: 'checkbox', onchange: () => this.setWhole(!this.wholeBox.checked) });
        this.logBox = element('input', { type: 'checkbox', onchange: () => this.setLog(this.logBox.checked) });
        this.about = element('p', { class: 'of' });
        this.canvas = element('canvas', { class: 'instances', tabindex: '0', role: 'application',
            'aria-label': 'Instances over time. Arrow keys: next instance. Enter: go to its event. Shift with an arrow key: select a range. l: the longest.' });
        this.readout = element('p', { class: 'quiet instance', role: 'status' });
        this.copyButton = element('button', { type: 'button', class: 'link', title: 'Copy the instances of the plot as CSV', onclick: () => this.copy() }, 'Copy CSV');
        this.canvas.style.height = `${PLOT_HEIGHT}px`;
        this.canvas.addEventListener('pointerdown', (event) => this.down(event));
        this.canvas.addEventListener('pointermove', (event) => this.move(event));
        this.canvas.addEventListener('pointerup', (event) => this.up(event));
        this.canvas.addEventListener('pointercancel', () => (this.press = null));
        this.canvas.addEventListener('pointerleave', () => this.press || !this.isReady() || this.point(-1));
        this.canvas.addEventListener('keydown', (event) => this.pressKey(event));
        this.hint = element('p', { class: 'hint', role: 'status' });
        this.tools = element('div', { class: 'instance_tools' }, this.figures, this.subjects,
            element('label', {}, this.wholeBox, ' visible part'), element('label', {}, this.logBox, ' logarithmic'), this.copyButton);
        this.forgetInstance();
        fill(this.panel, this.tools, this.about, this.canvas, this.readout, this.hint);
    }

    // ---- choices ----

    chooseFigure() {
        this.figure = this.figures.value;
        this.forgetInstance();
        this.update();
    }

    forgetInstance() {
        this.at = -1;
        this.anchor = null;
        setText(this.readout, this.describe(null));
    }

    chooseSubject() {
        this.subject = this.subjects.value;
        this.forgetInstance();
        this.show();
    }

    /** @param {boolean} on false: the plot has the visible part of the timeline */
    setWhole(on) {
        this.whole = on;
        this.show();
    }

    /** @param {boolean} on */
    setLog(on) {
        this.log = on;
        this.show();
    }

    /** Returns the number of the chosen series, or ALL_SERIES. */
    series() {
        const at = this.list?.series.findIndex((series) => textOf(series) === this.subject) ?? -1;

        return at < 0 ? ALL_SERIES : at;
    }

    // ---- changes ----

    /** @param {Set<string>} changed */
    changed(changed) {
        if (changed.has('trace')) {
            this.list = null;
            this.key = '';
            this.forgetInstance();
        }
        if (['trace', 'data', 'panel', 'hz'].some((name) => changed.has(name)))
            this.soon();
        if (['view', 'range', 'selected', 'byEvent'].some((name) => changed.has(name)))
            this.draw();
    }

    /** Reports whether the decoder has the instances of this.list. */
    isReady() {
        return this.list !== null && !this.busy && this.view.trace !== null;
    }

    isVisible() {
        return this.view.panel === 'instances' && !document.hidden;
    }

    soon() {
        if (!this.isVisible())
            return;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.update(), SETTLED_MS);
    }

    /** Makes the instances again, if the trace or the figure has changed. */
    async update() {
        const { trace } = this.view;
        const state = trace?.state();

        clearTimeout(this.timer);
        if (!this.isVisible())
            return;
        if (!state?.events) {
            this.list = null;
            this.show();
            return;
        }
        const key = [this.figure, state.first, state.events, state.rowsVersion, state.hz].join();
        const wait = this.computed.at + Math.max(AGAIN_MS, AGAIN_TIMES * this.computed.ms) - performance.now();

        if (key === this.key) {
            this.show();
            return;
        }
        if (wait > 0 && this.list?.figure === this.figure && !state.ended) {
            this.timer = setTimeout(() => this.update(), wait);
            return;
        }
        await this.make(trace, key, `Computing ${formatNumber(state.events)} events…`);
    }

    /** @param {import('../decoder.js').Trace} trace @param {string} key @param {string} text */
    async make(trace, key, text) {
        const run = ++this.run;
        const begin = performance.now();
        const event = this.isReady() ? this.instance(this.at)?.event : undefined;

        if (this.list?.figure !== this.figure)
            setText(this.hint, text);
        this.key = key;
        this.busy = true;
        try {
            const list = await makeInstances(trace, this.figure, () => this.run === run && this.isVisible() && this.view.trace === trace);

            if (this.run !== run)
                return;
            this.key = list ? key : '';
            if (!list)
                return;
            this.list = list;
            this.busy = false;
            if (this.instance(this.at)?.event !== event) // the trace dropped events, so the numbers are others
                this.point(-1);
            this.computed = { at: performance.now(), ms: performance.now() - begin };
            this.listSubjects();
            this.show();
            this.soon(); // the trace may have grown
        } catch (error) {
            this.list = null;
            this.show();
            setText(this.hint, `no instances: ${errorText(error)}`);
        }
    }

    listSubjects() {
        const names = [...this.list.series].sort((a, b) => b.max - a.max).map(textOf);
        const chosen = names.includes(this.subject) ? this.subject : '';

        fill(this.subjects, element('option', { value: '', selected: chosen === '' }, 'all'),
            ...names.map((name) => element('option', { value: name, selected: name === chosen }, name)));
        this.subjects.value = chosen;
    }

    // ---- the plot ----

    /** Returns the time at the plot's edges, in ticks. */
    span() {
        const { view } = this;
        const state = view.trace.state();

        if (this.whole)
            return { from: state.from, to: Math.max(state.to, state.from + 1) };
        return { from: view.ticksAt(view.from), to: Math.max(view.ticksAt(view.to), view.ticksAt(view.from) + 1) };
    }

    /** @returns {import('./plot.js').Scale} */
    scale() {
        const { from, to } = this.span();
        const chosen = this.series();
        const all = chosen === ALL_SERIES ? this.list.series : [this.list.series[chosen]];

        return { from, to, most: Math.max(1, ...all.map(({ max }) => max)), log: this.log };
    }

    show() {
        const series = this.list && (this.series() === ALL_SERIES ? this.list.series : [this.list.series[this.series()]]);
        const total = (series ?? []).reduce((sum, { n, sum: all, cut, max }) => ({ n: sum.n + n, all: sum.all + all, cut: sum.cut + cut, max: Math.max(sum.max, max) }),
            { n: 0, all: 0, cut: 0, max: 0 });

        this.canvas.hidden = this.readout.hidden = total.n === 0;
        setText(this.hint, total.n > 0 ? '' : this.list ? 'Nothing was measured.' : 'No events.');
        fill(this.about, total.n === 0 ? null : element('b', {}, formatNumber(total.n)), total.n === 0 ? null
            : ` instances, mean ${this.amount(total.all / total.n)}, max ${this.amount(total.max)}`,
        total.cut ? `; ${formatNumber(total.cut)} without start or end` : null,
        this.list?.failed ? '; there is no memory for the rest' : null);
        this.draw();
    }

    /** @param {number} value */
    amount(value) {
        return this.list?.unit === 'ticks' ? formatSpan(Number(value.toPrecision(4)), this.view.trace.state().hz) : formatNumber(value);
    }

    draw() {
        if (this.frame || !this.isReady() || !this.isVisible())
            return;
        this.frame = requestAnimationFrame(() => {
            this.frame = 0;
            if (this.isReady() && !this.canvas.hidden)
                this.paint();
        });
    }

    /** Draws now. */
    paint() {
        const { canvas } = this;
        const d = devicePixelRatio;
        const width = Math.round(canvas.clientWidth * d);
        const height = Math.round(canvas.clientHeight * d);
        const ctx = canvas.getContext('2d');
        const area = { left: Math.round(MARGIN.left * d), top: Math.round(MARGIN.top * d),
            width: width - Math.round((MARGIN.left + MARGIN.right) * d), height: height - Math.round((MARGIN.top + MARGIN.bottom) * d) };

        if (area.width < 8 || area.height < 8)
            return;
        if (canvas.width !== width || canvas.height !== height)
            Object.assign(canvas, { width, height });
        const scale = this.scale();
        const colours = coloursOf(systemTheme());

        ctx.fillStyle = colours.page;
        ctx.fillRect(0, 0, width, height);
        this.paintBehind(ctx, area, scale, colours, d);
        ctx.save();
        ctx.beginPath();
        ctx.rect(area.left - 2 * d, 0, area.width + 4 * d, area.top + area.height + 2 * d);
        ctx.clip();
        for (const { colour, series } of this.layers(colours)) {
            const columns = instanceColumns(this.view.trace, series, scale.from, scale.to, area.width);

            if (columns)
                drawLayers(ctx, area, scale, [{ colour, columns }], Math.round(4 * d));
        }
        this.paintChosen(ctx, colours, d);
        ctx.restore();
    }

    /** Returns the series to draw, each with its colour: threads have the colours of the timeline.
     *  @param {ReturnType<typeof coloursOf>} colours */
    layers(colours) {
        const rows = this.view.trace.rows();
        const places = threadPlaces(rows);
        const chosen = this.series();
        /** @param {Series} series @param {number} number */
        const colourOf = (series, number) => {
            const row = series.kind === 'thread' ? rows.find(({ kind, address }) => kind === 'thread' && address === series.number) : undefined;

            return colours.threads[(row ? places[row.row] : number) % colours.threads.length];
        };

        return this.list.series.map((series, number) => ({ series: number, colour: colourOf(series, number) }))
            .filter(({ series }) => chosen === ALL_SERIES || series === chosen);
    }

    /** Draws the selected range, lines with numbers, and the selected event.
     *  @param {CanvasRenderingContext2D} ctx @param {import('./plot.js').Area} area @param {import('./plot.js').Scale} scale
     *  @param {ReturnType<typeof coloursOf>} colours @param {number} d */
    paintBehind(ctx, area, scale, colours, d) {
        const { view } = this;
        const { hz } = view.trace.state();
        /** @param {number} ticks */
        const xOf = (ticks) => area.left + Math.min(1, Math.max(0, (ticks - scale.from) / (scale.to - scale.from))) * area.width;
        const bottom = area.top + area.height;

        if (view.range) {
            ctx.fillStyle = colours.selection;
            ctx.fillRect(xOf(view.range.from), area.top, Math.max(1, xOf(view.range.to) - xOf(view.range.from)), area.height);
        }
        ctx.font = `${11 * d}px system-ui, sans-serif`;
        ctx.textBaseline = 'middle';
        ctx.textAlign = 'right';
        for (const value of gridValues(scale, this.list.unit === 'ticks' ? hz || 1 : 1)) {
            const y = bottom - Math.round(heightOf(scale, value) * area.height);

            ctx.fillStyle = colours.line;
            ctx.fillRect(area.left, y, area.width, Math.max(1, Math.round(d)));
            ctx.fillStyle = colours.quiet;
            ctx.fillText(this.amount(value), area.left - 6 * d, y);
        }
        ctx.fillStyle = colours.lineStrong;
        ctx.fillRect(area.left, bottom, area.width, Math.max(1, Math.round(d)));
        ctx.fillStyle = colours.quiet;
        ctx.textBaseline = 'alphabetic';
        ctx.textAlign = 'left';
        ctx.fillText(formatBetween(scale.from, scale.to, hz), area.left, bottom + 15 * d);
        if (view.selected >= 0) {
            ctx.fillStyle = colours.accent;
            ctx.fillRect(xOf(view.trace.ticks(view.selected)), area.top, Math.max(1, Math.round(d)), area.height);
        }
    }

    /** Draws a ring around the instance under the pointer.
     *  @param {CanvasRenderingContext2D} ctx @param {ReturnType<typeof coloursOf>} colours @param {number} d */
    paintChosen(ctx, colours, d) {
        const instance = this.instance(this.at);

        if (!instance)
            return;
        const { x, y } = this.screenOf(instance);

        ctx.strokeStyle = colours.text;
        ctx.lineWidth = 1.5 * d;
        ctx.beginPath();
        ctx.arc(x * d, y * d, 5 * d, 0, 2 * Math.PI);
        ctx.stroke();
    }

    // ---- the pointer ----

    /** Returns the ticks and the value at a place of the canvas.
     *  @param {{offsetX: number, offsetY: number}} event */
    placeOf({ offsetX, offsetY }) {
        const { clientWidth, clientHeight } = this.canvas;
        const scale = this.scale();
        const width = clientWidth - MARGIN.left - MARGIN.right;
        const height = clientHeight - MARGIN.top - MARGIN.bottom;
        const part = Math.min(1, Math.max(0, (offsetX - MARGIN.left) / width));

        return { ticks: scale.from + part * (scale.to - scale.from),
            value: valueAt(scale, Math.min(1, Math.max(0, 1 - (offsetY - MARGIN.top) / height))) };
    }

    /** Returns the place of an instance on the canvas, in CSS pixels.
     *  @param {Instance} instance */
    screenOf({ end, value }) {
        const { clientWidth, clientHeight } = this.canvas;
        const scale = this.scale();
        const width = clientWidth - MARGIN.left - MARGIN.right;
        const height = clientHeight - MARGIN.top - MARGIN.bottom;

        return { x: MARGIN.left + (end - scale.from) / (scale.to - scale.from) * width, y: MARGIN.top + (1 - heightOf(scale, value)) * height };
    }

    /** Returns the ticks of a pixel. */
    perPixel() {
        const { from, to } = this.span();

        return (to - from) / (this.canvas.clientWidth - MARGIN.left - MARGIN.right);
    }

    /** @param {number} at number of an instance @returns {Instance|null} */
    instance(at) {
        return at >= 0 && this.isReady() ? instanceAt(this.view.trace, at) : null;
    }

    /** Returns the next or the previous instance of the chosen subject; -1: no such instance.
     *  @param {number} at @param {boolean} [forward] */
    next(at, forward = true) {
        return nextInstance(this.view.trace, this.series(), at, forward);
    }

    /** @param {PointerEvent} event */
    down(event) {
        if (event.button !== 0 || !this.isReady())
            return;
        this.canvas.setPointerCapture(event.pointerId);
        this.press = { x: event.offsetX, from: this.placeOf(event).ticks, moved: false };
    }

    /** @param {PointerEvent} event */
    move(event) {
        if (!this.isReady())
            return;
        const { ticks, value } = this.placeOf(event);
        const near = NEAR * this.perPixel();

        if (this.press && (this.press.moved || Math.abs(event.offsetX - this.press.x) >= DRAG)) {
            this.press.moved = true;
            this.select(this.press.from, ticks);
            return;
        }
        this.point(instanceNear(this.view.trace, this.series(), ticks - near, ticks + near, value));
    }

    /** @param {PointerEvent} event */
    up(event) {
        const { press } = this;

        this.press = null;
        if (!press || press.moved || !this.isReady())
            return;
        this.move(event);
        this.go();
    }

    /** Selects a range of time.
     *  @param {number} a @param {number} b */
    select(a, b) {
        const from = Math.round(Math.min(a, b));
        const to = Math.round(Math.max(a, b));

        this.view.set({ range: from < to ? { from, to } : null });
    }

    /** Shows an instance below the plot; -1: no instance.
     *  @param {number} at */
    point(at) {
        this.at = at;
        setText(this.readout, this.describe(this.instance(at)));
        this.draw();
    }

    /** @param {Instance|null} instance */
    describe(instance) {
        const { hz } = this.view.trace?.state() ?? { hz: 0 };

        if (!instance)
            return 'A click goes to the event. A drag selects a range.';
        const parts = Object.entries(instance.parts ?? {}).filter(([, ticks]) => ticks > 0)
            .map(([name, ticks]) => `${name} ${formatSpan(ticks, hz)}`);

        return `${textOf(this.list.series[instance.series])}: ${instance.vague ? 'about ' : ''}${this.amount(instance.value)}` +
            `${parts.length ? ` (${parts.join(', ')})` : ''}, from ${formatMoment(instance.start, hz)} to event ${instance.event}`;
    }

    /** Goes to the event with which the chosen instance ended. */
    go() {
        const { trace } = this.view;
        const instance = this.instance(this.at);
        const index = instance ? trace.indexOfSeq(instance.event) : -1;

        if (instance && trace.seq(index) === instance.event)
            this.view.lookAt(index);
    }

    // ---- keys ----

    /** @param {KeyboardEvent} event */
    pressKey(event) {
        const forward = { ArrowRight: true, ArrowLeft: false }[event.key];

        if (!this.isReady() || event.ctrlKey || event.metaKey || event.altKey)
            return;
        if (forward !== undefined)
            this.step(forward, event.shiftKey);
        else if (event.key === 'Enter')
            this.go();
        else if (event.key === 'l')
            this.point(this.longest());
        else
            return;
        event.preventDefault();
    }

    /** @param {boolean} forward @param {boolean} selects extends the selected range to the instance */
    step(forward, selects) {
        const before = this.instance(this.at);
        const next = this.next(this.at, forward);

        if (next < 0)
            return;
        this.point(next);
        if (!selects) {
            this.anchor = null;
            return;
        }
        const now = this.instance(next);

        this.anchor ??= (before ?? now).end;
        this.select(this.anchor, now.end);
    }

    longest() {
        const { from, to } = this.span();

        return instanceNear(this.view.trace, this.series(), from, to, Number.MAX_SAFE_INTEGER);
    }

    /** Returns the instances of the plot as CSV. */
    csv() {
        const { from, to } = this.span();

        return instancesCsv(this.view.trace, this.series(), from, to);
    }

    async copy() {
        if (this.isReady())
            setText(this.copyButton, await copyText(this.csv()) ? 'Copied' : 'Not copied');
    }
}

/** Returns the name of a series.
 *  @param {Series} series */
export function textOf({ subject, detail, other }) {
    return [subject, detail, other].filter(Boolean).join(' ');
}
