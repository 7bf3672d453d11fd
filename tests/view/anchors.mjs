// SPDX-License-Identifier: MIT
/* Tests the moments at which two traces are aligned: a job counts only if its wait is in the trace, and a moment that a trace does
 * not have is an error. */
import assert from 'node:assert/strict';
import test from 'node:test';

import { ROW_STATE } from '../../capture/view/page/abi.js';
import { commonThreads, jobOf, markOf, selectedOf, startOf } from '../../capture/view/page/compare/anchors.js';

const { BLOCKED, INTERRUPTED, READY, RUNNING, UNKNOWN } = ROW_STATE;

/** Returns a view of a trace with the thread "app", whose states take 100 ticks each. */
function viewOf(states, { selected = -1, marks = [], names = ['app'] } = {}) {
    const end = states.length * 100;

    return {
        selected,
        trace: {
            state: () => ({ from: 0, to: end }),
            rows: () => [{ row: 0, kind: 'cpu', name: 'CPU' }, ...names.map((name, i) => ({ row: i + 1, kind: 'thread', name }))],
            step: (row, at) => (at < end ? { from: Math.floor(at / 100) * 100, to: (Math.floor(at / 100) + 1) * 100, state: states[Math.floor(at / 100)] } : null),
            marksBetween: (from, to, most) => marks.filter((ticks) => ticks >= from && ticks <= to).slice(0, most).map((ticks) => ({ ticks })),
            ticks: (index) => index * 10,
        },
    };
}

test('a job begins when the thread no longer waits', () => {
    const view = viewOf([BLOCKED, READY, RUNNING, INTERRUPTED, RUNNING, BLOCKED, RUNNING, BLOCKED]);

    assert.deepEqual([1, 2].map((number) => jobOf(view, 'app', number)), [100, 600]);
    assert.throws(() => jobOf(view, 'app', 3), { message: 'app has only 2 jobs that begin in the trace' });
});

test('a job without its wait does not count', () => {
    const view = viewOf([RUNNING, BLOCKED, RUNNING, UNKNOWN, RUNNING, BLOCKED, READY]);

    assert.deepEqual([1, 2].map((number) => jobOf(view, 'app', number)), [200, 600]);
});

test('a thread that the trace does not have has no jobs', () => {
    assert.throws(() => jobOf(viewOf([BLOCKED, READY]), 'other', 1), /other has only 0 jobs/);
});

test('marks are counted from 1', () => {
    const view = viewOf([RUNNING, RUNNING], { marks: [50, 120] });

    assert.deepEqual([1, 2].map((number) => markOf(view, number)), [50, 120]);
    assert.throws(() => markOf(view, 3), { message: 'the trace has only 2 marks' });
});

test('the selected event needs a selection', () => {
    assert.equal(selectedOf(viewOf([RUNNING], { selected: 4 })), 40);
    assert.equal(startOf(viewOf([RUNNING])), 0);
    assert.throws(() => selectedOf(viewOf([RUNNING])), /select an event/);
});

test('threads of both traces are offered, by name', () => {
    const views = [['b', 'a10', 'a9', 'c', ''], ['a9', 'a10', 'b', 'd', '']].map((names) => viewOf([RUNNING], { names }));

    assert.deepEqual(commonThreads(views), ['a9', 'a10', 'b']);
});
