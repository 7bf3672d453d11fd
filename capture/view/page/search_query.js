// SPDX-License-Identifier: MIT
/*
 * Parses a search as the user types it. An event must match all words:
 *
 *     queue_send              in the event's name, its thread, an object or a field
 *     thread:app*             the thread or the interrupt that recorded it; object: and event: work alike
 *     by:app                  the thread that called, but not an interrupt that interrupted it; by:isr, by:init
 *     sp=0x2000*              the value of a field
 *     "sample pool"           one word with a blank
 *
 * A word without *, ? and [ matches any part of a text. With them it must match the whole text. Case does not matter.
 */

import { TEXTS_MOST } from './abi.js';

/** Maximum length of a word. */
const WORD_LENGTH_MOST = 100;

/** The prefixes before a colon, and the property of an event that each selects. */
const WORD_PLACES = /** @type {const} */ (['thread', 'by', 'object', 'event', 'class']);

/**
 * @typedef {{place: 'any'|'thread'|'by'|'object'|'event'|'class'|'field', field: string, pattern: string}} SearchWord
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

/** Splits at blanks; a quoted part stays together.
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

/** Returns '', or why the word cannot be searched for.
 *  @param {SearchWord} word @param {string} part as it was typed */
function wordProblem(word, part) {
    if (part.length > WORD_LENGTH_MOST)
        return `a word is longer than ${WORD_LENGTH_MOST} characters`;
    if (!word.pattern)
        return part ? `nothing follows "${part}"` : 'the quotation marks are empty';
    if (openSet(word.pattern))
        return `the [ in "${part}" is not closed: write ] after the set, or \\[ for the character`;
    return '';
}

/** Does the pattern have a set without its closing bracket?
 *  @param {string} pattern */
function openSet(pattern) {
    for (let at = 0; at < pattern.length; at++) {
        if (pattern[at] === '\\')
            at++;
        else if (pattern[at] === '[') {
            const first = at + (pattern[at + 1] === '!' ? 2 : 1); // a ] at the start belongs to the set
            const end = pattern.indexOf(']', first + 1);

            if (end < 0)
                return true;
            at = end;
        }
    }
    return false;
}

/** Reports whether the word has *, ? or [, so that it must match the whole text.
 *  @param {string} pattern */
export function isPattern(pattern) {
    return /[*?[\\]/.test(pattern);
}
