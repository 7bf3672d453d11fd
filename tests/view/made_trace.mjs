// SPDX-License-Identifier: MIT
/*
 * Returns a trace for tests of the page, with the interface of decoder.js and known answers: one event every 10 ticks,
 * by the threads `app 0` to `app 2` in turn. The number of an event is its index + 100. `gaps` and `marks` are as in
 * decoder.js.
 */
export function madeTrace({ events = 100, first = 0, hz = 1000, gaps = [], marks = [] } = {}) {
    const last = first + events - 1;
    const state = {
        version: 1, events, first, seqFirst: first + 100, lastSeq: last + 100, from: first * 10, to: last * 10, hz, lost: 0,
        lostExact: true, earlier: 0, earlierExact: true, gaps: gaps.length, resets: 0, dropped: first, bytes: 0, ended: true, lacks: '',
    };
    const between = (list, from, to, max) => list.filter((each) => each.at >= from && each.at <= to).slice(0, max);

    return {
        problem: '',
        notes: [],
        state: () => state,
        ticks: (index) => index * 10,
        index: (ticks) => Math.min(Math.max(Math.ceil(ticks / 10), first), last + 1),
        seq: (index) => Math.min(Math.max(index, first), last) + 100,
        indexOfSeq: (seq) => Math.min(Math.max(seq - 100, first), last + 1),
        event: (index) => (index < first || index > last ? null : {
            index, seq: index + 100, ticks: index * 10, id: 68, name: index % 2 ? 'queue_send' : 'queue_receive', class: 'queue',
            text: '', fields: [{ name: 'queue', text: 'samples' }, { name: 'sp', text: `0x${(0x20000000 + index).toString(16)}` }],
            row: index % 3, context: 'thread', thread: 0x20001000 + index % 3, threadName: `app ${index % 3}`, info: [index % 2, 7], priority: 4, isr: false, unixUs: 0, core: 0,
        }),
        gapsBetween: (from, to, max) => between(gaps, from, to, max),
        marksBetween: (from, to, max) => between(marks, from, to, max),
        rows: () => [0, 1, 2].map((row) => ({ row, kind: 'thread', name: `app ${row}`, address: 0x20001000 + row, priority: 4 })),
    };
}
