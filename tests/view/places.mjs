// SPDX-License-Identifier: MIT
/* The view in a URL: what goes in comes out again, and nothing else does any harm. */
import assert from 'node:assert/strict';
import test from 'node:test';

import { formatHash, parseHash } from '../../capture/view/page/view_hash.js';

const place = {
    view: { from: -12.5, to: 1200 }, byEvent: true, event: 812, cursors: [1500, null], range: { from: 0, to: 1900 },
    panel: 'range', query: 'thread:app* "a & b=ü"', marks: [3, 812],
};

test('a place comes back from its link', () => {
    assert.deepEqual(parseHash(formatHash(place)), place);
    assert.deepEqual(parseHash(formatHash({ view: { from: 1 / 3, to: 2 ** 52 } })), { view: { from: 0.333, to: 2 ** 52 } });
    assert.deepEqual(parseHash(formatHash({ panel: '' })), { panel: '' });
});

test('what is as it always is, is not in a link', () => {
    assert.equal(formatHash({ panel: 'summary', cursors: [null, null], event: -1, byEvent: false, query: '', marks: [] }), '');
    assert.deepEqual(parseHash(''), {});
    assert.deepEqual(parseHash('#'), {});
});

test('wrong values are left out, right ones beside them stay', () => {
    const wrong = ['v=5', 'v=9-3', 'v=3-3', 'v=a-b', 'v=1e9-2e9', 'v=--1-2', 'v=NaN-Infinity', 'e=-1', 'e=1.5', 'e=x',
        'e=99999999999999999', 'c=1', 'c=,', 'c=x,y', 'c=1,2,3', 'r=-5-3', 's=2', 'p=other', 'p=__proto__', 'q=%', 'q=%E0%A4%A',
        'm=', 'm=x,-1', '__proto__=1', 'constructor=2', '=', '&&', 'v', '%', '<script>'];

    for (const part of wrong)
        assert.deepEqual(parseHash(`#${part}&e=7`), part.startsWith('e=') ? { event: 7 } : { event: 7 }, part);
    assert.deepEqual(parseHash('#m=5,x,5,1').marks, [1, 5]);
    assert.deepEqual(parseHash(`#e=7&q=${'x'.repeat(5000)}`), {}, 'too long to be ours');
});

test('marks are as many as a link can hold', () => {
    const many = Array.from({ length: 500 }, (_, i) => i);

    assert.equal(parseHash(formatHash({ marks: many })).marks.length, 100);
});
