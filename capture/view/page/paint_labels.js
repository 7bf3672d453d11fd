// SPDX-License-Identifier: MIT
/* Paints the texts of steps after all shapes: the running context, durations, the reason of a wait. A text never lies under a
 * flag. */
import { ROW_NONE, ROW_STATE, WAITS } from './abi.js';
import { stepColour, threadOf } from './paint_states.js';
import { roomBetween } from './text_fit.js';
import { formatSpan } from './units.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./paint_states.js').Label} Label
 */

/** Common names of reasons to wait whose name in WAITS is not the common name.
 *  @type {Object<string, string>} */
const WAIT_TEXTS = { ready: 'blocked', io: 'I/O', tcp_ip: 'TCP/IP' };

/** Returns the object of a wait: "queue · samples".
 *  @param {string[]} names @param {number} reason @param {number} object */
export function waitText(names, reason, object) {
    const wait = WAITS[reason] ?? 'ready';
    const what = WAIT_TEXTS[wait] ?? wait.replace('_', ' ');

    return object === ROW_NONE || names[object] === undefined ? what : `${what} · ${names[object]}`;
}

/**
 * @param {Frame} frame
 * @param {Label[]} labels
 * @param {Map<number, {x: number, end: number}[]>} flags of rows, which cover labels
 */
export function paintLabels(frame, labels, flags) {
    frame.ctx.font = frame.font;
    for (const label of labels) {
        const taken = flags.get(label.row) ?? [];

        if (label.state === ROW_STATE.BLOCKED)
            paintOnLine(frame, label, taken);
        else
            paintInBar(frame, label, taken);
    }
}

/** Paints the label on a thin line, with the page's colour behind the text.
 *  @param {Frame} frame @param {Label} label @param {{x: number, end: number}[]} taken */
function paintOnLine(frame, label, taken) {
    const { ctx, colours, texts, d } = frame;
    const pad = 4 * d;
    const whole = waitText(frame.layout.names, label.reason, label.object);
    const { x, room } = roomBetween(Math.max(label.x0, frame.left) + 6 * d, label.x1 - 6 * d, texts.width(frame.font, whole) + 2 * pad,
        taken);
    const text = texts.fit(frame.font, whole, room - 2 * pad);
    const middle = label.y + label.height / 2;

    if (!text)
        return;
    ctx.fillStyle = colours.page;
    ctx.fillRect(x, Math.round(middle - 7 * d), Math.ceil(texts.width(frame.font, text)) + 2 * pad, Math.round(14 * d));
    ctx.fillStyle = colours.quiet;
    ctx.fillText(text, x + pad, middle);
}

/** @param {Frame} frame @param {Label} label @param {{x: number, end: number}[]} taken */
function paintInBar(frame, label, taken) {
    const { ctx, texts, d } = frame;
    const name = nameText(frame, label);
    const whole = name || durationText(frame, label);
    const { x, room } = roomBetween(Math.max(label.x0, frame.left) + 5 * d, label.x1 - 4 * d, texts.width(frame.font, whole), taken);
    const text = name ? texts.fit(frame.font, name, room) : texts.whole(frame.font, whole, room);

    if (!text)
        return;
    ctx.fillStyle = inkOf(frame, label);
    ctx.fillText(text, x, label.y + label.height / 2 + d / 2);
}

/** Returns the context that has the core or the owner of the mutex; '' if the row itself names it.
 *  @param {Frame} frame @param {Label} label */
function nameText(frame, label) {
    const { names } = frame.layout;

    switch (frame.layout.rows[label.row].kind) {
    case 'core':
        return coreText(names, label);
    case 'mutex':
        return label.state === ROW_STATE.HELD ? `held by ${names[label.object] ?? 'unknown'}` : '';
    default:
        return '';
    }
}

/** @param {string[]} names @param {Label} label */
function coreText(names, label) {
    switch (label.state) {
    case ROW_STATE.RUNNING:
    case ROW_STATE.ISR:
        return names[label.object] ?? '';
    case ROW_STATE.INIT:
        return 'initialisation';
    default:
        return '';
    }
}

/** Returns the length of the step, if both ends are known.
 *  @param {Frame} frame @param {Label} label */
function durationText(frame, label) {
    if (!label.whole || frame.byEvent || !['thread', 'isr'].includes(frame.layout.rows[label.row].kind))
        return '';
    const middle = (label.x0 + label.x1) / 2 - frame.left;
    const ticks = Math.round(frame.from + (middle * (frame.to - frame.from)) / frame.width);
    const step = frame.trace.step(label.row, ticks);

    return step && step.fromKnown && step.toKnown ? formatSpan(step.to - step.from, frame.hz) : '';
}

/** Returns the colour of the text: dark on light bars, light on dark bars.
 *  @param {Frame} frame @param {Label} label */
function inkOf(frame, label) {
    const { colours, layout } = frame;
    const ground = stepColour(frame, threadOf(layout.rows[label.row], label.object), label.state, label.reason);

    return inkOn(ground, colours.onLight, colours.onDark);
}

/** Returns the ink with the higher contrast on a ground "#rrggbb".
 *  @param {string} ground @param {string} dark @param {string} light */
export function inkOn(ground, dark, light) {
    const [r, g, b] = [1, 3, 5].map((at) => (parseInt(ground.slice(at, at + 2), 16) / 255) ** 2.2);

    return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.2 ? dark : light;
}
