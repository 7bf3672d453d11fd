// SPDX-License-Identifier: MIT
/* Mouse, touch and pen on the timeline. All in CSS px of the overlay. */
import { eventAt, selectAt, setRow, showStep, toggleLane } from './choose.js';
import { SIZES } from './frame.js';

/** A press that moves less than this is a click. */
const CLICK_PX = 4;

/** A drag to the side that goes up or down by less than this does not scroll the rows. */
const SCROLL_PX = 12;

/** Zoom of one notch of a wheel. */
const WHEEL_NOTCH = 1.2;

/** @param {import('./timeline.js').Timeline} timeline */
export function startPointer(timeline) {
    const pointer = new Pointer(timeline);
    const canvas = timeline.overlayCanvas;

    canvas.addEventListener('pointerdown', (event) => pointer.down(event));
    canvas.addEventListener('pointermove', (event) => pointer.move(event));
    canvas.addEventListener('pointerup', (event) => pointer.up(event));
    canvas.addEventListener('pointercancel', (event) => pointer.cancel(event));
    canvas.addEventListener('pointerleave', () => pointer.leave());
    canvas.addEventListener('wheel', (event) => pointer.wheel(event), { passive: false });
    canvas.addEventListener('dblclick', (event) => pointer.twice(event));
}

/** How far a wheel turned, in px, whatever unit the browser gives. @param {WheelEvent} event */
export function wheelPx(event) {
    const unit = [1, 16, 400][event.deltaMode] ?? 1;

    return { x: event.deltaX * unit, y: event.deltaY * unit };
}

/** Cursors with one more: first A, then B, then A alone. */
function nextCursors([a, b], ticks) {
    return a === null || b !== null ? [ticks, null] : [a, ticks];
}

class Pointer {
    constructor(timeline) {
        this.timeline = timeline;
        this.view = timeline.view;
        /** @type {Map<number, {x: number, y: number}>} fingers and buttons that are down */
        this.pressed = new Map();
        /** What the press does: 'pan', 'range', 'minimap', 'row', 'pinch', 'head' */
        this.doing = '';
        this.start = null;
    }

    place(event) {
        const box = this.timeline.overlayCanvas.getBoundingClientRect();

        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    /** Position on the axis at x. */
    position(x) {
        const { frame, view } = this.timeline;
        const left = frame.left / frame.d;

        return view.from + ((x - left) * (view.to - view.from)) / (frame.width / frame.d);
    }

    ticks(x) {
        const { view } = this;

        return Math.max(0, view.byEvent ? view.ticksAt(this.position(x)) : Math.round(this.position(x)));
    }

    part({ x, y }) {
        const left = this.timeline.frame ? this.timeline.frame.left / this.timeline.frame.d : 0;

        if (y < SIZES.minimap)
            return x < left ? 'none' : 'minimap';
        if (y < SIZES.minimap + SIZES.axis)
            return x < left ? 'none' : 'axis';
        return x < left ? 'names' : 'lanes';
    }

    down(event) {
        const at = this.place(event);

        if (!this.view.trace || !this.timeline.frame || event.button > 1)
            return;
        this.timeline.overlayCanvas.setPointerCapture(event.pointerId);
        this.pressed.set(event.pointerId, at);
        if (this.pressed.size === 2)
            this.startPinch();
        else
            this.startDrag(at, event);
    }

    startDrag(at, event) {
        const part = this.part(at);
        const lane = this.timeline.laneAt(at.y);
        const { view } = this;

        this.start = { ...at, from: view.from, to: view.to, scroll: this.timeline.scroll, lane, part, moved: false };
        if (part === 'minimap')
            this.doing = 'minimap';
        else if (part === 'axis' || (part === 'lanes' && event.shiftKey))
            this.doing = 'range';
        else if (part === 'names')
            this.doing = lane?.row ? 'row' : 'head';
        else
            this.doing = part === 'lanes' ? 'pan' : '';
        if (this.doing === 'minimap')
            this.moveWindow(at);
        view.set({ hover: null });
    }

    startPinch() {
        const [a, b] = [...this.pressed.values()];

        this.doing = 'pinch';
        this.timeline.drag = null;
        this.start = { apart: Math.max(20, Math.abs(a.x - b.x)), middle: this.position((a.x + b.x) / 2), span: this.view.to - this.view.from };
    }

    move(event) {
        const at = this.place(event);

        if (this.pressed.has(event.pointerId))
            this.pressed.set(event.pointerId, at);
        if (!this.pressed.size)
            this.hover(at, event);
        else if (this.start)
            this.drag(at);
    }

    drag(at) {
        const { start } = this;

        if (this.doing === 'pinch') {
            this.pinch();
            return;
        }
        start.moved ||= Math.hypot(at.x - start.x, at.y - start.y) >= CLICK_PX;
        if (!start.moved)
            return;
        if (this.doing === 'pan')
            this.pan(at);
        else if (this.doing === 'minimap')
            this.moveWindow(at);
        else if (this.doing === 'range')
            this.dragRange(at);
        else if (this.doing === 'row')
            this.dragRow(at);
    }

    pan(at) {
        const { start, view, timeline } = this;
        const scale = (start.to - start.from) / (timeline.frame.width / timeline.frame.d);
        const shift = (start.x - at.x) * scale;

        if (start.x !== at.x)
            view.show(start.from + shift, start.to + shift);
        start.scrolls ||= Math.abs(start.y - at.y) >= SCROLL_PX;
        if (start.scrolls)
            timeline.setScroll(start.scroll + start.y - at.y);
    }

    moveWindow(at) {
        const { minimap, frame } = this.timeline;
        const { view } = this;
        const share = (at.x - frame.left / frame.d) / (frame.width / frame.d);
        const middle = minimap.from + share * (minimap.to - minimap.from);
        const half = (view.to - view.from) / 2;

        view.show(middle - half, middle + half);
    }

    dragRange(at) {
        const [a, b] = [this.ticks(this.start.x), this.ticks(at.x)];

        this.timeline.drag = { range: { from: Math.min(a, b), to: Math.max(a, b) } };
        this.timeline.request('overlay');
    }

    dragRow(at) {
        const { start, timeline } = this;
        const over = timeline.laneAt(at.y);

        timeline.drag = { lane: start.lane, to: over?.row && over.group === start.lane.group ? over : null };
        timeline.request('overlay');
    }

    pinch() {
        const [a, b] = [...this.pressed.values()];
        const { start, view } = this;
        const span = (start.span * start.apart) / Math.max(20, Math.abs(a.x - b.x));
        const left = this.timeline.frame.left / this.timeline.frame.d;
        const share = ((a.x + b.x) / 2 - left) / (this.timeline.frame.width / this.timeline.frame.d);

        view.show(start.middle - span * share, start.middle + span * (1 - share));
    }

    up(event) {
        const at = this.place(event);

        if (!this.pressed.delete(event.pointerId) || this.pressed.size)
            return;
        if (this.start && this.doing !== 'pinch')
            this.finish(at, event);
        this.stop();
    }

    finish(at, event) {
        const { timeline, view, start } = this;
        const { drag } = timeline;

        if (!start.moved)
            this.click(at, event);
        else if (drag?.range && drag.range.to > drag.range.from)
            view.set({ range: drag.range, panel: 'range' });
        else if (drag?.lane && drag.to) {
            timeline.layout.move(drag.lane, drag.to);
            timeline.redraw();
        }
    }

    cancel(event) {
        this.pressed.delete(event.pointerId);
        this.stop();
    }

    stop() {
        this.timeline.drag = null;
        this.doing = '';
        this.start = null;
        this.timeline.request('overlay');
    }

    click(at, event) {
        const { timeline, view, start } = this;

        if (start.part === 'names' && start.lane) {
            if (start.lane.row && at.x > 30)
                setRow(timeline, start.lane.row.row);
            else
                toggleLane(timeline, start.lane);
        } else if (start.part === 'axis') {
            view.set({ range: null });
        } else if (start.part === 'lanes') {
            if (event.altKey)
                view.set({ cursors: nextCursors(view.cursors, this.ticks(at.x)) });
            else
                selectAt(timeline, this.ticks(at.x), start.lane, this.position(at.x));
        }
    }

    hover(at, event) {
        const { view, timeline } = this;
        const part = this.part(at);

        timeline.overlayCanvas.style.cursor = { minimap: 'grab', axis: 'col-resize', names: 'pointer', none: 'default' }[part] ??
            (event.shiftKey ? 'col-resize' : 'default');
        if (!view.trace || !timeline.frame || (part !== 'lanes' && part !== 'axis')) {
            this.leave();
            return;
        }
        const ticks = this.ticks(at.x);
        const lane = part === 'lanes' ? timeline.laneAt(at.y) : null;

        const index = eventAt(timeline, ticks, lane, this.position(at.x));

        view.set({ hover: { ticks, row: lane?.row ? lane.row.row : -1, index, x: event.clientX, y: event.clientY } });
    }

    leave() {
        this.view.set({ hover: null });
    }

    wheel(event) {
        const at = this.place(event);
        const { x, y } = wheelPx(event);
        const { timeline, view } = this;

        if (!view.trace || !timeline.frame)
            return;
        event.preventDefault();
        const perPx = (view.to - view.from) / (timeline.frame.width / timeline.frame.d);

        if (this.part(at) === 'names' || event.altKey)
            timeline.setScroll(timeline.scroll + y);
        else if (event.shiftKey || Math.abs(x) > Math.abs(y))
            view.pan((x || y) * perPx);
        else
            view.zoom(this.position(at.x), WHEEL_NOTCH ** (y / (event.ctrlKey ? 12 : 60)));
    }

    /** Shows the step that was clicked twice, with something of its neighbours. */
    twice(event) {
        const at = this.place(event);
        const part = this.part(at);
        const lane = this.timeline.laneAt(at.y);

        if (part === 'minimap')
            this.view.showAll();
        else if (part === 'names' && lane)
            toggleLane(this.timeline, lane);
        else if (part === 'lanes' && lane?.row)
            showStep(this.timeline, lane.row.row, this.ticks(at.x));
    }
}
