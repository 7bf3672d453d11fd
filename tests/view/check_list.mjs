// SPDX-License-Identifier: MIT
/* The results of checks in the page's setup: whatever the setup has, the page lists what is valid. */
import assert from 'node:assert/strict';
import test from 'node:test';

import { checkResults, checksTitle } from '../../capture/view/page/checks_model.js';

const result = (check, verdict, more = {}) => ({ check, verdict, text: '', subject: '', ...more });

test('failed checks come first, then unknown checks, each in the given order', () => {
    const list = checkResults([result('a', 'ok'), result('b', 'unknown'), result('c', 'failed', { event: 5, time: 0.5 }), result('d', 'ok'), result('e', 'failed')]);

    assert.deepEqual(list.map(({ check }) => check), ['c', 'e', 'b', 'a', 'd']);
    assert.deepEqual(list[0], { check: 'c', verdict: 'failed', text: '', subject: '', event: 5, time: 0.5 });
    assert.equal(checksTitle(list), 'Checks (2)');
    assert.equal(checksTitle(checkResults([result('a', 'ok')])), 'Checks');
});

test('an event that cannot be a number of an event is no link', () => {
    for (const event of [-1, 1.5, '5', NaN, 2 ** 60, null, {}, undefined])
        assert.equal(checkResults([result('a', 'failed', { event, time: 'x' })])[0].event, -1, String(event));
    assert.equal(checkResults([result('a', 'failed', { event: 5, time: -1 })])[0].time, null);
});

test('entries of another form are left out', () => {
    for (const wrong of [undefined, null, 5, 'checks', {}, [null], [5], ['x'], [{}], [{ check: 5, verdict: 'ok' }], [{ check: 'a' }],
        [{ check: 'a', verdict: 'FAIL' }], [{ check: 'a', verdict: 'constructor' }], [{ check: 'a', verdict: ['ok'] }]])
        assert.deepEqual(checkResults(wrong), [], JSON.stringify(wrong));
    assert.deepEqual(checkResults([result('a', 'ok', { text: 5, subject: {} })]), [{ check: 'a', verdict: 'ok', text: '', subject: '', event: -1, time: null }]);
    assert.equal(checkResults(Array(5000).fill(result('a', 'ok'))).length, 2000);
});
