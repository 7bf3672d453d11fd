// SPDX-License-Identifier: MIT
/*
 * The layer over the picture that changes with the pointer: pointer line, selected event, cursors, range, the window in the
 * minimap, hits of a search. Painting this layer needs few calls of the trace.
 */
import { paintEdgeMarks } from './edge_marks.js';
import { px, SIZES, toX } from './frame.js';
import { paintHits } from './paint_hits.js';
import { windowOf } from './minimap.js';
import { formatMoment, formatNumber, formatSpan } from './units.js';
import { paintPath } from './why/paint_path.js';

/**
 * @typedef {import('./frame.js').Box} Box
 * @typedef {import('./timeline.js').Timeline} Timeline
 * @typedef {import('./view_state.js').Range} Range
 * @typedef {import('./minimap.js').Minimap} Minimap
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./view_state.js').ViewState} ViewState
 * @typedef {{ctx: CanvasRenderingContext2D, frame: Frame, view: ViewState, colours: Frame['colours'], d: number, top: number,
 *     bottom: number}} Over arguments of all painters of the overlay; top: of the axis; bottom: of the lanes
 */

/** @param {Timeline} timeline */
export function paintOverlay(timeline) {
    const { overlayCanvas: canvas, frame, view } = timeline;
    const ctx = canvas.getContext('2d');

    ctx.clearRect(0, 0, canvas.width, canvas.height);
    if (!frame || !frame.trace || frame.trace !== view.trace)
        return;
    /** @type {Over} */
    const over = {
        ctx, frame, view, colours: frame.colours, d: frame.d, top: Math.round(SIZES.minimap * frame.d),
        bottom: Math.min(canvas.height, Math.round((SIZES.minimap + SIZES.axis + timeline.layout.height) * frame.d) - frame.scroll),
    };

    ctx.textBaseline = 'middle';
    paintWindow(over, timeline.minimap, canvas.width);
    ctx.save();
    ctx.beginPath();
    ctx.rect(frame.left, over.top, frame.width, canvas.height - over.top);
    ctx.clip();
    if (view.why?.answer)
        paintPath(over, view.why);
    if (view.search)
        paintHits(ctx, frame, view.search, over.top);
    paintRange(over, timeline.drag?.range ?? view.range);
    paintSelected(over);
    paintCursors(over);
    paintHover(over);
    paintEdgeMarks(ctx, frame, over.top);
    ctx.restore();
    paintScrollbar(over, timeline, canvas);
    if (timeline.drag?.lane)
        paintMovedLane(over, timeline);
}

/** Returns the screen position of a time.
 *  @param {Pick<Over, 'frame'|'view'>} of @param {number} ticks */
function ticksX({ frame, view }, ticks) {
    return Math.round(toX(frame, view.position(ticks)));
}

/** Paints the minimap's window, with a handle at each side. The window is the visible part of the trace.
 *  @param {Over} over @param {Minimap} minimap @param {number} width */
function paintWindow({ ctx, frame, view, colours, d }, minimap, width) {
    const { x, width: wide } = windowOf(frame, minimap, view);
    const y = px({ d }, 3);
    const height = Math.round(SIZES.minimap * d) - 2 * y + d;

    ctx.fillStyle = colours.veil;
    ctx.fillRect(frame.left, 0, x - frame.left, y + height + d);
    ctx.fillRect(x + wide, 0, width - x - wide, y + height + d);
    ctx.lineWidth = Math.max(1, Math.round(1.5 * d));
    ctx.strokeStyle = colours.accent;
    ctx.strokeRect(x + ctx.lineWidth / 2, y, Math.max(1, wide - ctx.lineWidth), height);
    for (const side of [x, x + wide])
        paintHandle(ctx, colours, d, Math.min(Math.max(side, frame.left + 3 * d), frame.left + frame.width - 3 * d), y + height / 2);
}

/** @param {CanvasRenderingContext2D} ctx @param {Frame['colours']} colours @param {number} d @param {number} x @param {number} y */
function paintHandle(ctx, colours, d, x, y) {
    ctx.fillStyle = colours.accent;
    ctx.beginPath();
    ctx.roundRect(Math.round(x - 3 * d), Math.round(y - 9 * d), 6 * d, 18 * d, 3 * d);
    ctx.fill();
    ctx.fillStyle = colours.onAccent;
    ctx.fillRect(Math.round(x - d / 2), Math.round(y - 4 * d), px({ d }, 1), Math.round(8 * d));
}

/** @param {Over} over @param {Range|null} range */
function paintRange(over, range) {
    if (!range)
        return;
    const { ctx, colours, top, bottom, d } = over;
    const from = ticksX(over, range.from);
    const to = Math.max(from + 1, ticksX(over, range.to));

    ctx.fillStyle = colours.selection;
    ctx.fillRect(from, top, to - from, bottom - top);
    ctx.fillStyle = colours.accent;
    ctx.fillRect(from, top, px({ d }, 1), bottom - top);
    ctx.fillRect(to - px({ d }, 1), top, px({ d }, 1), bottom - top);
    paintPlateText(over, spanLabel(over, range.from, range.to), (from + to) / 2, true);
}

/** @param {Pick<Over, 'frame'>} of @param {number} from @param {number} to */
function spanLabel({ frame }, from, to) {
    return `Δ ${formatSpan(Math.round(to - from), frame.hz)}`;
}

/** Paints a text on the axis, in the colour of the thing that it labels.
 *  @param {Over} over @param {string} text @param {number} middle @param {boolean} strong */
function paintPlateText({ ctx, frame, colours, top, d }, text, middle, strong) {
    const font = strong ? frame.fontBold : frame.font;
    const width = Math.ceil(frame.texts.width(font, text)) + 12 * d;
    const x = Math.round(Math.max(frame.left, Math.min(middle - width / 2, frame.left + frame.width - width)));
    const height = frame.top - 6 * d;

    ctx.font = font;
    ctx.fillStyle = strong ? colours.accent : colours.plate;
    ctx.fillRect(x, top + 2 * d, width, height);
    ctx.fillStyle = strong ? colours.onAccent : colours.text;
    ctx.fillText(text, x + 6 * d, top + 2 * d + height / 2 + d / 2);
}

/** @param {Over} over */
function paintSelected(over) {
    const { ctx, view, frame, colours, top, bottom, d } = over;

    if (view.selected < 0)
        return;
    const x = Math.round(toX(frame, view.byEvent ? view.selected : view.trace.ticks(view.selected)));
    const box = view.selectedRow >= 0 ? frame.boxOf(view.selectedRow) : null;

    if (view.byEvent) {
        ctx.fillStyle = colours.selection;
        ctx.fillRect(x, top + frame.top, Math.round(toX(frame, view.selected + 1)) - x, bottom - top - frame.top);
    }
    ctx.fillStyle = colours.accent;
    ctx.fillRect(x, top + frame.top, px({ d }, 1), bottom - top - frame.top);
    ctx.beginPath();
    ctx.moveTo(x - 5 * d, top + frame.top - 6 * d);
    ctx.lineTo(x + 6 * d, top + frame.top - 6 * d);
    ctx.lineTo(x + d / 2, top + frame.top);
    ctx.fill();
    if (box && top + box.y >= top + frame.top)
        paintStep(over, box);
}

/** Paints a frame around the step of the selected row at the selected event.
 *  @param {Over} over @param {Box} box */
function paintStep(over, box) {
    const { ctx, view, frame, colours, top, d } = over;
    const step = view.trace.step(view.selectedRow, view.trace.ticks(view.selected));

    if (!step)
        return;
    const from = Math.max(frame.left - 2, ticksX(over, step.from));
    const to = Math.min(frame.left + frame.width + 2, ticksX(over, step.to));

    ctx.lineWidth = Math.max(1, Math.round(1.5 * d));
    ctx.strokeStyle = colours.text;
    ctx.strokeRect(from - d / 2, top + box.y - 1.5 * d, Math.max(2, to - from), box.height + 3 * d);
}

/** @param {Over} over */
function paintCursors(over) {
    const { ctx, view, colours, top, bottom, d } = over;
    const [a, b] = view.cursors;

    for (const [i, ticks] of view.cursors.entries()) {
        if (ticks === null)
            continue;
        const x = ticksX(over, ticks);

        ctx.fillStyle = colours.cursor;
        for (let y = top; y < bottom; y += 6 * d)
            ctx.fillRect(x, y, px({ d }, 1), 4 * d);
        paintPlateText(over, 'AB'[i], x, false);
    }
    if (a !== null && b !== null)
        paintPlateText(over, spanLabel(over, Math.min(a, b), Math.max(a, b)), (ticksX(over, a) + ticksX(over, b)) / 2, false);
}

/** @param {Over} over */
function paintHover(over) {
    const { ctx, view, colours, top, bottom, d, frame } = over;

    if (!view.hover)
        return;
    const x = ticksX(over, view.hover.ticks);

    ctx.fillStyle = colours.accent;
    ctx.globalAlpha = 0.7;
    ctx.fillRect(x, top, px({ d }, 1), bottom - top);
    ctx.globalAlpha = 1;
    paintPlateText(over, view.byEvent && view.hover.index >= 0 ? `#${formatNumber(view.trace.seq(view.hover.index))}` : formatMoment(Math.round(view.hover.ticks), frame.hz), x, false);
}

/** @param {Over} over @param {Timeline} timeline @param {HTMLCanvasElement} canvas */
function paintScrollbar({ ctx, colours, d, top, frame }, timeline, canvas) {
    const room = timeline.height - SIZES.minimap - SIZES.axis;

    if (timeline.layout.height <= room)
        return;
    const track = canvas.height - top - frame.top;
    const height = Math.max(24 * d, (track * room) / timeline.layout.height);
    const y = top + frame.top + ((track - height) * timeline.scroll) / (timeline.layout.height - room);

    ctx.fillStyle = colours.quiet;
    ctx.globalAlpha = 0.45;
    ctx.fillRect(canvas.width - 6 * d, y, 4 * d, height);
    ctx.globalAlpha = 1;
}

/** Paints the row that is being moved at its new place.
 *  @param {Over} over @param {Timeline} timeline */
function paintMovedLane({ ctx, colours, frame, d, top }, timeline) {
    const { lane, to } = timeline.drag;
    const target = to ?? lane;
    const y = top + frame.top + Math.round(target.y * d) - frame.scroll;
    const below = target.y > lane.y ? Math.round(target.height * d) : 0;

    ctx.fillStyle = colours.accent;
    ctx.fillRect(0, y + below - d, frame.left + frame.width, px({ d }, 2));
}
