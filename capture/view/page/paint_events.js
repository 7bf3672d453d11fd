// SPDX-License-Identifier: MIT
/*
 * Paints what a row recorded, above its bar: a tick for each column that has events, in the colour of their class, and for
 * user events a flag with their text where there is room. Where events are all along the row, they are a line.
 */
import { px, SIZES } from './frame.js';
import { plainText } from './plain_text.js';

/** A flag is wider than this, in CSS px, or it is a tick; it gets no wider than that. */
const FLAG_ROOM = 40;
const FLAG_MOST = 170;

/** Where events are crowded, holes that are no wider, in CSS px, are closed. */
const CROWD_GAP = 4;

/** No more flags than this in one picture. */
const FLAGS_MOST = 80;

/**
 * @param {import('./frame.js').Frame} frame
 * @param {object} row of trace.rows()
 * @param {{y: number, height: number}} lane
 * @param {{x: number, room: number, index: number, y: number}[]} flags gets user events that have room for their text
 */
export function paintEvents(frame, row, lane, flags) {
    const { ctx, query, colours } = frame;
    const found = frame.trace.eventColumns(row.row, query.from, query.to, query.count, frame.byEvent);
    const crowded = isCrowded(found.count, frame.d);
    const height = px(frame, crowded ? 2 : 5);
    const width = px(frame, 1);
    const bottom = lane.y + px(frame, SIZES.above) - 1;
    let end = 0;

    for (let x = 0; x < query.count; x = end) {
        end = x + 1;
        if (!found.count[x])
            continue;
        if (crowded)
            end = endOfCrowd(found.count, end, Math.round(CROWD_GAP * frame.d));
        ctx.fillStyle = crowded ? colours.crowd : colours.classes[EVENT_CLASSES[found.class[x]]] ?? colours.classes.other;
        ctx.fillRect(query.x + x, bottom - height, Math.max(width, end - x), height);
    }
    if (!crowded)
        addFlags(frame, row, lane, found, flags);
}

/** Where a line of events ends that began before: gaps as wide as `gap` are no end. */
function endOfCrowd(count, from, gap) {
    let end = from;

    for (let x = from; x < count.length && x <= end + gap; x++)
        if (count[x])
            end = x + 1;
    return end;
}

/** User events that have room for their text, up to the next one of their row. */
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

/** By enum txtap_event_class. */
export const EVENT_CLASSES = [
    'none', 'thread', 'queue', 'semaphore', 'mutex', 'flags', 'pool', 'time', 'isr', 'user', 'file', 'net', 'usb', 'other',
];

/** More than every fourth column of those that have events has a neighbour that has some too. */
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

function endFlag(frame, flag, next, flags) {
    flag.room = Math.min(next - flag.x - 2 * frame.d, FLAG_MOST * frame.d);
    if (flag.count === 1 && flag.room >= FLAG_ROOM * frame.d && flags.length < FLAGS_MOST)
        flags.push(flag);
}

/** The name of a user event that has no definition, and of a word of which the definition says nothing. */
const UNNAMED = 'user event';
const PLAIN_WORD = /^info\d$/;

/** The text of a user event: its name and its values; without a definition its number and its values. */
export function flagText(event) {
    const plain = event.name === UNNAMED;
    const values = event.fields.filter((field) => plain || !PLAIN_WORD.test(field.name))
        .map((field) => (field.name && !plain ? `${field.name}=${field.text}` : field.text));

    return plainText([plain ? `${event.id}:` : event.name, ...values].join(' '));
}

/**
 * Paints the flags; asks the trace for texts, so that it comes when no columns are needed any more.
 * @param {import('./frame.js').Frame} frame
 */
export function paintFlags(frame, flags) {
    const { ctx, colours, texts } = frame;
    const height = px(frame, 13);
    const pad = 4 * frame.d;

    ctx.font = frame.fontSmall;
    for (const flag of flags) {
        const event = frame.trace.event(flag.index);
        const text = event ? texts.fit(frame.fontSmall, flagText(event), flag.room - 2 * pad) : '';

        if (!text)
            continue;
        ctx.fillStyle = colours.userFlag;
        ctx.fillRect(flag.x, flag.y + px(frame, 1), Math.ceil(texts.width(frame.fontSmall, text) + 2 * pad), height);
        ctx.fillStyle = colours.classes.user;
        ctx.fillRect(flag.x, flag.y + px(frame, 1), px(frame, 2), frame.boxOf(flag.row).y - flag.y + px(frame, 3));
        ctx.fillStyle = colours.onUser;
        ctx.fillText(text, flag.x + pad, flag.y + px(frame, 1) + height / 2);
    }
}
