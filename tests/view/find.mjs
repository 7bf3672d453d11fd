// SPDX-License-Identifier: MIT
/* Tests searches and steps in real traces: the decoder finds the same events as a check of each single event. */
import assert from 'node:assert/strict';
import test from 'node:test';

import { EventStep, STEP_KINDS } from '../../capture/view/page/event_steps.js';
import { SearchHits } from '../../capture/view/page/search_hits.js';
import { eventMatches, soughtTexts } from '../../capture/view/page/search_match.js';
import { parseQuery } from '../../capture/view/page/search_query.js';
import { loaded, samples } from './decoder_files.mjs';

const EVENTS_MOST = 1500; // limit of events per trace that are checked one by one
const QUERIES = ['queue', 'thread:thread?0', 'tx_* thread:*', 'class:isr', 'class:queue send', 'semaphore=*', 'isr', 'thread 1', '0x2000',
    'id', 'thread:0x2*', 'thread:[st]*', 'event:68', 'wait_option=forever', 'wait_option=0xffffffff', 'SUSPEND', 'SP=*', '"thread 1" queue',
    'object:thread*', 'idle', 'n=1', 'e', 'stack=0x2*', 'nothing_has_this'];

const contextOf = (event) => (event.context === 'thread' ? event.thread : event.context);
const objectOf = (event) => Number(event.info?.[0] ?? 0);

const ALIKE = {
    any: () => true,
    event: (from, event) => event.id === from.id,
    thread: (from, event) => contextOf(event) === contextOf(from),
    object: (from, event) => objectOf(from) !== 0 && objectOf(event) === objectOf(from),
    switch: (from, event, before) => before !== undefined && contextOf(event) !== contextOf(before),
};

/** Returns the end of a step, computed by checking each event. */
function walked(events, index, what, forward) {
    for (let at = index + (forward ? 1 : -1); at >= 0 && at < events.length; at += forward ? 1 : -1)
        if (ALIKE[what](events[index], events[at], events[at - 1]))
            return at;
    return -1;
}

function stepped(trace, index, what, forward) {
    const step = new EventStep(trace, index, what, forward);

    assert.ok(step.scan(() => true));
    return step.found;
}

for (const { name, bytes } of samples)
    test(`${name}: steps and searches`, async () => {
        const trace = await loaded(bytes);
        const count = Math.min(trace.state().events, EVENTS_MOST);
        const events = Array.from({ length: count }, (_, i) => trace.event(i));

        if (count === trace.state().events)
            for (let index = 0; index < count; index += 7)
                for (const [what] of STEP_KINDS)
                    for (const forward of [true, false])
                        assert.equal(stepped(trace, index, what, forward), walked(events, index, what, forward),
                            `${what} of #${index}, ${forward ? 'next' : 'before'}`);
        for (const query of QUERIES) {
            const { words } = parseQuery(query);
            const texts = soughtTexts(words);
            const want = events.filter((event) => eventMatches(words, event)).map((event) => event.index);
            const hits = new SearchHits(trace, (index) => eventMatches(words, trace.event(index)), count >> 1,
                texts.length ? (from, to) => trace.candidate(texts, from, to) : undefined);

            for (let done = count >= trace.state().events; done && !hits.isDone();)
                hits.scan(() => true);
            if (hits.isDone())
                assert.deepEqual(hits.list(EVENTS_MOST), want, query);
        }
    });

test('a step searches far events in pieces, and stops at the ends of the trace', () => {
    const asked = [];
    const trace = {
        state: () => ({ first: 1000, events: 100_000 }),
        alike: (index, what, forward, from, count) => {
            asked.push([from, count]);
            return from < 50_000 ? -1 : 60_000;
        },
    };
    const step = new EventStep(trace, 2000, 'thread', true);
    let calls = 0;

    assert.equal(step.scan(() => calls++ < 1), false);
    assert.deepEqual(asked, [[2001, 20_000]]);
    assert.equal(step.scan(() => true), true);
    assert.equal(step.found, 60_000);
    for (const [index, forward] of [[1000, false], [100_999, true]]) {
        const ended = new EventStep(trace, index, 'event', forward);

        assert.equal(ended.scan(() => true), true);
        assert.equal(ended.found, -1);
    }
});
