// SPDX-License-Identifier: MIT
/* Steps from an event to the next of its kind, its thread, its object, or to a context switch. */
import assert from 'node:assert/strict';
import test from 'node:test';

import { EventStep, STEP_KINDS } from '../../capture/view/page/event_steps.js';
import { madeTrace } from './made_trace.mjs';

/** Where a step ends, with as many calls as it needs. */
function stepFrom(trace, index, what, forward) {
    const step = new EventStep(trace, index, what, forward);

    for (let calls = 0; calls < 1000; calls++) {
        let asked = 0;

        if (step.scan(() => asked++ === 0))
            return step.found;
    }
    return assert.fail('it does not end');
}

/** Threads of events 0..9: a a b b b isr isr b a a; words: the object's address. */
const contexts = ['a', 'a', 'b', 'b', 'b', 'isr', 'isr', 'b', 'a', 'a'];
const ids = [1, 2, 1, 3, 4, 5, 6, 1, 7, 2];
const words = [[8], [9], [], [8], [0], [7], [9], [8], [9], []];

function threads() {
    const trace = madeTrace({ events: 10 });
    const event = trace.event;

    trace.event = (index) => ({ ...event(index), id: ids[index], info: words[index], thread: contexts[index] === 'isr' ? 98 : contexts[index].charCodeAt(0),
        context: contexts[index] === 'isr' ? 'isr' : 'thread' });
    return trace;
}

test('each kind of step goes to the next event of that kind, both ways', () => {
    const trace = threads();
    const from = (index, what) => [stepFrom(trace, index, what, false), stepFrom(trace, index, what, true)];

    assert.deepEqual(from(4, 'any'), [3, 5]);
    assert.deepEqual(from(2, 'event'), [0, 7]);
    assert.deepEqual(from(4, 'thread'), [3, 7]);
    assert.deepEqual(from(5, 'thread'), [-1, 6], 'an interrupt is not the thread that it found');
    assert.deepEqual(from(3, 'object'), [0, 7]);
    assert.deepEqual(from(4, 'object'), [-1, -1], '0 is no object');
    assert.deepEqual(from(2, 'object'), [-1, -1], 'nor is a word that is not there');
    assert.deepEqual(from(3, 'switch'), [2, 5]);
});

test('at the ends of the trace there is no further event', () => {
    const trace = madeTrace({ events: 100, first: 40 });

    for (const [what] of STEP_KINDS) {
        assert.equal(stepFrom(trace, 40, what, false), -1, what);
        assert.equal(stepFrom(trace, 139, what, true), -1, what);
    }
});

test('a step looks at far events in pieces', () => {
    const trace = madeTrace({ events: 1000 });
    const event = trace.event;
    let looked = 0;

    trace.event = (index) => {
        looked++;
        return { ...event(index), id: index === 900 || index === 0 ? 1 : 2 };
    };
    const step = new EventStep(trace, 0, 'event', true);

    assert.equal(step.scan(() => looked <= 1), false);
    assert.ok(looked < 100);
    assert.equal(stepFrom(trace, 0, 'event', true), 900);
});
