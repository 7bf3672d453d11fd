// SPDX-License-Identifier: MIT
/*
 * Paints rows of user values. A counter is a line with steps, as its values were recorded; a column with several values shows
 * their smallest and largest value. A state is a bar with its text; a column with several states shows up to three of them. A
 * slice is a bar, and an inner slice a bar below it. A slice whose begin or end is not known has a torn edge. Sampled values look
 * like recorded values. A line of a log is a tick, with its text if there is room before the next line.
 */
import { VALUES_INFERRED, VALUES_LAST } from './abi.js';
import { px, toPosition } from './frame.js';
import { inkOn } from './paint_labels.js';
import { plainText } from './plain_text.js';
import { levelsOf } from './rows_layout.js';
import { formatSpan } from './units.js';
import { isStateRow, numberOfKey, stateColour, userText, valuePieces } from './user_values.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./frame.js').Box} Box
 * @typedef {import('./decoder.js').TraceRow} TraceRow
 * @typedef {import('./user_values.js').ValuePiece} ValuePiece
 * @typedef {import('./user_values.js').Scale} Scale
 * @typedef {import('./paint_counter.js').ValueText} ValueText
 */

/** Minimum length of a value or a bar with a text, in CSS px. */
const TEXT_ROOM = 30;

/** Opacity of a column in which slices begin and end. */
const PART_ALPHA = 0.7;

/** Minimum length of a slice whose bar shows the duration, in CSS px. */
const DURATION_ROOM = 110;

/**
 * Paints a row, and returns the text of its last value in the view, or ''.
 * @param {Frame} frame @param {TraceRow} row @param {Box} box @param {ValueText[]|null} values receives the values to label;
 * null: nothing is labelled
 */
export function paintUserRow(frame, row, box, values) {
    const pieces = valuePieces(frame, row);
    const last = pieces.at(-1);

    if (row.kind === 'slice') {
        paintSlices(frame, row, box, pieces, values !== null);
        return '';
    }
    if (row.kind === 'log') {
        paintLog(frame, row, box, pieces, values !== null);
        return '';
    }
    if (isStateRow(row))
        paintUserStates(frame, row, box, pieces, values !== null);
    else
        paintPlot(frame, row, box, pieces, values);
    return last && last.flags & VALUES_LAST ? userText(frame.trace, row, last.last) : '';
}

/** @param {ValuePiece|undefined} piece */
const isKnown = (piece) => piece !== undefined && piece.min <= piece.max;

// ---- counters ----

/** Returns a function that computes the height of a key in the picture.
 *  @param {Frame} frame @param {TraceRow} row @param {Box} box @returns {(key: number) => number} */
function heightOf(frame, row, box) {
    const { least, most } = frame.scales.get(row.row) ?? { least: 0, most: 0 };
    const [low, high] = [numberOfKey(row.form, least), numberOfKey(row.form, most)];
    const room = box.height - px(frame, 1.5);

    if (!(high > low))
        return () => box.y + Math.round(room / 2);
    return (key) => {
        const part = (numberOfKey(row.form, key) / 2 - low / 2) / (high / 2 - low / 2); // halves cannot overflow

        return box.y + Math.round(room * (1 - Math.min(1, Math.max(0, part))));
    };
}

/** @param {Frame} frame @param {TraceRow} row @param {Box} box @param {ValuePiece[]} pieces @param {ValueText[]|null} values */
function paintPlot(frame, row, box, pieces, values) {
    const { ctx, colours } = frame;
    const yOf = heightOf(frame, row, box);
    const edge = px(frame, 1.5);
    const known = pieces.filter(isKnown);

    ctx.fillStyle = colours.levelRange;
    for (const piece of known)
        if (piece.min < piece.max)
            ctx.fillRect(piece.x0, yOf(piece.max), piece.x1 - piece.x0, yOf(piece.min) - yOf(piece.max) + edge);
    ctx.fillStyle = colours.levelEdge;
    for (const piece of known)
        if (piece.min === piece.max)
            ctx.fillRect(piece.x0, yOf(piece.min), piece.x1 - piece.x0, edge);
        else
            ctx.fillRect(piece.x0, yOf(piece.flags & VALUES_LAST ? piece.last : piece.max), piece.x1 - piece.x0, edge);
    for (const [i, piece] of pieces.entries())
        if (i > 0 && isKnown(piece) && pieces[i - 1].flags & VALUES_LAST && pieces[i - 1].x1 === piece.x0)
            paintStep(frame, piece, yOf, yOf(pieces[i - 1].last), edge);
    for (const piece of values ? known : [])
        addValue(frame, row, box, piece, yOf(piece.min), values);
}

/** Draws the vertical line from the value before a piece to the piece.
 *  @param {Frame} frame @param {ValuePiece} piece @param {(key: number) => number} yOf @param {number} before
 *  @param {number} edge */
function paintStep(frame, piece, yOf, before, edge) {
    const top = Math.min(before, yOf(piece.min));
    const bottom = Math.max(before, yOf(piece.max));

    if (before < yOf(piece.max) || before > yOf(piece.min))
        frame.ctx.fillRect(piece.x0, top, Math.max(1, Math.round(frame.d)), bottom - top + edge);
}

/** @param {Frame} frame @param {TraceRow} row @param {Box} box @param {ValuePiece} piece @param {number} y
 *  @param {ValueText[]} values */
function addValue(frame, row, box, piece, y, values) {
    const x = Math.max(piece.x0, frame.left);
    const room = piece.x1 - x;

    if (piece.min !== piece.max || room < TEXT_ROOM * frame.d)
        return;
    const above = y - box.y >= 14 * frame.d;

    values.push({ x, room, text: userText(frame.trace, row, piece.min), y: above ? y - 7 * frame.d : y + 9 * frame.d });
}

// ---- states ----

/** @param {Frame} frame @param {TraceRow} row @param {Box} box @param {ValuePiece[]} pieces @param {boolean} labelled */
function paintUserStates(frame, row, box, pieces, labelled) {
    const { ctx, colours } = frame;
    /** @param {number} key */
    const colourOf = (key) => colours.threads[stateColour(key, colours.threads.length)];

    for (const [i, piece] of pieces.entries()) {
        const keys = statesIn(piece);
        let y = box.y;

        for (const [place, key] of keys.entries()) {
            const bottom = box.y + Math.round((box.height * (place + 1)) / keys.length);

            ctx.fillStyle = colourOf(key);
            ctx.fillRect(piece.x0, y, piece.x1 - piece.x0, bottom - y);
            y = bottom;
        }
        if (keys.length !== 1 || piece.x1 - piece.x0 < px(frame, 3))
            continue;
        if (i > 0 && statesIn(pieces[i - 1]).length > 0)
            divide(frame, pieces, i, box);
        if (labelled)
            paintBarText(frame, piece, box, userText(frame.trace, row, piece.min), colourOf(piece.min));
    }
}

/** Returns keys of states that occur in a piece, at most three.
 *  @param {ValuePiece} piece */
function statesIn(piece) {
    return isKnown(piece) ? [...new Set([piece.min, piece.max, piece.flags & VALUES_LAST ? piece.last : piece.min])] : [];
}

/** Separates a state from the state before it. If the column between them has no third state, this column is the line.
 *  @param {Frame} frame @param {ValuePiece[]} pieces @param {number} i @param {Box} box */
function divide(frame, pieces, i, box) {
    const [first, between, second] = [i > 1 ? pieces[i - 2] : null, pieces[i - 1], pieces[i]];
    const others = statesIn(between).filter((key) => key !== second.min && key !== (first && isKnown(first) ? first.last : -1));

    if (between.x1 - between.x0 > 1)
        paintBegin(frame, second.x0, box);
    else if (!others.length && first && statesIn(between).length > 1)
        paintBegin(frame, between.x0, box);
}

/** Separates a bar from the bar before it.
 *  @param {Frame} frame @param {number} x @param {Box} box */
function paintBegin(frame, x, { y, height }) {
    frame.ctx.fillStyle = frame.colours.page;
    frame.ctx.fillRect(x, y, Math.max(1, Math.round(frame.d)), height);
}

/** @param {Frame} frame @param {{x0: number, x1: number}} bar @param {Box} box @param {string} text @param {string} ground */
function paintBarText(frame, bar, box, text, ground) {
    const { ctx, colours, texts, d } = frame;
    const x = Math.max(bar.x0, frame.left) + 5 * d;
    const room = bar.x1 - x - 4 * d;

    if (room < TEXT_ROOM * d / 2 || box.height < 10 * d)
        return;
    ctx.font = frame.font;
    ctx.fillStyle = inkOn(ground, colours.onLight, colours.onDark);
    ctx.fillText(texts.fit(frame.font, text, room), x, box.y + box.height / 2 + d / 2);
}

// ---- slices ----

/**
 * A bar of a level: at least `level` slices are open. tornLeft, tornRight: the begin or the end is not known. divided: another
 * bar ends where this bar begins.
 * @typedef {{x0: number, x1: number, tornLeft: boolean, tornRight: boolean, divided: boolean}} SliceBar
 * @param {ValuePiece[]} pieces @param {number} level from 1 @param {boolean} atEnd the last piece ends with the trace
 * @returns {{bars: SliceBar[], parts: ValuePiece[]}} parts: columns in which slices begin and end
 */
export function sliceBars(pieces, level, atEnd) {
    /** @type {SliceBar[]} */
    const bars = [];
    const parts = [];
    /** @type {SliceBar|null} */
    let bar = null;

    for (const [i, piece] of pieces.entries()) {
        if (!isKnown(piece) || piece.min < level) {
            if (bar)
                bar.tornRight = !isKnown(piece);
            bar = null;
            if (isKnown(piece) && piece.max >= level)
                parts.push(piece);
            continue;
        }
        if (!bar)
            bars.push(bar = {
                x0: piece.x0, x1: piece.x1, tornLeft: level === 1 && isTornLeft(pieces, i), tornRight: false,
                divided: i > 0 && pieces[i - 1].max >= level && pieces[i - 1].min === 0,
            });
        bar.x1 = piece.x1;
    }
    if (bar && atEnd)
        bar.tornRight = true;
    return { bars, parts };
}

/** @param {ValuePiece[]} pieces @param {number} i */
function isTornLeft(pieces, i) {
    return Boolean(pieces[i].flags & VALUES_INFERRED) || Boolean(i > 0 && pieces[i - 1].flags & VALUES_INFERRED);
}

/** @param {Frame} frame @param {TraceRow} row @param {Box} box @param {ValuePiece[]} pieces @param {boolean} labelled */
function paintSlices(frame, row, box, pieces, labelled) {
    const { ctx, colours } = frame;
    const levels = levelsOf(row);
    const atEnd = frame.query.to >= frame.trace.state().to;
    const ground = colours.threads[stateColour(row.number + 1, colours.threads.length)];
    const gap = levels > 1 ? Math.max(1, Math.round(frame.d)) : 0;

    for (let level = 1; level <= levels; level++) {
        const top = box.y + Math.round((box.height * (level - 1)) / levels);
        const lane = { y: top, height: box.y + Math.round((box.height * level) / levels) - top - gap };
        const { bars, parts } = sliceBars(pieces, level, atEnd);

        ctx.fillStyle = ground;
        ctx.globalAlpha = PART_ALPHA;
        for (const part of parts)
            ctx.fillRect(part.x0, lane.y, part.x1 - part.x0, lane.height);
        ctx.globalAlpha = 1;
        for (const bar of bars)
            ctx.fillRect(bar.x0, lane.y, bar.x1 - bar.x0, lane.height);
        for (const bar of bars)
            paintSlice(frame, row, bar, lane, labelled ? { level, ground } : null);
    }
}

/** Paints the edges and the text of a bar.
 *  @param {Frame} frame @param {TraceRow} row @param {SliceBar} bar @param {Box} box
 *  @param {{level: number, ground: string}|null} label */
function paintSlice(frame, row, bar, box, label) {
    if (bar.x1 - bar.x0 < px(frame, 3))
        return;
    if (bar.tornLeft)
        paintTorn(frame, bar.x0, 1, box);
    else if (bar.divided)
        paintBegin(frame, bar.x0, box);
    if (bar.tornRight)
        paintTorn(frame, bar.x1, -1, box);
    if (!label || bar.x1 - Math.max(bar.x0, frame.left) < TEXT_ROOM * frame.d)
        return;
    const duration = bar.x1 - bar.x0 < DURATION_ROOM * frame.d ? '' : durationText(frame, row, bar, label.level);

    paintBarText(frame, bar, box, [frame.layout.names[row.row], duration].filter(Boolean).join('  '), label.ground);
}

/** Paints a torn edge: teeth in the colour of the page.
 *  @param {Frame} frame @param {number} x @param {1|-1} into @param {Box} box */
function paintTorn(frame, x, into, box) {
    const { ctx, colours } = frame;
    const size = px(frame, 4);

    ctx.fillStyle = colours.page;
    ctx.beginPath();
    for (let y = box.y; y < box.y + box.height; y += size) {
        const bottom = Math.min(y + size, box.y + box.height);

        ctx.moveTo(x, y);
        ctx.lineTo(x + into * size, (y + bottom) / 2);
        ctx.lineTo(x, bottom);
    }
    ctx.fill();
}

/** Returns the duration of a slice, if its begin and its end are known.
 *  @param {Frame} frame @param {TraceRow} row @param {SliceBar} bar @param {number} level */
function durationText(frame, row, bar, level) {
    if (frame.byEvent)
        return '';
    const slice = frame.trace.slice(row.row, Math.round(toPosition(frame, (bar.x0 + bar.x1) / 2)), level);

    return slice && slice.fromKnown && slice.toKnown ? formatSpan(slice.to - slice.from, frame.hz) : '';
}

// ---- logs ----

/** Maximum length of a line's text, in CSS px. */
const LINE_ROOM = 400;

/** Paints a tick in each column with lines. The colour is stronger if the column has several lines.
 *  @param {Frame} frame @param {TraceRow} row @param {Box} box @param {ValuePiece[]} pieces @param {boolean} labelled */
function paintLog(frame, row, box, pieces, labelled) {
    const { ctx, colours, d } = frame;
    const end = frame.left + frame.width;

    for (const [i, piece] of pieces.entries()) {
        const room = Math.min((pieces[i + 1]?.x0 ?? end) - piece.x0, LINE_ROOM * d);

        ctx.fillStyle = colours.levelEdge;
        ctx.fillRect(piece.x0, box.y, Math.max(piece.x1 - piece.x0, px(frame, 1.5)), box.height);
        if (labelled && !frame.byEvent && room >= TEXT_ROOM * d && box.height >= 10 * d)
            paintLine(frame, row, box, piece, room);
    }
}

/** @param {Frame} frame @param {TraceRow} row @param {Box} box @param {ValuePiece} piece @param {number} room */
function paintLine(frame, row, box, piece, room) {
    const { ctx, colours, texts, d } = frame;
    const step = frame.trace.step(row.row, Math.ceil(toPosition(frame, piece.x1)) - 1);

    ctx.font = frame.font;
    ctx.fillStyle = colours.quiet;
    ctx.fillText(texts.fit(frame.font, plainText(step?.text ?? ''), room - 8 * d), piece.x0 + 5 * d, box.y + box.height / 2 + d / 2);
}

// ---- the axis of a counter ----

/**
 * Paints the largest and the smallest value of a counter at the right of its name.
 * @param {Frame} frame @param {TraceRow} row @param {Box} box
 */
export function paintScale(frame, row, box) {
    const { ctx, colours, texts, d } = frame;
    const scale = frame.scales.get(row.row);

    if (!scale || scale.least > scale.most || box.height < 32 * d)
        return;
    ctx.font = frame.fontSmall;
    ctx.fillStyle = colours.quiet;
    const ends = scale.least === scale.most ? [] : [{ key: scale.most, y: box.y + 4 * d }, { key: scale.least, y: box.y + box.height - 4 * d }];

    for (const { key, y } of ends) {
        const text = texts.fit(frame.fontSmall, userText(frame.trace, row, key), frame.left - 30 * d);

        ctx.fillText(text, frame.left - 10 * d - texts.width(frame.fontSmall, text), y);
    }
}
