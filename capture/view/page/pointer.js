// SPDX-License-Identifier: MIT
/* Mouse, touch and pen on the timeline: maps gestures to actions. All in CSS px of the overlay. */
import { eventAt, selectAt, setRow, showStep, toggleLane } from './choose.js';
import { edgeMarkAt } from './edge_marks.js';
import { SIZES } from './frame.js';
import { windowPart } from './minimap.js';
import { noteFlagAt } from './paint_notes.js';
import { DRAGS, partAt, pinch, positionAt, startPinch, ticksAt } from './drags.js';

/**
 * @typedef {import('./timeline.js').Timeline} Timeline
 * @typedef {import('./drags.js').Point} Point
 */

/** A press that moves less than this is a click. */
const CLICK_PX = 4;

/** Zoom factor of one notch of a wheel. */
const WHEEL_NOTCH = 1.2;

/** @param {Timeline} timeline */
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

/** Returns the rotation of a wheel in px. Browsers report different units.
 *  @param {WheelEvent} event */
export function wheelPx(event) {
    const unit = [1, 16, 400][event.deltaMode] ?? 1;

    return { x: event.deltaX * unit, y: event.deltaY * unit };
}

/** Returns the cursors after another click: first A, then A and B, then A alone.
 *  @param {(number|null)[]} cursors @param {number} ticks */
function nextCursors([a, b], ticks) {
    return a === null || b !== null ? [ticks, null] : [a, ticks];
}

class Pointer {
    /** @param {Timeline} timeline */
    constructor(timeline) {
        this.timeline = timeline;
        this.view = timeline.view;
        /** @type {Map<number, {x: number, y: number}>} pressed fingers and buttons */
        this.pressed = new Map();
        /** The action of the press: 'pan', 'range', 'minimap', 'row', 'pinch', 'head' */
        this.doing = '';
        /** @type {import('./drags.js').Press|null} */
        this.start = null;
        /** @type {import('./drags.js').Pinch|null} */
        this.pinch = null;
    }

    /** @param {MouseEvent} event */
    place(event) {
        const box = this.timeline.overlayCanvas.getBoundingClientRect();

        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    /** Returns the two fingers of a pinch.
     *  @returns {[Point, Point]} */
    fingers() {
        const [a, b] = this.pressed.values();

        return [a, b];
    }

    /** @param {PointerEvent} event */
    down(event) {
        const at = this.place(event);

        if (!this.view.trace || !this.timeline.frame || event.button > 1)
            return;
        this.timeline.overlayCanvas.setPointerCapture(event.pointerId);
        this.pressed.set(event.pointerId, at);
        if (this.pressed.size === 2) {
            this.doing = 'pinch';
            this.timeline.drag = null;
            this.start = null;
            this.pinch = startPinch(this.timeline, ...this.fingers());
        } else {
            this.startDrag(at, event);
        }
    }

    /** @param {Point} at @param {PointerEvent} event */
    startDrag(at, event) {
        const part = partAt(this.timeline, at);
        const lane = this.timeline.laneAt(at.y);
        const { view } = this;

        this.pinch = null;
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
            DRAGS.minimap(this.timeline, this.start, at);
        view.set({ hover: null });
    }

    /** @param {PointerEvent} event */
    move(event) {
        const at = this.place(event);

        if (this.pressed.has(event.pointerId))
            this.pressed.set(event.pointerId, at);
        if (!this.pressed.size)
            this.hover(at, event);
        else
            this.drag(at);
    }

    /** @param {Point} at */
    drag(at) {
        const { start, timeline } = this;

        if (this.pinch && this.pressed.size === 2)
            pinch(timeline, this.pinch, ...this.fingers());
        if (!start)
            return;
        start.moved ||= Math.hypot(at.x - start.x, at.y - start.y) >= CLICK_PX;
        if (start.moved)
            DRAGS[this.doing]?.(timeline, start, at);
    }

    /** @param {PointerEvent} event */
    up(event) {
        const at = this.place(event);

        if (!this.pressed.delete(event.pointerId) || this.pressed.size)
            return;
        if (this.start)
            this.finish(at, event);
        this.stop();
    }

    /** @param {Point} at @param {PointerEvent} event */
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

    /** @param {PointerEvent} event */
    cancel(event) {
        this.pressed.delete(event.pointerId);
        this.stop();
    }

    stop() {
        this.timeline.drag = null;
        this.doing = '';
        this.start = null;
        this.pinch = null;
        this.timeline.request('overlay');
    }

    /** @param {Point} at @param {PointerEvent} event */
    click(at, event) {
        const { timeline, view, start } = this;

        if (start.part === 'names' && start.lane) {
            if (start.lane.row && at.x > 30)
                setRow(timeline, start.lane.row.row);
            else
                toggleLane(timeline, start.lane);
        } else if (start.part === 'axis') {
            const flag = this.flagAt(at);

            if (flag)
                view.choose(flag.index);
            else
                view.set({ range: null });
        } else if (start.part === 'lanes') {
            const mark = this.markAt(at);

            if (mark) {
                view.set({ follow: false });
                view.select(mark.index, { row: mark.row >= 0 ? mark.row : view.trace.rowOf(mark.index), reveal: true });
            } else if (event.altKey)
                view.set({ cursors: nextCursors(view.cursors, ticksAt(this.timeline, at.x)) });
            else
                selectAt(timeline, ticksAt(this.timeline, at.x), start.lane, positionAt(this.timeline, at.x));
        }
    }

    /** Returns the mark at the edge of the lanes at a point, or null.
     *  @param {Point} at */
    markAt({ x, y }) {
        return edgeMarkAt(this.timeline.frame, x, y - SIZES.minimap);
    }

    /** Returns the flag of a note at a point, or null.
     *  @param {Point} at */
    flagAt({ x, y }) {
        return noteFlagAt(this.timeline.frame, x, y - SIZES.minimap);
    }

    /** @param {Point} at @param {PointerEvent} event @param {ReturnType<partAt>} part */
    cursorAt(at, event, part) {
        const { timeline } = this;

        switch (part) {
        case 'minimap':
            return { inside: 'grab', outside: 'pointer', from: 'ew-resize', to: 'ew-resize' }[
                windowPart(timeline.frame, timeline.minimap, this.view, at.x)];
        case 'axis':
            return this.flagAt(at) ? 'pointer' : 'col-resize';
        case 'names':
            return 'pointer';
        case 'lanes':
            return this.markAt(at) ? 'pointer' : event.shiftKey ? 'col-resize' : 'default';
        default:
            return 'default';
        }
    }

    /** @param {Point} at @param {PointerEvent} event */
    hover(at, event) {
        const { view, timeline } = this;
        const part = partAt(this.timeline, at);

        timeline.overlayCanvas.style.cursor = timeline.frame && view.trace ? this.cursorAt(at, event, part) : 'default';
        if (!view.trace || !timeline.frame || (part !== 'lanes' && part !== 'axis')) {
            this.leave();
            return;
        }
        const ticks = ticksAt(this.timeline, at.x);
        const lane = part === 'lanes' ? timeline.laneAt(at.y) : null;
        const flag = this.flagAt(at);
        const index = flag?.index ?? eventAt(timeline, ticks, lane, positionAt(this.timeline, at.x));

        view.set({ hover: { ticks, row: lane?.row ? lane.row.row : -1, index, note: flag?.note ?? '', x: event.clientX, y: event.clientY } });
    }

    leave() {
        this.view.set({ hover: null });
    }

    /** @param {WheelEvent} event */
    wheel(event) {
        const at = this.place(event);
        const { x, y } = wheelPx(event);
        const { timeline, view } = this;

        if (!view.trace || !timeline.frame)
            return;
        event.preventDefault();
        const perPx = (view.to - view.from) / (timeline.frame.width / timeline.frame.d);

        if (partAt(this.timeline, at) === 'names' || event.altKey)
            timeline.setScroll(timeline.scroll + y);
        else if (event.shiftKey || Math.abs(x) > Math.abs(y))
            view.pan((x || y) * perPx);
        else
            view.zoom(positionAt(this.timeline, at.x), WHEEL_NOTCH ** (y / (event.ctrlKey ? 12 : 60)));
    }

    /** Zooms to the double-clicked step and a part of its neighbours.
     *  @param {MouseEvent} event */
    twice(event) {
        const at = this.place(event);
        const part = partAt(this.timeline, at);
        const lane = this.timeline.laneAt(at.y);

        if (part === 'minimap')
            this.view.showAll();
        else if (part === 'names' && lane)
            toggleLane(this.timeline, lane);
        else if (part === 'lanes' && lane?.row)
            showStep(this.timeline, lane.row.row, ticksAt(this.timeline, at.x));
    }
}
