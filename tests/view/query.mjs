// SPDX-License-Identifier: MIT
/* Tests the parsers of the user's input: searches, and places to go to. */
import assert from 'node:assert/strict';
import test from 'node:test';

import { parsePosition, resolvePosition } from '../../capture/view/page/position_text.js';
import { isPattern, parseQuery } from '../../capture/view/page/search_query.js';
import { formatRate, parseRate, rateNote } from '../../capture/view/page/tick_rate.js';
import { madeTrace } from './made_trace.mjs';

const words = (text) => {
    const query = parseQuery(text);

    assert.equal(query.problem, '');
    return query.words.map((word) => [word.place, word.field, word.pattern].filter(Boolean).join(' '));
};

test('blanks separate words, quoted parts stay together', () => {
    assert.deepEqual(words('  queue_send   app* '), ['any queue_send', 'any app*']);
    assert.deepEqual(words('"sample pool"'), ['any sample pool']);
    assert.deepEqual(words('thread:"sample pool" x'), ['thread sample pool', 'any x']);
    assert.deepEqual(words(''), []);
});

test('a prefix limits where a word is searched', () => {
    assert.deepEqual(words('thread:app* object:q event:queue_* class:isr'),
        ['thread app*', 'object q', 'event queue_*', 'class isr']);
    assert.deepEqual(words('SP=0x2000'), ['field sp 0x2000']);
    assert.deepEqual(words('http://x a:b'), ['any http://x', 'any a:b'], 'other colons are text');
    assert.deepEqual(words('=5'), ['any =5']);
    assert.deepEqual(words('option=a=b'), ['field option a=b']);
});

test('an invalid query is reported in one line', () => {
    for (const wrong of ['"open', 'thread:', 'sp=', 'app[0', 'x[!]', '""', 'a b c d e f g h i', 'x'.repeat(101)]) {
        const query = parseQuery(wrong);

        assert.notEqual(query.problem, '', wrong);
        assert.doesNotMatch(query.problem, /\n/);
        assert.deepEqual(query.words, []);
    }
    for (const right of ['app[0-9]', 'app[]]', 'app[!]]', 'app\\[0'])
        assert.equal(parseQuery(right).problem, '', right);
});

test('words with *, ? or a set are patterns', () => {
    assert.deepEqual(['app', 'app*', 'a?', '[ab]', 'a\\*'].map(isPattern), [false, true, true, true, true]);
});

test('positions are numbers of events, times with a unit, and ticks', () => {
    assert.deepEqual(parsePosition('#1 234', 1000), { kind: 'event', seq: 1234 });
    assert.deepEqual(parsePosition('12.5ms', 168e6), { kind: 'time', ticks: 2100000 });
    assert.deepEqual(parsePosition(' 2 s', 1000), { kind: 'time', ticks: 2000 });
    assert.deepEqual(parsePosition('3.522\u202f541 s', 1e6), { kind: 'time', ticks: 3522541 }, 'as the page writes it');
    assert.deepEqual(parsePosition('1MIN', 10), { kind: 'time', ticks: 600 });
    assert.deepEqual(parsePosition('40000', 0), { kind: 'time', ticks: 40000 });
    assert.deepEqual(parsePosition('40000 ticks', 1000), { kind: 'time', ticks: 40000 });
    assert.deepEqual(parsePosition('tick 40000', 1000), { kind: 'time', ticks: 40000 });
    assert.deepEqual(parsePosition('event 7', 1000), { kind: 'event', seq: 7 });
    assert.deepEqual(parsePosition('2.344', 1e6), { kind: 'time', ticks: 2344000 }, 'seconds, as all moments on the page');
    assert.deepEqual(parsePosition('2344ms', 1e6), parsePosition('2.344s', 1e6));
});

test('an invalid position is reported in one line', () => {
    for (const wrong of ['', '#', '#x', 'abc', '1.2.3', '.', '-5', '3 parsecs', '1e9', '#'.padEnd(40, '1')])
        assert.equal(parsePosition(wrong, 1000).kind, 'problem', wrong);
    assert.match(parsePosition('2ms', 0).text, /not known/, 'without a rate, a second means nothing');
    assert.match(parsePosition('2.344', 0).text, /2.344 is not a whole number of ticks, and the tick rate is not known/);
    assert.match(parsePosition('2,344', 1e6).text, /^"2,344" is not a position: type a time such as 2.344 \(seconds\)/);
});

test('a position is found among the available events', () => {
    const trace = madeTrace({ events: 50, first: 10 });
    const go = (text) => resolvePosition(parsePosition(text, 1000), trace);

    assert.deepEqual(go('#120'), { index: 20, problem: '' });
    assert.deepEqual(go('300ms'), { index: 30, problem: '' });
    assert.deepEqual([go('304ms'), go('305ms')], [{ index: 30, problem: '' }, { index: 31, problem: '' }], 'the nearest event');
    assert.match(go('#5').problem, /still available is #110/);
    assert.match(go('#400').problem, /last event is #159/);
    assert.match(go('10ms').problem, /oldest/);
    assert.match(go('1h').problem, /^3\u202f600.000 s is after the end of the trace, 0.590 s$/);
    assert.match(go('x').problem, /not a position/);
    const seq = trace.seq;

    Object.assign(trace, { indexOfSeq: () => 20, seq: (index) => seq(index) + (index >= 20 ? 5 : 0) }); // five events are lost
    assert.deepEqual(go('#122'), { index: 20, problem: 'event #122 is missing: showing the next event, #125' });
    assert.match(resolvePosition(parsePosition('5', 0), madeTrace({ events: 0 })).problem, /no events/);
});

test('a tick rate is a number, perhaps with a unit', () => {
    assert.deepEqual(['168M', '32768', '1 MHz', '16.5k', '1ghz', '999.973 kHz'].map(parseRate), [168e6, 32768, 1e6, 16500, 1e9, 999973]);
    for (const wrong of ['', '0', '-1', 'M', '1e6', '1 s', '5T', '99999999999G', 'hz', '1..5'])
        assert.equal(parseRate(wrong), 0, wrong);
});

test('a measured rate is shown with its precision', () => {
    assert.deepEqual([168e6, 32768, 999.93, 999925.4].map(formatRate), ['168 MHz', '32.768 kHz', '999.93 Hz', '999.925 kHz']);
    assert.equal(rateNote({ hz: 1e6, hz_measured: true, hz_low: 996000, hz_high: 1000500 }), 'Times use a measured rate: 1 MHz ± 0.4 %.');
    assert.equal(rateNote({ hz: 1e6, hz_measured: false, hz_low: 996000, hz_high: 1000500 }), '');
    for (const wrong of [0, 1e-300, 1e300, Infinity]) {
        assert.equal(rateNote({ hz: wrong, hz_measured: true, hz_low: 996000, hz_high: 1000500 }), '', `${wrong}`);
        assert.equal(rateNote({ hz: 1e6, hz_measured: true, hz_low: wrong, hz_high: 1000500 }), '', `${wrong}`);
        assert.equal(rateNote({ hz: 1e6, hz_measured: true, hz_low: 996000, hz_high: wrong }), '', `${wrong}`);
    }
});
