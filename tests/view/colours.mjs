// SPDX-License-Identifier: MIT
/*
 * Tests that the colours of states differ, also for people who lack one kind of cone cell. The simulation of their
 * sight follows Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
 * Deficiency" (2009), severity 1.0.
 */
import assert from 'node:assert/strict';
import test from 'node:test';

import { WAITS } from '../../capture/view/page/abi.js';
import { CLASS_COLOURS, PLAIN_COLOURS, STATE_COLOURS, THREAD_COLOURS, WAIT_COLOURS, coloursOf } from '../../capture/view/page/colours.js';

const DIFFERENCE_LEAST = 20;
const THREADS_DIFFER = 15;

const SIGHTS = {
    normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    protan: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
    deutan: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
    tritan: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

/** sRGB (D65) to CIE XYZ, relative to the white point. */
const TO_XYZ = [
    0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047,
    0.2126729, 0.7151522, 0.072175,
    0.0193339 / 1.08883, 0.119192 / 1.08883, 0.9503041 / 1.08883,
];

const linear = (byte) => (byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
const rgb = (hex) => [1, 3, 5].map((at) => linear(parseInt(hex.slice(at, at + 2), 16)));
const times = (m, [a, b, c]) => [0, 3, 6].map((row) => m[row] * a + m[row + 1] * b + m[row + 2] * c);
const clamp = (values) => values.map((value) => Math.min(1, Math.max(0, value)));

function lab(hex, sight) {
    const seen = clamp(times(SIGHTS[sight], rgb(hex)));
    const [x, y, z] = times(TO_XYZ, seen).map((t) => (t > 216 / 24389 ? Math.cbrt(t) : (t * 24389 / 27 + 16) / 116));

    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const difference = (a, b, sight) => Math.hypot(...lab(a, sight).map((value, i) => value - lab(b, sight)[i]));
const luminance = (hex) => times(TO_XYZ, rgb(hex))[1];

function contrast(a, b) {
    const [low, high] = [luminance(a), luminance(b)].sort((p, q) => p - q);

    return (high + 0.05) / (low + 0.05);
}

test('the measure of colour differences is correct', () => {
    assert.ok(Math.abs(difference('#000000', '#ffffff', 'normal') - 100) < 0.01);
    assert.ok(Math.abs(difference('#ff0000', '#00ff00', 'normal') - 170.58) < 0.1);
    assert.ok(difference('#ff0000', '#857300', 'protan') < difference('#ff0000', '#857300', 'normal') / 2);
});

for (const [theme, colours] of Object.entries(STATE_COLOURS))
    for (const sight of Object.keys(SIGHTS))
        test(`${theme}: each two states differ, ${sight}`, () => {
            const names = Object.keys(colours);

            for (const [i, a] of names.entries())
                for (const b of names.slice(i + 1)) {
                    const found = difference(colours[a], colours[b], sight);

                    assert.ok(found >= DIFFERENCE_LEAST, `${a} and ${b} differ by ${found.toFixed(1)}`);
                }
        });

for (const theme of ['light', 'dark']) {
    const plain = PLAIN_COLOURS[theme];

    test(`${theme}: texts can be read`, () => {
        for (const [text, ground] of [
            ['text', 'page'], ['quiet', 'page'], ['quiet', 'sunken'], ['text', 'sunken'], ['gapText', 'gap'],
            ['text', 'focus'], ['text', 'level'],
        ])
            assert.ok(contrast(plain[text], plain[ground]) >= 4.5, `${text} on ${ground}`);
    });
    test(`${theme}: states stand out from the page`, () => {
        for (const [name, colour] of Object.entries(STATE_COLOURS[theme]))
            assert.ok(contrast(colour, plain.page) >= 1.9, name);
    });
}

test('both themes have the same colours', () => {
    for (const table of [STATE_COLOURS, PLAIN_COLOURS, CLASS_COLOURS])
        assert.deepEqual(Object.keys(table.light), Object.keys(table.dark));
    assert.equal(THREAD_COLOURS.light.length, THREAD_COLOURS.dark.length);
});

test('each reason to wait has a colour', () => {
    for (const [wait, name] of Object.entries(WAIT_COLOURS)) {
        assert.ok(WAITS.includes(wait), wait);
        assert.ok(name in STATE_COLOURS.light, name);
    }
    const { waitOf, queue, waits } = coloursOf('light');

    assert.deepEqual([waitOf.length, waitOf[WAITS.indexOf('queue')], waitOf[WAITS.indexOf('sleep')]], [WAITS.length, queue, waits]);
});

for (const theme of ['light', 'dark'])
    test(`${theme}: colours of threads stand out from the page, and differ from each other and from ready`, () => {
        const threads = THREAD_COLOURS[theme];

        for (const [i, colour] of threads.entries()) {
            assert.ok(contrast(colour, PLAIN_COLOURS[theme].page) >= 2.5, colour);
            assert.ok(difference(colour, STATE_COLOURS[theme].ready, 'normal') >= 1.5 * DIFFERENCE_LEAST, colour);
            for (const other of threads.slice(i + 1)) {
                const found = difference(colour, other, 'normal');

                assert.ok(found >= THREADS_DIFFER, `${colour} and ${other} differ by ${found.toFixed(1)}`);
            }
        }
    });
