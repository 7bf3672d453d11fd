// SPDX-License-Identifier: MIT
/*
 * The colours of the timeline, in one table for light and one for dark. Any two colours of states also differ for people with
 * each of the three kinds of colour blindness (tests/view/colours.mjs). Shapes show the state as well: running has full
 * height, ready is lower, interrupted is striped, blocked is a thin line.
 */

import { ROW_STATE, WAITS } from './abi.js';

/**
 * Colours of states and of reasons to wait. Any two colours of a theme differ by 20 or more (CIE dE76) in normal sight and in
 * sight without one kind of cone.
 * @typedef {'running'|'ready'|'interrupt'|'queue'|'semaphore'|'flags'|'pool'|'mutex'|'waits'} StateColour
 * @type {{light: Record<StateColour, string>, dark: Record<StateColour, string>}}
 */
export const STATE_COLOURS = {
    light: {
        running: '#0b8f6c',
        ready: '#f0a81c',
        interrupt: '#731e0d',
        queue: '#0cb5ed',
        semaphore: '#0d1573',
        flags: '#6f2cce',
        pool: '#8e862f',
        mutex: '#ac3999',
        waits: '#9ba2b0',
    },
    dark: {
        running: '#1fb58b',
        ready: '#f5b83d',
        interrupt: '#d31717',
        queue: '#a8e6fa',
        semaphore: '#5177ec',
        flags: '#562dd2',
        pool: '#f1ecb1',
        mutex: '#931a7f',
        waits: '#8d96c4',
    },
};

/** Colours of everything else that is drawn. */
export const PLAIN_COLOURS = {
    light: {
        page: '#ffffff',
        sunken: '#f6f7f9',
        line: '#edeff3',
        lineStrong: '#d5dae1',
        text: '#1a2230',
        quiet: '#5d6878',
        onDark: '#ffffff',
        onLight: '#1a2230',
        interrupted: '#a7dccb',
        interruptedStripe: '#0b8f6c',
        init: '#7a8699',
        idle: '#e6e9ee',
        gap: '#fdecea',
        gapStripe: '#eeb6b0',
        gapText: '#a3271d',
        mark: '#a3271d',
        accent: '#0b6bb8',
        selection: 'rgba(11, 107, 184, 0.12)',
        level: '#d3e5f5',
        levelRange: '#a9cbe9',
        levelEdge: '#4d8fc9',
        readyArea: '#f7d48f',
        arrow: '#5d6878',
        hit: '#d6006e',
        focus: '#eef5fb',
        userFlag: '#fde3f0',
        onUser: '#8f0049',
        onAccent: '#ffffff',
        cursor: '#8a4b00',
        plate: '#e3e8ef',
        veil: 'rgba(233, 237, 242, 0.55)',
    },
    dark: {
        page: '#12161c',
        sunken: '#171c23',
        line: '#1f262f',
        lineStrong: '#323b47',
        text: '#e4e8ee',
        quiet: '#949fae',
        onDark: '#ffffff',
        onLight: '#10141a',
        interrupted: '#145844',
        interruptedStripe: '#1fb58b',
        init: '#6d7889',
        idle: '#222a34',
        gap: '#2b1a1d',
        gapStripe: '#6b3336',
        gapText: '#ff9d94',
        mark: '#ff8a80',
        accent: '#58a9f0',
        selection: 'rgba(88, 169, 240, 0.16)',
        level: '#1c3852',
        levelRange: '#2d5a83',
        levelEdge: '#5a9ad6',
        readyArea: '#7d6328',
        arrow: '#949fae',
        hit: '#ff5fa8',
        focus: '#18222d',
        userFlag: '#4a1830',
        onUser: '#ffb9da',
        onAccent: '#0d1b28',
        cursor: '#ffb86b',
        plate: '#2c3541',
        veil: 'rgba(12, 15, 19, 0.55)',
    },
};

/**
 * Colours of threads, the same in the lane of a core, the thread's lane, the minimap and the panel. After the last colour the
 * first comes again.
 */
export const THREAD_COLOURS = {
    light: ['#4a78a8', '#c8553d', '#3d9970', '#9a6bb0', '#2f9fb8', '#c46484', '#7a8f2b', '#6f86d6', '#8a6a4f', '#2f7f86', '#b04fa3',
        '#5f9f3b', '#4455a8'],
    dark: ['#6e9bd1', '#e8806a', '#62c79b', '#ba8fd2', '#63c5d8', '#e58ba8', '#b5c95c', '#a3a8f7', '#c4a183', '#4a9a8c', '#dd83d0',
        '#94d06c', '#6c74dd'],
};

/** Colours of event marks, by class. */
export const CLASS_COLOURS = {
    light: {
        thread: '#5d6878',
        queue: '#0795c5',
        semaphore: '#0d1573',
        mutex: '#ac3999',
        flags: '#6f2cce',
        pool: '#7a7327',
        time: '#5d6878',
        isr: '#731e0d',
        user: '#d6006e',
        file: '#2f6f9f',
        net: '#2f6f9f',
        usb: '#2f6f9f',
        other: '#8a93a1',
    },
    dark: {
        thread: '#949fae',
        queue: '#a8e6fa',
        semaphore: '#7f9cf5',
        mutex: '#d868c2',
        flags: '#9f83f7',
        pool: '#f1ecb1',
        time: '#949fae',
        isr: '#ff6a5c',
        user: '#ff5fa8',
        file: '#7fb6e2',
        net: '#7fb6e2',
        usb: '#7fb6e2',
        other: '#828c9a',
    },
};

/**
 * Reasons to wait that have a colour of their own. All other reasons have the colour 'waits'.
 * @type {Partial<Record<typeof WAITS[number], StateColour>>}
 */
export const WAIT_COLOURS = {
    queue: 'queue', semaphore: 'semaphore', event_flags: 'flags', block_pool: 'pool', byte_pool: 'pool', mutex: 'mutex',
};

/**
 * States of rows that are drawn. A blocked thread has the colour of its reason to wait instead.
 * @type {Record<string, PlainColour>}
 */
const ROW_COLOURS = {
    RUNNING: 'running', INTERRUPTED: 'interrupted', READY: 'ready', IDLE: 'idle', ISR: 'interrupt', INIT: 'init', HELD: 'mutex',
};

/**
 * @typedef {ReturnType<typeof coloursOf>} Colours
 * @typedef {StateColour|keyof typeof PLAIN_COLOURS.light} PlainColour names of entries that are a single colour
 * @param {'light'|'dark'} theme
 */
export function coloursOf(theme) {
    const plain = { ...STATE_COLOURS[theme], ...PLAIN_COLOURS[theme] };

    return {
        ...plain,
        stateOf: Object.keys(ROW_STATE).map((state) => plain[ROW_COLOURS[state]] ?? ''),
        threads: THREAD_COLOURS[theme],
        threadTints: THREAD_COLOURS[theme].map((colour) => mixed(colour, plain.page, TINT)),
        classes: CLASS_COLOURS[theme],
        waitOf: WAITS.map((wait) => STATE_COLOURS[theme][WAIT_COLOURS[wait] ?? 'waits']),
    };
}

/** Share of a thread's colour in the thread's tint. The tint shows that the thread is interrupted. */
const TINT = 0.35;

/** Returns a mixture of two colours "#rrggbb".
 *  @param {string} colour @param {string} ground @param {number} part of `colour`, 0 to 1 */
function mixed(colour, ground, part) {
    /** @param {string} of @param {number} at */
    const byte = (of, at) => parseInt(of.slice(at, at + 2), 16);

    return `#${[1, 3, 5].map((at) => Math.round(byte(colour, at) * part + byte(ground, at) * (1 - part)).toString(16).padStart(2, '0')).join('')}`;
}

/** The theme that a program chose which shows the page. '': the system's theme.
 *  @type {'light'|'dark'|''} */
let chosenTheme = '';

/** @type {Set<() => void>} */
const themeWatchers = new Set();

/** Returns the theme of the page, which is the system's theme unless another theme was chosen.
 *  @returns {'light'|'dark'} */
export function systemTheme() {
    return chosenTheme || (globalThis.matchMedia?.('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}

/** Calls a function after each change of the theme.
 *  @param {() => void} watcher */
export function watchTheme(watcher) {
    themeWatchers.add(watcher);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', watcher);
}

/** The rules of the style sheet for a dark theme.
 *  @type {CSSMediaRule[]|null} */
let darkRules = null;

/** Shows the page in a theme that is not the system's.
 *  @param {'light'|'dark'} theme */
export function chooseTheme(theme) {
    darkRules ??= [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
        .filter(/** @returns {rule is CSSMediaRule} */ (rule) => rule instanceof CSSMediaRule && rule.conditionText.includes('prefers-color-scheme: dark'));
    for (const { media } of darkRules)
        media.mediaText = theme === 'dark' ? 'all' : 'not all';
    document.documentElement.style.colorScheme = theme;
    chosenTheme = theme;
    for (const watcher of themeWatchers)
        watcher();
}
