// SPDX-License-Identifier: MIT
/* Tests the time axis and times as text: one unit per view, distinct labels, enough room for each label. */
import assert from 'node:assert/strict';
import test from 'node:test';

import { axisMarks, roundStep } from '../../capture/view/page/axis.js';
import { formatBetween, formatMoment, formatNumber, formatShare, formatSmallShare, formatSpan } from '../../capture/view/page/units.js';

const plain = (text) => text.replaceAll('\u202f', ' ');

test('steps are 1, 2 or 5 times a power of ten', () => {
    for (const [least, step] of [[1, 1], [1.1, 2], [2.01, 5], [5.1, 10], [0.013, 0.02], [99, 100], [101, 200]])
        assert.ok(Math.abs(roundStep(least) / step - 1) < 1e-9, `${least}`);
});

test('any view has marks inside it, in order, without overlap, with distinct labels of one unit', () => {
    for (const hz of [0, 1e3, 32768, 1e6, 168e6, 1e9])
        for (const from of [0, 1234567, 9.87e12])
            for (let span = 8; span < 1e13; span *= 3.7) {
                const width = 900;
                const { marks, unit } = axisMarks({ from, to: from + span, width, hz, byEvent: false });
                const texts = marks.map(({ text }) => text);

                assert.ok(marks.length <= width / 110 + 2, `${hz} ${from} ${span}: ${marks.length}`);
                if (hz !== 1e3 || span > 100)
                    assert.ok(marks.length >= 1 || from > 0, `${hz} ${from} ${span}: none`);
                assert.equal(new Set(texts).size, texts.length, texts.join(' '));
                for (const [i, { at, text }] of marks.entries()) {
                    assert.ok(at >= from - 1e-6 * span - from * 1e-15 && at <= from + span);
                    assert.ok(i === 0 || at > marks[i - 1].at);
                    assert.ok(unit === 'ticks' || text.endsWith(` ${unit}`), text);
                }
            }
});

test('labels show their positions', () => {
    const { marks } = axisMarks({ from: 3522540, to: 3522800, width: 1050, hz: 1e6, byEvent: false });

    assert.equal(plain(marks[0].text), '3 522.55 ms');
    assert.equal(marks[0].at, 3522550);
});

test('without a tick rate, and by event, steps are whole numbers', () => {
    assert.deepEqual(axisMarks({ from: 0, to: 8, width: 900, hz: 0, byEvent: false }).marks.map(({ text }) => text),
        ['0', '1', '2', '3', '4', '5', '6', '7', '8']);
    assert.deepEqual(axisMarks({ from: 10, to: 14, width: 900, hz: 1e6, byEvent: true }).marks.map(({ text }) => text),
        ['#10', '#11', '#12', '#13', '#14']);
});

test('invalid views have no marks', () => {
    for (const bad of [{ from: 1, to: 1, width: 9 }, { from: 0, to: 9, width: 0 }, { from: NaN, to: 2, width: 9 }])
        assert.deepEqual(axisMarks({ hz: 1, byEvent: false, ...bad }).marks, []);
});

test('spans and moments', () => {
    for (const [ticks, hz, text] of [
        [0, 1e6, '0 ns'], [1, 0, '1 tick'], [12345, 0, '12 345 ticks'], [4183, 1e7, '418.3 µs'], [1, 168e6, '6 ns'],
        [10203000, 1e6, '10.20 s'], [3600, 1, '3 600.000 s'],
    ])
        assert.equal(plain(formatSpan(ticks, hz)), text);
    assert.equal(plain(formatMoment(3522541, 1e6)), '3.522 541 s');
    assert.equal(plain(formatMoment(3522541, 0)), '3 522 541');
    assert.equal(plain(formatMoment(1, 168e6)), '0.000 000 006 s');
});

test('numbers and shares', () => {
    assert.equal(plain(formatNumber(1234567.5, 2)), '1 234 567.50');
    assert.equal(plain(formatNumber(-1234)), '-1 234');
    assert.deepEqual([0, 0.0005, 0.004, 0.17, 1].map(formatShare), ['0 %', '<0.1 %', '0.4 %', '17 %', '100 %']);
});

test('the ends of a short time have the digits that tell them apart', () => {
    assert.equal(formatBetween(4_820_000, 4_830_000, 1e6), '4.820 – 4.830 s');
    assert.equal(formatBetween(1_829_700_000, 1_834_200_000, 1e6), '1\u202f829.7 – 1\u202f834.2 s');
    assert.equal(formatBetween(5, 7, 0), '5 – 7 ticks');
});

test('small shares have two digits', () => {
    assert.deepEqual([0, 0.0000001, 0.00012345, 0.001, 0.31].map(formatSmallShare), ['0 %', '<0.0001 %', '0.012 %', '0.1 %', '31 %']);
});
