// SPDX-License-Identifier: MIT
/* Tests the link of two views: both show the same times after their origins, in seconds, however the user moves them. */
import assert from 'node:assert/strict';
import test from 'node:test';

import { ViewLink } from '../../capture/view/page/compare/link.js';
import { ViewState } from '../../capture/view/page/view_state.js';

/** Returns a view of a trace of `events` events, `period` ticks apart. */
function viewOf({ events, period = 100, hz = 1e6 }) {
    const view = new ViewState();
    const last = events - 1;

    view.open({
        state: () => ({ first: 0, events, from: 0, to: last * period, hz }),
        ticks: (index) => Math.max(0, Math.min(index, last)) * period,
        index: (ticks) => Math.min(Math.ceil(ticks / period), events),
    });
    return view;
}

const linked = (a, b) => new ViewLink([viewOf(a), viewOf(b)]);

/** Returns the edges of both views, in units of `unit` after their origins. */
function edges({ views, origins }, units = [1, 1]) {
    return views.map((view, i) => [view.from, view.to].map((at) => Math.round((at - view.position(origins[i])) / units[i] * 1e6) / 1e6));
}

test('both views move together, whichever is moved', () => {
    const link = linked({ events: 1000 }, { events: 1000 });
    const [a, b] = link.views;

    a.show(1000, 3000);
    assert.deepEqual([b.from, b.to], [1000, 3000]);
    b.zoom(2000, 0.5);
    assert.deepEqual([a.from, a.to], [1500, 2500]);
});

test('origins are above each other', () => {
    const link = linked({ events: 1000 }, { events: 1000 });

    link.align([5000, 7000]);
    link.views[0].show(4500, 5500);
    assert.deepEqual(edges(link), [[-500, 500], [-500, 500]]);
    assert.equal(link.offset(), 2000 / 1e6);
});

test('rates differ: both views show the same seconds', () => {
    const link = linked({ events: 1000, hz: 1e6 }, { events: 1000, period: 16800, hz: 168e6 });

    link.align([5000, 168 * 2000]);
    link.views[0].show(4500, 5500);
    assert.deepEqual(edges(link, [1, 168]), [[-500, 500], [-500, 500]]);
    assert.equal(link.offset(), (2000 - 5000) / 1e6);
});

test('without a rate, both views show the same ticks', () => {
    const link = linked({ events: 1000, hz: 0 }, { events: 1000, hz: 168e6 });

    link.views[1].show(100, 500);
    assert.deepEqual(edges(link), [[100, 500], [100, 500]]);
});

test('a view can leave a short trace, so that both stay aligned', () => {
    const link = linked({ events: 10 }, { events: 1000 });

    link.showAll();
    assert.deepEqual(edges(link), [[0, 99900], [0, 99900]]);
    link.views[1].show(50000, 60000);
    assert.deepEqual(edges(link), [[50000, 60000], [50000, 60000]]);
});

test('a limit of one view applies to both', () => {
    const link = linked({ events: 1000, hz: 1e6 }, { events: 1000, hz: 1e5 }); // the closest zoom of B is 80 ticks of A

    link.views[0].show(40000, 40008);
    assert.deepEqual(edges(link, [10, 1]), [[3996.4, 4004.4], [3996.4, 4004.4]]);
});

test('by event, both views show the same number of events', () => {
    const link = linked({ events: 1000 }, { events: 500, period: 300 });
    const [a, b] = link.views;

    link.align([10000, 3000]); // events 100 and 10
    a.setByEvent(true);
    a.show(90, 130);
    assert.equal(b.byEvent, true);
    assert.deepEqual([b.from, b.to], [0, 40]);
});

test('unlocked views move alone, and a lock keeps the picture', () => {
    const link = linked({ events: 1000 }, { events: 1000 });
    const [a, b] = link.views;

    a.show(1000, 3000);
    link.lock(false);
    b.show(5000, 7000);
    assert.deepEqual([a.from, a.to], [1000, 3000]);
    link.lock(true);
    a.pan(500);
    assert.deepEqual([a.from, b.from], [1500, 5500]);
});
