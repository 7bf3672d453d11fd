// SPDX-License-Identifier: MIT
/*
 * What is searched for, as a user types it. Several words mean events that match all of them:
 *
 *     queue_send              in the event's name, its thread, an object or a field
 *     thread:app*             the thread or the interrupt that recorded it; object: and event: likewise
 *     sp=0x2000*              a field's value
 *     "sample pool"           blanks belong to it
 *
 * Without *, ? and [ a word may stand anywhere in the text, with them the pattern is the whole text. Case does not matter.
 */

import { TEXTS_MOST } from './abi.js';

/** Longer words than this are refused. */
const WORD_LENGTH_MOST = 100;

/** What may stand before a colon, and what of an event it means. */
const WORD_PLACES = /** @type {const} */ (['thread', 'object', 'event', 'class']);

/**
 * @typedef {{place: 'any'|'thread'|'object'|'event'|'class'|'field', field: string, pattern: string}} SearchWord
 * @param {string} text
 * @returns {{problem: string, words: SearchWord[]}} problem: '' or one line; words: empty if there is nothing to look for
 */
export function parseQuery(text) {
    const { problem, parts } = splitWords(text);

    if (problem)
        return { problem, words: [] };
    if (parts.length > TEXTS_MOST)
        return { problem: `more than ${TEXTS_MOST} words`, words: [] };
    const words = parts.map(parseWord);
    const problems = words.map((word, at) => wordProblem(word, parts[at])).filter(Boolean);

    return problems.length ? { problem: problems[0], words: [] } : { problem: '', words };
}

/** Parts between blanks; those between quotes stay together.
 *  @param {string} text */
function splitWords(text) {
    const parts = [];
    let part = '';
    let quoted = false;
    let started = false;

    for (const character of text) {
        if (character === '"') {
            quoted = !quoted;
            started = true;
        } else if (/\s/u.test(character) && !quoted) {
            if (started)
                parts.push(part);
            part = '';
            started = false;
        } else {
            part += character;
            started = true;
        }
    }
    if (quoted)
        return { problem: 'the quotation mark " is not closed', parts: [] };
    if (started)
        parts.push(part);
    return { problem: '', parts };
}

/** @param {string} part @returns {SearchWord} */
function parseWord(part) {
    const [, place, placed] = /^([a-z]+):(.*)$/su.exec(part) ?? [];
    const [, field, value] = /^([a-z_][a-z0-9_]*)=(.*)$/isu.exec(part) ?? [];

    for (const known of WORD_PLACES)
        if (known === place)
            return { place: known, field: '', pattern: placed };
    if (field)
        return { place: 'field', field: field.toLowerCase(), pattern: value };
    return { place: 'any', field: '', pattern: part };
}

/** '' or why a word cannot be searched for.
 *  @param {SearchWord} word @param {string} part as it was typed */
function wordProblem(word, part) {
    if (part.length > WORD_LENGTH_MOST)
        return `a word of more than ${WORD_LENGTH_MOST} characters`;
    if (!word.pattern)
        return part ? `nothing follows "${part}"` : 'there is nothing between the quotation marks';
    if (openSet(word.pattern))
        return `the [ in "${part}" is not closed: write ] behind the set, or \\[ for the character`;
    return '';
}

/** Is there a set, as in [a-z], that nothing closes?
 *  @param {string} pattern */
function openSet(pattern) {
    for (let at = 0; at < pattern.length; at++) {
        if (pattern[at] === '\\')
            at++;
        else if (pattern[at] === '[') {
            const first = at + (pattern[at + 1] === '!' ? 2 : 1); // a ] there belongs to the set
            const end = pattern.indexOf(']', first + 1);

            if (end < 0)
                return true;
            at = end;
        }
    }
    return false;
}

/** Does a word have *, ? or [, so that it means the whole text?
 *  @param {string} pattern */
export function isPattern(pattern) {
    return /[*?[\\]/.test(pattern);
}
