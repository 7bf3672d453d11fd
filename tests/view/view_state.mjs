// SPDX-License-Identifier: MIT
/* Tests the visible part and the selection: zooming keeps the place at the pointer, the view stays in the trace, and
 * each listener is called once. */
import assert from 'node:assert/strict';
import test from 'node:test';

import { ViewState } from '../../capture/view/page/view_state.js';

/** Returns a trace of `events` events, 100 ticks apart. The first event has the index `first`. */
function traceOf(events = 10, first = 0) {
    const trace = {
        count: events,
        state: () => ({ first, events: trace.count, from: first * 100, to: (first + trace.count - 1) * 100, hz: 1e6 }),
        ticks: (index) => Math.max(first, Math.min(index, first + trace.count - 1)) * 100,
        index: (ticks) => Math.min(Math.ceil(ticks / 100), first + trace.count),
    };

    return trace;
}

function opened(events, first) {
    const view = new ViewState();

    view.open(traceOf(events, first));
    return view;
}

const near = (a, b) => Math.abs(a - b) < 1e-6;

test('a new trace is shown as a whole', () => {
    const view = opened();

    assert.deepEqual([view.from, view.to], [0, 900]);
    assert.deepEqual(new ViewState().extent(), { from: 0, to: 1 });
});

test('zooming keeps the place under the pointer', () => {
    const view = opened(1000);

    for (const [at, factor] of [[30000, 0.5], [25000, 0.1], [26000, 0.9], [25500, 3]]) {
        const share = (at - view.from) / (view.to - view.from);

        view.zoom(at, factor);
        assert.ok(near((at - view.from) / (view.to - view.from), share), `${at} ${factor}`);
    }
});

test('the view is never narrower than a few ticks, nor much wider than the trace', () => {
    const view = opened();

    for (let i = 0; i < 200; i++)
        view.zoom(450, 0.5);
    assert.ok(near(view.to - view.from, 8));
    for (let i = 0; i < 200; i++)
        view.zoom(450, 2);
    assert.ok(near(view.to - view.from, 900 * 1.25));
});

test('a part of the trace stays in the view, however far it is dragged', () => {
    const view = opened();

    view.show(100, 200);
    for (const delta of [1e12, -1e12, 1e12]) {
        view.pan(delta);
        assert.ok(near(view.to - view.from, 100));
        assert.ok(view.from < 900 && view.to > 0, `${view.from} ${view.to}`);
    }
    view.show(NaN, 5);
    assert.ok(near(view.to - view.from, 100));
});

test('listeners hear what changed, and only that', () => {
    const view = opened();
    const heard = [];
    const forget = view.on((changed) => heard.push([...changed].join()));

    view.show(100, 200);
    view.show(100, 200);
    view.select(3);
    view.select(3);
    view.set({ panel: 'summary' });
    view.set({ panel: 'range' });
    assert.deepEqual(heard, ['view', 'selected', 'panel']);
    forget();
    view.select(4);
    assert.equal(heard.length, 3);
    assert.throws(() => view.set({ nonsense: 1 }));
});

test('following keeps the width and stays at the end, until the user looks back', () => {
    const view = opened(100);

    view.show(8900, 9900);
    view.set({ follow: true });
    view.trace.count = 200;
    view.grown();
    assert.deepEqual([view.from, view.to], [18900, 19900]);
    view.pan(-5000);
    assert.equal(view.follow, false);
    view.trace.count = 300;
    view.grown();
    assert.deepEqual([view.from, view.to], [13900, 14900]);
});

test('the whole trace stays in view while a file is read, until a part is chosen', () => {
    const view = opened(100);
    const grown = (count) => {
        view.trace.count = count;
        view.grown();
        return [view.from, view.to];
    };

    view.set({ loading: true });
    assert.deepEqual(grown(200), [0, 19900]);
    view.show(1000, 2000);
    assert.deepEqual(grown(300), [1000, 2000]);
    view.showAll();
    assert.deepEqual(grown(400), [0, 39900]);
    view.show(0, 39900);
    assert.deepEqual(grown(500), [0, 39900], 'the user chose this part, which was the whole');
    view.showAll();
    view.set({ loading: false });
    assert.deepEqual(grown(600), [0, 49900], 'a target goes on, and the picture stays');
});

test('a listener that chooses a part when more is read keeps this part', () => {
    const view = opened(100);

    view.set({ loading: true });
    view.on((changed) => changed.has('data') && view.trace.count === 200 && view.show(5000, 6000));
    for (const count of [150, 200, 300, 400]) {
        view.trace.count = count;
        view.grown();
    }
    assert.deepEqual([view.from, view.to], [5000, 6000]);
});

test('selecting an event moves the view only if the event is outside', () => {
    const view = opened(100);

    view.show(1000, 2000);
    view.select(15, { reveal: true });
    assert.deepEqual([view.from, view.to], [1000, 2000]);
    view.select(80, { row: 2, reveal: true });
    assert.deepEqual([view.from, view.to, view.selectedRow], [7500, 8500, 2]);
});

test('an event that the trace dropped is no longer selected', () => {
    const view = opened(100);
    const trace = traceOf(50, 50);

    view.select(50, { row: 1 });
    Object.assign(view.trace, trace);
    view.grown();
    assert.deepEqual([view.selected, view.selectedRow], [50, 1]);
    view.select(49, { row: 1 });
    view.grown();
    assert.deepEqual([view.selected, view.selectedRow], [-1, -1]);
});

test('showing an event ends following the newest event', () => {
    const view = opened(100);

    view.trace.event = (index) => (index < 100 ? { row: 2 } : null);
    view.show(8900, 9900);
    view.set({ follow: true });
    view.choose(15);
    assert.deepEqual([view.follow, view.selected, view.selectedRow, view.from <= 1500 && view.to >= 1500], [false, 15, 2, true]);
});

test('going to a place zooms in to its surroundings, and never out', () => {
    const view = opened(100_000); // an event each 100 us

    view.trace.event = () => ({ row: 2 });
    view.lookAt(50_000);
    assert.deepEqual([view.from, view.to, view.selected], [4_999_000, 5_001_000, 50_000], 'a millisecond on each side');
    view.show(4_999_900, 5_000_100);
    view.lookAt(50_000);
    assert.deepEqual([view.from, view.to], [4_999_900, 5_000_100]);
    view.lookAt(70_000);
    assert.deepEqual([view.to - view.from, (view.from + view.to) / 2], [200, 7_000_000]);
    view.showAll();
    Object.assign(view.trace, { state: () => ({ first: 0, events: 100_000, from: 0, to: 9_999_900, hz: 1e5 }) });
    view.lookAt(50_000);
    assert.deepEqual([view.from, view.to], [4_999_500, 5_000_500], 'and some events');
    view.setByEvent(true);
    view.showAll();
    view.lookAt(500);
    assert.deepEqual([view.from, view.to], [480, 520]);
});

test('switching to the sequential view and back keeps the events in view', () => {
    const view = opened(100);

    view.show(1000, 2000);
    view.setByEvent(true);
    assert.deepEqual([view.from, view.to], [10, 20]);
    assert.equal(view.ticksAt(12.7), 1200);
    assert.deepEqual(view.shown(), { from: 1000, to: 2000 });
    view.setByEvent(false);
    assert.deepEqual([view.from, view.to], [1000, 2000]);
});

test('a trace without its oldest events begins at its first remaining event', () => {
    const view = opened(50, 1000);

    assert.deepEqual([view.from, view.to], [100000, 104900]);
    view.setByEvent(true);
    assert.deepEqual(view.extent(), { from: 1000, to: 1050 });
});
