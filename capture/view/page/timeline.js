// SPDX-License-Identifier: MIT
/*
 * The timeline's canvases. Three layers, so that a moving pointer does not redraw the rows: the minimap, the scene (names,
 * axis, lanes), the overlay (overlay.js). The scene is drawn a few times a second while the view follows a running target, and
 * in each frame while the user moves it. A hidden page does not draw.
 */
import { coloursOf, systemTheme, watchTheme } from './colours.js';
import { edgeMarks } from './edge_marks.js';
import { hatchOf, queryOf, ROW_SIZES, SIZES, snapped } from './frame.js';
import { LoadCache } from './load_layers.js';
import { LoadPeak } from './load_peak.js';
import { Minimap, paintNoMinimap } from './minimap.js';
import { paintGaps, paintMarks } from './paint_across.js';
import { paintOwners, paintWakes } from './paint_arrows.js';
import { paintLanes } from './paint_lanes.js';
import { paintAxis, paintGrid } from './paint_names.js';
import { noteFlags, paintNotes } from './paint_notes.js';
import { paintOverlay } from './overlay.js';
import { RowsLayout } from './rows_layout.js';
import { TextFit } from './text_fit.js';
import { isSampledRow, isUserRow, piecesOf } from './user_values.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./view_state.js').ViewState} ViewState
 * @typedef {import('./decoder.js').Trace} Trace
 * @typedef {import('./decoder.js').TraceRow} TraceRow
 * @typedef {import('./rows_layout.js').Lane} Lane
 */

/** Minimum time between two drawings for new data, in ms. */
const FOLLOW_MS = 66;

/** Time between two searches for objects that began to change, in ms. */
const QUIET_MS = 1000;

/** Minimum average width of an event, in CSS px, at which single events have texts. */
const DEEP_PX = 24;

const CANVAS_FONT = 'system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif';

export class Timeline {
    /** @param {ViewState} view @param {HTMLElement} element the parent of the canvases */
    constructor(view, element) {
        this.view = view;
        this.element = element;
        /** @param {string} name */
        const canvas = (name) => /** @type {HTMLCanvasElement} */ (element.querySelector(name));

        this.minimapCanvas = canvas('#minimap');
        this.sceneCanvas = canvas('#scene');
        this.overlayCanvas = canvas('#overlay');
        this.layout = new RowsLayout();
        this.minimap = new Minimap();
        this.peak = new LoadPeak();
        this.cache = new LoadCache();
        this.texts = new TextFit((font, text) => {
            const ctx = this.sceneCanvas.getContext('2d');

            ctx.font = font;
            return ctx.measureText(text).width;
        });
        /** Distance by which the lanes are scrolled, in CSS px. */
        this.scroll = 0;
        /** @type {Frame|null} the frame of the newest picture */
        this.frame = null;
        /**
         * Drawn during a drag: a range that is being selected, a row that is being moved.
         * @type {{range?: import('./view_state.js').Range, lane?: Lane, to?: Lane|null}|null}
         */
        this.drag = null;
        /** Current row of the keyboard, or -1. */
        this.row = -1;
        /** Statistics for measurements: number of pictures, ms of the newest picture. */
        this.drawn = 0;
        this.drawMs = 0;
        /** Notes of marked events, by number of the event.
         *  @type {Map<number, string>} */
        this.notes = new Map();
        /** Called when the layout of the rows was computed. */
        this.onLayout = () => {};
        /** @type {Set<'data'|'scene'|'overlay'>} */
        this.dirty = new Set();
        this.requested = false;
        /** @type {ReturnType<typeof setTimeout>|undefined} */
        this.settling = undefined;
        this.sceneAt = 0;
        this.quietAt = 0;
        /** The order of rows in the newest picture. */
        this.order = view.rows.order;
        /** @type {Set<number>} objects that have changed at least once */
        this.lively = new Set();
        /** The largest value of each counter, by row.
         *  @type {Map<number, number>} */
        this.most = new Map();
        /** The time that each row ran, by row, for the order by CPU time.
         *  @type {Map<number, number>} */
        this.loads = new Map();
        /** @type {Frame['scales']} */
        this.scales = new Map();
        this.setTheme();
        watchTheme(() => this.setTheme());
        new ResizeObserver(() => this.resize()).observe(element);
        view.on((changed) => this.changed(changed));
        this.resize();
        this.watchResolution();
    }

    /** Watches the size of a pixel, which another screen or another zoom of the page changes. */
    watchResolution() {
        const again = () => {
            this.resize();
            this.watchResolution();
        };

        matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`).addEventListener('change', again, { once: true });
    }

    setTheme() {
        /** @type {'light'|'dark'} */
        this.theme = systemTheme();
        this.colours = coloursOf(this.theme);
        /** @type {CanvasPattern|null} */
        this.hatch = null;
        this.redraw();
    }

    resize() {
        const d = window.devicePixelRatio || 1;
        const { clientWidth, clientHeight } = this.element;
        /** @param {HTMLCanvasElement} canvas @param {number} top @param {number} height */
        const size = (canvas, top, height) => {
            canvas.style.top = `${top}px`;
            canvas.style.height = `${height}px`;
            canvas.width = Math.max(1, Math.round(clientWidth * d));
            canvas.height = Math.max(1, Math.round(height * d));
        };

        this.d = d;
        this.width = clientWidth;
        this.height = clientHeight;
        size(this.minimapCanvas, 0, SIZES.minimap);
        size(this.sceneCanvas, SIZES.minimap, Math.max(1, clientHeight - SIZES.minimap));
        size(this.overlayCanvas, 0, Math.max(1, clientHeight));
        this.hatch = null;
        this.setScroll(this.scroll);
        this.redraw();
        this.draw(performance.now());
    }

    /** @param {Set<string>} changed */
    changed(changed) {
        if (changed.has('trace')) {
            this.lively.clear();
            this.most.clear();
            this.loads.clear();
            this.scales.clear();
            this.quietAt = 0;
            this.minimap.made = null;
            this.row = -1;
            this.scroll = 0;
        }
        if (changed.has('data')) {
            this.request('data');
            this.settle();
        }
        if (changed.has('rows'))
            this.chooseRows();
        if (['view', 'byEvent', 'trace', 'selected', 'search'].some((name) => changed.has(name)))
            this.request(this.view.follow && changed.has('data') && !changed.has('trace') ? 'data' : 'scene');
        this.request('overlay');
    }

    /** @param {Map<number, string>} notes of marked events, by number of the event */
    showNotes(notes) {
        this.notes = notes;
        this.request('scene');
    }

    /** Applies another choice of rows. */
    chooseRows() {
        const { order } = this.view.rows;

        if (order !== this.order)
            this.layout.forgetPlaces();
        this.order = order;
        this.quietAt = 0;
        this.request('scene');
    }

    redraw() {
        this.minimap.made = null;
        this.request('scene');
        this.request('overlay');
    }

    /** Updates the parts that are updated only from time to time. Called after a moment without new data. */
    settle() {
        clearTimeout(this.settling);
        this.settling = setTimeout(() => {
            this.quietAt = 0;
            this.minimap.restUntil = 0;
            this.request('scene');
        }, QUIET_MS);
    }

    /** @param {'data'|'scene'|'overlay'} what to draw; 'data': the scene, at the next opportunity */
    request(what) {
        this.dirty.add(what);
        if (this.requested)
            return;
        this.requested = true;
        requestAnimationFrame((now) => this.draw(now));
    }

    /** @param {number} now */
    draw(now) {
        const { dirty } = this;
        const late = now - this.sceneAt >= FOLLOW_MS;

        this.requested = false;
        this.dirty = new Set();
        if (dirty.has('data') && !dirty.has('scene') && !late)
            this.request('data');
        else if (dirty.has('data') || dirty.has('scene'))
            this.drawScene(now);
        if (dirty.has('overlay') || dirty.has('scene'))
            paintOverlay(this);
    }

    /** Makes the frame of the next picture.
     *  @returns {Frame} */
    makeFrame() {
        const { view, d } = this;
        /** @type {import('./frame.js').Box[]} */
        const boxes = [];
        /** @param {number} size @param {string} [weight] */
        const font = (size, weight = '') => `${weight}${Math.round(size * d * 10) / 10}px ${CANVAS_FONT}`;
        const left = Math.round(this.namesWidth() * d);
        const width = Math.max(1, this.sceneCanvas.width - left);
        const across = { left, width, ...snapped(view.from, view.to, width) };
        const ticksFrom = Math.max(0, Math.floor(view.ticksAt(across.from)));
        const ticksTo = Math.max(ticksFrom + 1, Math.ceil(view.ticksAt(across.to)));
        const sizes = ROW_SIZES[this.layout.density];

        this.hatch ??= hatchOf(this.colours, this.d);
        return {
            ctx: this.sceneCanvas.getContext('2d', { alpha: false }),
            trace: view.trace, colours: this.colours, texts: this.texts, layout: this.layout, hatch: this.hatch,
            d, ...across, ticksFrom, ticksTo, sizes, loads: this.cache, edgeMarks: [], noteFlags: [], isDeep: this.isDeep(ticksFrom, ticksTo, width / d), axisTop: 0, top: Math.round(SIZES.axis * d), height: this.sceneCanvas.height,
            scroll: Math.round(this.scroll * d), byEvent: view.byEvent, query: queryOf(across, view.extent()),
            hz: view.trace ? view.trace.state().hz : 0, most: this.most, scales: this.scales, boxes, boxOf: (row) => boxes[row] ?? null,
            font: font(SIZES.text), fontBold: font(SIZES.text, '600 '), fontSmall: font(SIZES.text - 1),
            fontName: font(sizes.name), fontNameBold: font(sizes.name, '600 '), fontRowSmall: font(sizes.small), fontAxis: font(9),
        };
    }

    /** Reports whether there is room for texts of single events.
     *  @param {number} from ticks @param {number} to ticks @param {number} width CSS px */
    isDeep(from, to, width) {
        const { trace } = this.view;

        return trace !== null && trace.index(to) - trace.index(from) <= width / DEEP_PX;
    }

    /** @param {number} now */
    drawScene(now) {
        const start = performance.now();

        this.sceneAt = now;
        this.updateLayout(now);
        const frame = this.makeFrame();

        this.frame = frame;
        frame.ctx.textBaseline = 'middle';
        frame.ctx.fillStyle = frame.colours.page;
        frame.ctx.fillRect(0, 0, this.sceneCanvas.width, frame.height);
        if (frame.trace && frame.query.count)
            this.paintScene(frame);
        frame.edgeMarks = edgeMarks(frame, this.view, this.view.selectedRow >= 0 ? this.view.selectedRow : this.row);
        this.drawMinimap(now);
        this.drawn++;
        this.drawMs = performance.now() - start;
    }

    /** @param {Frame} frame */
    paintScene(frame) {
        const { view } = this;
        const bottom = Math.min(frame.height, frame.top + Math.round(this.layout.height * frame.d) - frame.scroll);
        /** @type {import('./paint_states.js').Label[]} */
        const labels = [];

        paintGrid(frame, bottom);
        const paintNames = paintLanes(frame, labels, { row: this.row, selected: view.selectedRow, span: shownSpan(frame, view) });
        paintGaps(frame, bottom);
        paintWakes(frame, { event: view.selected, row: view.selectedRow });
        paintOwners(frame, labels);
        paintNames();
        paintAxis(frame);
        paintMarks(frame, bottom);
        frame.noteFlags = noteFlags(frame, this.notes);
        paintNotes(frame);
    }

    /** Computes the layout of the rows. Checks for changed objects only from time to time.
     *  @param {number} now */
    updateLayout(now) {
        const { trace } = this.view;
        const rows = trace ? trace.rows() : [];

        if (trace && (now - this.quietAt >= QUIET_MS || this.quietAt === 0 || rows !== this.layout.rows)) {
            this.quietAt = now;
            this.lookAtObjects(trace, rows);
        }
        this.layout.update(rows, { quiet: new Set(rows.map((row) => row.row).filter((row) => !this.lively.has(row))),
            choice: this.view.rows, loads: this.loads });
        this.setScroll(this.scroll);
        this.onLayout();
    }

    /** Returns the width of the column of names, in CSS px. */
    namesWidth() {
        return this.width < SIZES.narrow ? SIZES.namesNarrow : SIZES.names;
    }

    /** Finds the objects that change anywhere in the trace, and their largest values.
     *  @param {Trace} trace @param {TraceRow[]} rows */
    lookAtObjects(trace, rows) {
        const { from, to } = trace.state();

        for (const row of rows) {
            if (this.view.rows.order === 'cpu' && (row.kind === 'thread' || row.kind === 'isr'))
                this.loads.set(row.row, loadOf(trace.sums(row.row, from, to)));
            if (row.kind === 'mutex' && !this.lively.has(row.row) && trace.sums(row.row, from, to).held > 0)
                this.lively.add(row.row);
            if (!row.counter && !isSampledRow(row))
                continue;
            const values = piecesOf(trace, row, from, Math.ceil(to) + 1, 1, false);
            const [least, most] = values.length ? [values.min(0), values.max(0)] : [0, 0];

            if (least < most)
                this.lively.add(row.row);
            if (values.length && isUserRow(row))
                this.scales.set(row.row, { least: values.min(0), most: values.max(0) });
            this.most.set(row.row, Math.max(least <= most ? most : 0, row.capacity || 0));
        }
    }

    /** @param {number} now */
    drawMinimap(now) {
        const { trace } = this.view;
        const { minimap, frame } = this;

        if (!trace)
            paintNoMinimap(this.minimapCanvas, this.colours);
        else {
            if (minimap.update(frame, this.view.extent(), now))
                minimap.paint(this.minimapCanvas, frame);
            if (!this.peak.update(trace))
                this.request('scene');
            minimap.paintFigures(this.minimapCanvas, frame, this.peak);
        }
    }

    /** Scrolls the lanes.
     *  @param {number} y CSS px from the first lane's top to the top of the visible part */
    setScroll(y) {
        const room = this.height - SIZES.minimap - SIZES.axis;
        const scroll = Math.max(0, Math.min(y, this.layout.height - room));

        if (scroll === this.scroll)
            return;
        this.scroll = scroll;
        this.request('scene');
    }

    /** Returns the lane at y of the overlay, in CSS px, or null.
     *  @param {number} y */
    laneAt(y) {
        const inside = y - SIZES.minimap - SIZES.axis;

        return inside < 0 ? null : this.layout.laneAt(inside + this.scroll);
    }

    /** Scrolls so that a lane is visible.
     *  @param {Lane} lane */
    revealLane(lane) {
        const room = this.height - SIZES.minimap - SIZES.axis;

        if (lane.y < this.scroll)
            this.setScroll(lane.y);
        else if (lane.y + lane.height > this.scroll + room)
            this.setScroll(lane.y + lane.height - room);
    }
}

/** Returns the time that a thread or an interrupt ran.
 *  @param {import('./decoder.js').StateSums} sums */
function loadOf(sums) {
    return sums.running + sums.isr;
}

/** Returns the visible ticks of the trace.
 *  @param {Frame} frame @param {ViewState} view */
function shownSpan(frame, view) {
    const state = view.trace.state();

    return Math.min(frame.ticksTo, state.to) - Math.max(frame.ticksFrom, state.from);
}
