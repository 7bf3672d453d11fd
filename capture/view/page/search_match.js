// SPDX-License-Identifier: MIT
/* Decides whether an event matches the words of a search. Patterns are those of txtap's options
 * (include/txtap/inner/pattern.h). Pure. */
import { isPattern } from './search_query.js';

/**
 * @typedef {import('./decoder.js').TraceEvent} TraceEvent
 * @typedef {import('./search_query.js').SearchWord} SearchWord
 */

/**
 * Reports whether the pattern matches the whole text. * matches any text, ? matches one character, [a-z] and [!a-z]
 * match one character of a set, \ makes the next character ordinary. Pattern and text are in lower case. Takes at most
 * pattern length * text length steps.
 * @param {string} pattern @param {string} text
 */
export function patternMatches(pattern, text) {
    let at = 0;
    let inText = 0;
    let star = -1; // pattern position after the last *, and the text position of the last attempt to match from there
    let tried = 0;

    while (inText < text.length) {
        const taken = at < pattern.length && pattern[at] !== '*' ? oneMatches(pattern, at, text[inText]) : 0;

        if (pattern[at] === '*') {
            star = ++at;
            tried = inText;
        } else if (taken) {
            at += taken;
            inText++;
        } else if (star >= 0) {
            at = star;
            inText = ++tried;
        } else {
            return false;
        }
    }
    while (pattern[at] === '*')
        at++;
    return at === pattern.length;
}

/** Returns the number of pattern characters that match this character; 0: no match.
 *  @param {string} pattern @param {number} at @param {string} character */
function oneMatches(pattern, at, character) {
    if (pattern[at] === '?')
        return 1;
    if (pattern[at] === '[')
        return setMatches(pattern, at, character);
    if (pattern[at] === '\\' && at + 1 < pattern.length)
        return pattern[at + 1] === character ? 2 : 0;
    return pattern[at] === character ? 1 : 0;
}

/** @param {string} pattern @param {number} at @param {string} character */
function setMatches(pattern, at, character) {
    const not = pattern[at + 1] === '!';
    const first = at + (not ? 2 : 1);
    const end = pattern.indexOf(']', first + 1); // a ] at the start belongs to the set
    let found = false;

    if (end < 0)
        return character === '[' ? 1 : 0;
    for (let i = first; i < end; i++) {
        const isRange = pattern[i + 1] === '-' && i + 2 < end;
        const last = isRange ? pattern[i + 2] : pattern[i];

        found ||= character >= pattern[i] && character <= last;
        i += isRange ? 2 : 0;
    }
    return found !== not ? end + 1 - at : 0;
}

/** Matches a word against a text: with a pattern the whole text, otherwise any part of it.
 *  @param {string} pattern @param {string} text */
function wordIn(pattern, text) {
    const lower = text.toLowerCase();

    return isPattern(pattern) ? patternMatches(pattern, lower) : lower.includes(pattern);
}

/** Compares a word with the value of a field: as a pattern, as equal text, or as an equal number.
 *  @param {string} pattern @param {string} text */
function valueIs(pattern, text) {
    const lower = text.toLowerCase();
    const number = /^(0x[0-9a-f]+|\d+)$/;

    if (isPattern(pattern))
        return patternMatches(pattern, lower);
    return lower === pattern || (number.test(pattern) && number.test(lower) && Number(pattern) === Number(lower));
}

/** Returns the context that recorded an event, as the page shows it. 'idle' is an interrupt that occurred while no
 *  thread was running.
 *  @param {TraceEvent} event */
export function contextText(event) {
    return event.context === 'idle' ? 'isr' : soughtContext(event);
}

/** Returns the context as a search text: a text that the decoder's output for the event contains.
 *  @param {TraceEvent} event */
function soughtContext(event) {
    if (event.context === 'thread' || event.context === undefined)
        return event.threadName || addressText(event.thread);
    return event.threadName ? `${event.context}: ${event.threadName}` : event.context;
}

/** Returns the thread that recorded an event, 'isr' for all interrupts, or 'init'.
 *  @param {TraceEvent} event */
function callerText(event) {
    if (event.isr)
        return 'isr';
    return event.context === 'init' ? 'init' : event.threadName || addressText(event.thread);
}

/** @param {number|undefined} address */
function addressText(address) {
    return address ? `0x${address.toString(16).padStart(8, '0')}` : '';
}

/** @param {SearchWord} word @param {TraceEvent} event */
function wordMatches(word, event) {
    const pattern = word.pattern.toLowerCase();
    const fields = () => event.fields;

    switch (word.place) {
    case 'thread':
        return wordIn(pattern, soughtContext(event)) || wordIn(pattern, event.threadName ?? '') ||
            wordIn(pattern, addressText(event.thread));
    case 'by':
        return wordIn(pattern, callerText(event)) || (!event.isr && wordIn(pattern, addressText(event.thread)));
    case 'object':
        return fields().some((field) => wordIn(pattern, field.text));
    case 'event':
        return wordIn(pattern, event.name) || pattern === String(event.id);
    case 'class':
        return wordIn(pattern, event.class);
    case 'field':
        return fields().some((field) => field.name.toLowerCase() === word.field && valueIs(pattern, field.text));
    default:
        return wordIn(pattern, event.name) || wordIn(pattern, soughtContext(event)) ||
            fields().some((field) => wordIn(pattern, field.text) || wordIn(pattern, field.name));
    }
}

/**
 * @param {SearchWord[]} words
 * @param {TraceEvent} event
 */
export function eventMatches(words, event) {
    return words.every((word) => wordMatches(word, event));
}

/** Minimum length of a text to ask for: shorter texts occur in too many events. */
const SOUGHT_LEAST = 2;

/**
 * Returns texts that the class or the JSON of every matching event contains, for trace.candidate(). Each word
 * contributes its longest run of letters and digits outside of patterns. Addresses and numbers contribute nothing,
 * because their spelling may differ.
 * @param {SearchWord[]} words
 * @returns {string[]}
 */
export function soughtTexts(words) {
    return words.map(soughtText).filter((text) => text.length >= SOUGHT_LEAST);
}

/** @param {SearchWord} word */
function soughtText(word) {
    const pattern = word.pattern.toLowerCase();
    const isNumber = /^(0x)?[0-9a-f]+$/.test(pattern);

    if (word.place === 'field')
        return isNumber ? word.field : longestRun(pattern) || word.field;
    return pattern.startsWith('0x') || (word.place === 'by' && ['isr', 'init'].includes(pattern)) || isNumber ? '' : longestRun(pattern);
}

/** @param {string} pattern */
function longestRun(pattern) {
    const plain = pattern.replace(/\[.[^\]]*\]|\\./g, '*'); // removes sets and escaped characters

    return plain.split(/[^a-z0-9_]+/).reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}
