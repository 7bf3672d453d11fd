// SPDX-License-Identifier: MIT
/* The notes of marked events: flags on the axis with the beginnings of the notes. The pointer on a flag shows the whole note. */
import { px, toX } from './frame.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {{x: number, y: number, width: number, height: number, text: string, note: string, index: number}} NoteFlag x, y in
 * pixels of the frame; text: the part of the note that has room, or ''
 */

/** Sizes in CSS px. wide: the most for a text; bare: the width of a flag without a text; apart: free space between flags. */
const FLAG = { height: 13, wide: 160, bare: 7, pad: 4, apart: 2 };

/** Returns the visible events that have a note, from left to right.
 *  @param {Frame} frame @param {Map<number, string>} notes by number of the event */
function notedEvents(frame, notes) {
    const { trace, left, width } = frame;

    return [...notes].map(([seq, note]) => ({ seq, note, index: trace.indexOfSeq(seq) }))
        .filter(({ seq, index }) => index >= 0 && trace.seq(index) === seq)
        .map(({ note, index }) => ({ note, index, x: Math.round(toX(frame, frame.byEvent ? index : trace.ticks(index))) }))
        .filter(({ x }) => x >= left && x < left + width)
        .sort((a, b) => a.x - b.x);
}

/**
 * Returns the flags of a picture. A flag ends before the next flag.
 * @param {Frame} frame @param {Map<number, string>} notes by number of the event
 * @returns {NoteFlag[]}
 */
export function noteFlags(frame, notes) {
    const { texts, d } = frame;
    const events = notedEvents(frame, notes);

    return events.map(({ x, note, index }, at) => {
        const end = events[at + 1]?.x ?? frame.left + frame.width;
        const room = Math.min(FLAG.wide * d, end - x - FLAG.apart * d) - 2 * FLAG.pad * d;
        const text = texts.fit(frame.fontSmall, note, room);
        const bare = Math.max(px(frame, 2), Math.min(px(frame, FLAG.bare), end - x));
        const width = text ? Math.ceil(texts.width(frame.fontSmall, text) + 2 * FLAG.pad * d) : bare;

        return { x, y: frame.axisTop + px(frame, 1), width, height: px(frame, FLAG.height), text, note, index };
    });
}

/** @param {Frame} frame */
export function paintNotes(frame) {
    const { ctx, colours, d } = frame;

    ctx.font = frame.fontSmall;
    for (const { x, y, width, height, text } of frame.noteFlags) {
        ctx.fillStyle = colours.cursor;
        ctx.fillRect(x, y, px(frame, 1.5), frame.top - y);
        ctx.fillRect(x, y, width, height);
        ctx.fillStyle = colours.page;
        if (text)
            ctx.fillText(text, x + FLAG.pad * d, y + height / 2 + d / 2);
    }
}

/** Returns the flag at a point in CSS px of the frame, or null.
 *  @param {Frame|null} frame @param {number} x @param {number} y */
export function noteFlagAt(frame, x, y) {
    return frame?.noteFlags.findLast((flag) => x * frame.d >= flag.x && x * frame.d < flag.x + flag.width &&
        y * frame.d >= flag.y && y * frame.d < flag.y + flag.height) ?? null;
}
