// SPDX-License-Identifier: MIT
/*
 * Paints the events that a row recorded, above its bar: a tick for each column that has events, in the colour of their class. A
 * user event has a flag with its text if the picture has only a few events. If events are dense along the row, the row has no
 * ticks: its area shows the load.
 */
import { EVENT_CLASSES } from './abi.js';
import { px } from './frame.js';
import { plainText } from './plain_text.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./frame.js').Box} Box
 * @typedef {import('./decoder.js').TraceRow} TraceRow
 * @typedef {import('./decoder.js').TraceEvent} TraceEvent
 * @typedef {import('./decoder.js').EventColumns} EventColumns
 */

/** Minimum and maximum width of a flag, in CSS px. With less room, a tick is drawn instead. */
const FLAG_ROOM = 40;
const FLAG_MOST = 170;

/** Minimum height of a lane with flags, in CSS px. */
const FLAG_LANE = 30;

/** Maximum number of flags in one picture. */
const FLAGS_MOST = 80;

/**
 * @typedef {{x: number, room: number, index: number, y: number, row: number, count: number}} Flag count: events in its column
 * @param {Frame} frame
 * @param {TraceRow} row
 * @param {{y: number, height: number}} lane
 * @param {Flag[]} flags receives user events that have room for their text
 */
export function paintEvents(frame, row, lane, flags) {
    const { ctx, query, colours } = frame;
    const found = frame.trace.eventColumns(row.row, query.from, query.to, query.count, frame.byEvent);
    const height = px(frame, Math.max(1, Math.min(5, frame.sizes.above - 1)));
    const width = px(frame, 1);
    const bottom = lane.y + px(frame, frame.sizes.above) - 1;

    if (isCrowded(found.count, frame.d))
        return;
    for (let x = 0; x < query.count; x++) {
        if (!found.count[x])
            continue;
        ctx.fillStyle = classColour(colours, found.class[x]);
        ctx.fillRect(query.x + x, bottom - height, width, height);
    }
    if (frame.isDeep && lane.height >= px(frame, FLAG_LANE))
        addFlags(frame, row, lane, found, flags);
}

/** @param {Frame['colours']} colours @param {number} number of the class */
function classColour(colours, number) {
    const name = EVENT_CLASSES[number] ?? 'other';

    return colours.classes[name === 'none' ? 'other' : name];
}

/** Collects user events that have room for their text before the next user event of the row.
 *  @param {Frame} frame @param {TraceRow} row @param {Box} lane @param {EventColumns} found @param {Flag[]} flags */
function addFlags(frame, row, lane, found, flags) {
    const { query } = frame;
    let flag = null;

    for (let x = 0; x < query.count; x++) {
        if (!found.count[x] || EVENT_CLASSES[found.class[x]] !== 'user')
            continue;
        if (flag)
            endFlag(frame, flag, query.x + x, flags);
        flag = { x: query.x + x, room: 0, index: found.index[x], y: lane.y, row: row.row, count: found.count[x] };
    }
    if (flag)
        endFlag(frame, flag, query.x + query.count, flags);
}

/** Reports whether more than a quarter of the columns with events have a neighbour with events.
 *  @param {Uint16Array} count @param {number} d */
function isCrowded(count, d) {
    const near = Math.max(2, Math.round(3 * d));
    let filled = 0;
    let beside = 0;
    let last = -near - 1;

    for (let x = 0; x < count.length; x++)
        if (count[x]) {
            filled++;
            beside += x - last <= near ? 1 : 0;
            last = x;
        }
    return filled > 40 && beside * 4 > filled;
}

/** @param {Frame} frame @param {Flag} flag @param {number} next @param {Flag[]} flags */
function endFlag(frame, flag, next, flags) {
    flag.room = Math.min(next - flag.x - 2 * frame.d, FLAG_MOST * frame.d);
    if (flag.count === 1 && flag.room >= FLAG_ROOM * frame.d && flags.length < FLAGS_MOST)
        flags.push(flag);
}

/** Pattern of generic names: of a user event without a definition, and of an undefined word. */
const UNNAMED = 'user event';
const PLAIN_WORD = /^info\d$/;

/** Zephyr's named user event, whose name is in its first field. */
const NAMED_RECORD = 'named_event';

/** Returns the text of a user event: its name and values. Without a definition: its number and values.
 *  @param {Pick<TraceEvent, 'id'|'name'|'fields'>} event */
export function flagText(event) {
    const plain = event.name === UNNAMED;
    const named = event.name === NAMED_RECORD && event.fields[0]?.name === 'name';
    const values = event.fields.slice(named ? 1 : 0).filter((field) => plain || !PLAIN_WORD.test(field.name))
        .map((field) => (field.name && !plain ? `${field.name}=${field.text}` : field.text));

    return plainText([plain ? `${event.id}:` : named ? event.fields[0].text : event.name, ...values].join(' '));
}

/** Sizes of a flag, in CSS px. */
const FLAG_HEIGHT = 13;
const FLAG_PAD = 4;

/**
 * Computes the texts and widths of the flags. It calls the trace, which invalidates columns: call it after the columns were
 * used.
 * @param {Frame} frame @param {Flag[]} flags
 * @returns {Map<number, {x: number, end: number, y: number, row: number, text: string}[]>} by row, from left to right
 */
export function placeFlags(frame, flags) {
    const { texts } = frame;
    const pad = FLAG_PAD * frame.d;
    const placed = new Map();

    for (const flag of flags) {
        const event = frame.trace.event(flag.index);
        const text = event ? texts.fit(frame.fontSmall, flagText(event), flag.room - 2 * pad) : '';
        const end = flag.x + Math.ceil(texts.width(frame.fontSmall, text) + 2 * pad);

        if (text)
            placed.set(flag.row, [...placed.get(flag.row) ?? [], { ...flag, text, end }]);
    }
    return placed;
}

/** @param {Frame} frame @param {ReturnType<placeFlags>} placed */
export function paintFlags(frame, placed) {
    const { ctx, colours } = frame;
    const height = px(frame, FLAG_HEIGHT);

    ctx.font = frame.fontSmall;
    for (const { x, end, y: top, row, text } of [...placed.values()].flat()) {
        const y = top + px(frame, 1);

        ctx.fillStyle = colours.userFlag;
        ctx.fillRect(x, y, end - x, height);
        ctx.fillStyle = colours.classes.user;
        ctx.fillRect(x, y, px(frame, 2), frame.boxOf(row).y - top + px(frame, 3));
        ctx.fillStyle = colours.onUser;
        ctx.fillText(text, x + FLAG_PAD * frame.d, y + height / 2);
    }
}
