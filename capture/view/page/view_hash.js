// SPDX-License-Identifier: MIT
/*
 * The user's view as the fragment of the URL, so that a link shows the same view:
 *
 *     #v=1200-3400&e=812&c=1500,2000&r=1300-1900&s=1&p=range&q=thread:app*&m=812:first%20overrun,900&y=event,812
 *
 * v: the view, on its axis; s=1: the sequential view; e: number of the selected event; m: numbers of the marked events, each
 * with its note; c: cursors and r: range, in ticks; p: the panel; q: the search; y: the question of the panel
 * "Why" (why/question.js); d, o, f, h, u: the choice of rows (row_choice.js). Invalid parts are ignored. With e and without v, the page shows the surroundings of the event. Pure.
 */
import { plainText } from './plain_text.js';
import { formatRows, parseRows } from './row_choice.js';
import { formatQuestion, parseQuestion } from './why/question.js';

/** Length of a link that browsers, chats and trackers take. */
const HASH_LENGTH_MOST = 8000;
const MARKS_IN_HASH = 100;

/** Maximum number of characters of a note. */
export const NOTE_LENGTH_MOST = 80;

/** Names of the panels; '' means that the panel is closed. */
export const PANEL_NAMES = ['checks', 'summary', 'range', 'flow', 'profile', 'instances', 'selection', 'why', 'search'];

/**
 * @typedef {{view?: {from: number, to: number}, byEvent?: boolean, event?: number, cursors?: (number|null)[],
 *     range?: {from: number, to: number}|null, panel?: string, query?: string, marks?: number[], notes?: Map<number, string>,
 *     rows?: import('./row_choice.js').RowChoice, question?: import('./why/question.js').Question|null}} Place
 *     event -1, range null: nothing is selected; notes: by number of the marked event
 * @param {Place} place
 * @returns {string} with the #; '' if the place is empty
 */
export function formatHash(place) {
    /** @type {string[]} */
    const parts = [];
    /** @param {string} key @param {string} text */
    const add = (key, text) => parts.push(`${key}=${text}`);
    /** @param {{from: number, to: number}} of */
    const pair = ({ from, to }) => `${numberText(from)}-${numberText(to)}`;

    if (place.view)
        add('v', pair(place.view));
    if (place.byEvent)
        add('s', '1');
    if (place.event >= 0)
        add('e', String(place.event));
    if (place.cursors?.some((cursor) => cursor !== null))
        add('c', place.cursors.map((cursor) => (cursor === null ? '' : numberText(cursor))).join(','));
    if (place.range)
        add('r', pair(place.range));
    if (place.panel !== undefined && place.panel !== 'summary')
        add('p', place.panel);
    if (place.query)
        add('q', encodeURIComponent(place.query));
    if (place.marks?.length)
        add('m', place.marks.slice(0, MARKS_IN_HASH).map((seq) => markText(seq, place.notes?.get(seq))).join(','));
    if (place.question)
        add('y', formatQuestion(place.question));
    if (place.rows)
        formatRows(place.rows, add);
    return parts.length ? `#${parts.join('&')}` : '';
}

/** @param {number} seq @param {string|undefined} note */
function markText(seq, note) {
    return note ? `${seq}:${encodeURIComponent(noteText(note))}` : String(seq);
}

/** Returns a note as it is kept: one line of limited length, without invisible characters.
 *  @param {string} typed */
export function noteText(typed) {
    return plainText(Array.from(typed.trim()).slice(0, NOTE_LENGTH_MOST).join(''));
}

/** Reports whether the place fits into a link that parseHash() takes.
 *  @param {Place} place */
export function fitsHash(place) {
    return formatHash(place).length <= HASH_LENGTH_MOST;
}

/** Rounds to thousandths of a tick: a screen does not show more.
 *  @param {number} number */
function numberText(number) {
    return String(Math.round(number * 1000) / 1000);
}

/**
 * @param {string} hash with or without the #
 * @returns {Place} the valid parts
 */
export function parseHash(hash) {
    /** @type {Place} */
    const place = {};

    if (hash.length > HASH_LENGTH_MOST)
        return place;
    const values = new Map(hash.replace(/^#/, '').split('&').map((part) => {
        const at = part.indexOf('=');

        return at > 0 ? [part.slice(0, at), part.slice(at + 1)] : ['', ''];
    }));
    /** @template {keyof Place} K @param {K} name @param {Place[K]} value */
    const put = (name, value) => {
        if (value !== undefined)
            place[name] = value;
    };

    put('view', parsePair(values.get('v'), -1e15));
    put('byEvent', values.get('s') === '1' ? true : undefined);
    put('event', parseWhole(values.get('e')));
    put('cursors', parseCursors(values.get('c')));
    put('range', parsePair(values.get('r'), 0));
    put('panel', ['', ...PANEL_NAMES].includes(values.get('p')) ? values.get('p') : undefined);
    put('query', parseText(values.get('q')));
    put('question', parseQuestion(values.get('y')));
    parseMarks(values.get('m'), place);
    put('rows', parseRows(values));
    return place;
}

/** @param {string|undefined} text @param {number} [least] */
function parseNumber(text, least = 0) {
    const number = /^-?\d{1,16}(\.\d{1,3})?$/.test(text ?? '') ? Number(text) : NaN;

    return number >= least && number <= Number.MAX_SAFE_INTEGER ? number : undefined;
}

/** @param {string|undefined} text */
function parseWhole(text) {
    return /^\d{1,16}$/.test(text ?? '') ? parseNumber(text) : undefined;
}

/** @param {string|undefined} text @param {number} least */
function parsePair(text, least) {
    const [, first, second] = /^(-?[\d.]+)-(-?[\d.]+)$/.exec(text ?? '') ?? [];
    const from = parseNumber(first, least);
    const to = parseNumber(second, least);

    return from !== undefined && to !== undefined && from < to ? { from, to } : undefined;
}

/** @param {string|undefined} text */
function parseCursors(text) {
    const parts = (text ?? '').split(',');
    const cursors = parts.map((part) => parseNumber(part) ?? null);

    return parts.length === 2 && cursors.some((cursor) => cursor !== null) ? cursors : undefined;
}

/** @param {string|undefined} text */
function parseText(text) {
    try {
        return text ? decodeURIComponent(text) : undefined;
    } catch {
        return undefined;
    }
}

/** @param {string|undefined} text @param {Place} place gets the marks and their notes */
function parseMarks(text, place) {
    const notes = new Map();
    const marks = new Set();

    for (const part of (text ?? '').split(',')) {
        const [, number, note] = /^(\d{1,16})(?::(.*))?$/.exec(part) ?? [];
        const seq = parseWhole(number);

        if (seq !== undefined && marks.size < MARKS_IN_HASH) {
            marks.add(seq);
            notes.set(seq, noteText(parseText(note) ?? ''));
        }
    }
    if (!marks.size)
        return;
    place.marks = [...marks].sort((a, b) => a - b);
    place.notes = new Map([...notes].filter(([, note]) => note));
}

/**
 * A view that the browser's history keeps.
 * @typedef {{from: number, to: number, byEvent: boolean, follow: boolean, whole: boolean}} Seen
 */

/**
 * Reports whether a view is another place than the view before, so that Back returns to the view before: less than half of
 * the smaller view is in the other, the scale differs by a factor of two, or the kind of view differs. Following a target is
 * one place, and so is the whole trace while it is read.
 * @param {Seen} before @param {Seen} now
 */
export function isElsewhere(before, now) {
    if (before.byEvent !== now.byEvent || before.follow !== now.follow)
        return true;
    if (now.follow || (before.whole && now.whole))
        return false;
    const [narrow, wide] = [before.to - before.from, now.to - now.from].sort((a, b) => a - b);

    return wide >= 2 * narrow || Math.min(before.to, now.to) - Math.max(before.from, now.from) < narrow / 2;
}
