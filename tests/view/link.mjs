// SPDX-License-Identifier: MIT
/* Tests a target's stream in the page: the status in the header, and the data that waits while the page is paused. */
import assert from 'node:assert/strict';
import test from 'node:test';

import { BACKLOG_BYTES_MOST, BACKLOG_PIECE_BYTES, Backlog } from '../../capture/view/page/backlog.js';
import { fileOrder, filesName } from '../../capture/view/page/drop.js';
import { bytesText, isCatchingUp, linkText, missingOfServer, missingParts, missingShort } from '../../capture/view/page/link_state.js';
import { adviceTexts } from '../../capture/view/page/loss_chip.js';
import { LiveStream } from '../../capture/view/page/live.js';
import { isRecording, readTrace } from '../../capture/view/page/trace_reader.js';
import { ViewState } from '../../capture/view/page/view_state.js';
import { madeTrace } from './made_trace.mjs';

const open = { phase: 'open', paused: false, waitingBytes: 0, catchingUp: false, since: '', startedAgain: '', problem: '', part: 0 };

test('the header shows the state of the stream', () => {
    assert.equal(linkText(open).text, 'live');
    assert.equal(linkText({ ...open, catchingUp: true }).text, 'catching up');
    assert.equal(linkText({ ...open, startedAgain: '12:00:01' }).text, 'live, a new trace: txtap was started again at 12:00:01');
    assert.match(linkText({ ...open, catchingUp: true, startedAgain: '12:00:01' }).text, /^catching up, a new trace/);
    assert.equal(linkText({ ...open, paused: true, waitingBytes: 12.3e6 }).text, 'paused, 12 MB waiting');
    assert.equal(linkText({ ...open, paused: true }).text, 'paused');
    assert.match(linkText({ ...open, phase: 'gone', since: '12:00:01', paused: true }).text, /disconnected since 12:00:01/);
    assert.equal(linkText({ ...open, phase: 'loading', part: 0.999 }).text, 'reading 99 %');
    assert.deepEqual(linkText({ ...open, problem: 'block 7 is damaged' }), { text: 'block 7 is damaged', kind: 'bad' });
    assert.equal(linkText({ ...open, phase: 'still' }).text, '');
});

test('missing events are shown with their certainty', () => {
    const state = { gaps: 0, lost: 0, lostExact: true, earlier: 0, earlierExact: true, dropped: 0, hz: 1000, from: 1000, to: 6000 };

    const missingText = (of) => missingParts(of).join(' · ');

    assert.equal(missingText(state), '');
    assert.equal(missingText({ ...state, gaps: 1, lost: 5 }), '5 events lost');
    assert.equal(missingText({ ...state, gaps: 2, lost: 5, lostExact: false }), 'at least 5 events lost');
    assert.match(missingText({ ...state, gaps: 1, lostExact: false }), /^unknown number of events lost$/);
    assert.equal(missingText({ ...state, gaps: 1, lost: 5, earlier: 70 }), '5 events lost · 70 earlier events lost or no longer kept');
    assert.equal(missingText({ ...state, dropped: 1200 }), '1\u202f200 oldest events dropped, showing the last 5.000 s');
    assert.equal(missingText({ ...state, dropped: 3, hz: 0 }), '3 oldest events dropped');
});

test('a chip has the most serious part of what is missing', () => {
    const state = { gaps: 0, lost: 0, lostExact: true, earlier: 0, earlierExact: true, dropped: 0, hz: 1000, from: 1000, to: 6000 };
    const short = (more) => missingShort({ ...state, ...more });

    assert.equal(short({}), '');
    assert.equal(short({ gaps: 2, lost: 1500, lostExact: false, earlier: 7, dropped: 5 }), '≥ 1\u202f500 lost');
    assert.equal(short({ gaps: 1, lostExact: false }), 'lost');
    assert.equal(short({ earlier: 7, dropped: 5 }), '7 earlier missing');
    assert.equal(short({ earlierExact: false }), 'earlier events missing');
    assert.equal(short({ dropped: 5 }), '5 dropped');
});

test('without events, the losses are those that txtap counted', () => {
    const parts = (lost, lostExact) => missingParts(missingOfServer({ lost, lostExact, advice: '' }));

    assert.deepEqual(parts(600_000, false), ['at least 600\u202f000 events lost']);
    assert.deepEqual(parts(0, true), []);
    assert.deepEqual(parts(0, false), [], 'a ring that does not count its laps has lost nothing yet');
});

test('an advice is shown whole', () => {
    const advice = `losing events: ${'read 1000 of 1500 per second '.repeat(12)}`;

    assert.equal(adviceTexts(advice).join(''), advice);
    assert.ok(adviceTexts(advice).every((text) => text.length <= 151));
    assert.deepEqual(adviceTexts(''), []);
});

test('history arrives faster than time passes, the present does not', () => {
    const at = (seconds, ticks) => ({ seconds, ticks });

    assert.ok(isCatchingUp(at(0, 0), at(1, 5000), 1000));
    assert.ok(!isCatchingUp(at(0, 0), at(1, 1000), 1000));
    assert.ok(!isCatchingUp(at(0, 0), at(1, 1900), 1000), 'a burst');
    assert.ok(!isCatchingUp(at(0, 0), at(1, 1e9), 0), 'nobody knows how long a tick is');
});

test('bytes of the stream leave the backlog in order, in pieces of limited size', () => {
    const backlog = new Backlog();
    const sent = Array.from({ length: 40 }, (_, i) => new Uint8Array(i === 7 ? BACKLOG_PIECE_BYTES * 3 + 5 : i * 11 + 1).fill(i));
    const got = [];

    for (const chunk of sent)
        backlog.push(chunk);
    for (let piece; (piece = backlog.take(false)) !== null;) {
        assert.ok(piece.length <= BACKLOG_PIECE_BYTES);
        got.push(piece);
    }
    assert.deepEqual(Buffer.concat(got), Buffer.concat(sent));
    assert.equal(backlog.bytes, 0);
});

test('while paused, bytes wait up to the limit', () => {
    const backlog = new Backlog(100);

    backlog.push(new Uint8Array(60).fill(1));
    assert.equal(backlog.take(true), null);
    backlog.push(new Uint8Array(60).fill(2));
    assert.deepEqual(backlog.take(true), new Uint8Array(60).fill(1), 'the oldest goes on');
    assert.equal(backlog.take(true), null);
    assert.deepEqual(backlog.take(false), new Uint8Array(60).fill(2));
    assert.equal(backlog.take(false), null);
});

test('sizes of data are short', () => {
    assert.deepEqual([0, 1500, 17000, 2.44e6, 3e9].map(bytesText), ['0.0 kB', '1.5 kB', '17 kB', '2.4 MB', '3.0 GB']);
});

test('parts of a recording are read in order of their numbers', () => {
    const names = (...list) => fileOrder(list.map((name) => ({ name }))).map((file) => file.name);

    assert.deepEqual(names('ring.10.rec', 'ring.9.rec', 'ring.1.rec'), ['ring.1.rec', 'ring.9.rec', 'ring.10.rec']);
    assert.equal(filesName([{ name: 'a' }]), 'a');
    assert.equal(filesName([{ name: 'a' }, { name: 'b' }, { name: 'c' }]), 'a and 2 more');
});

const streamOf = (...chunks) => new ReadableStream({
    start(controller) {
        for (const chunk of chunks)
            controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
    },
});

async function readInto(stream) {
    const calls = [];

    await readTrace(stream, {
        feed: (bytes) => calls.push(`feed ${new TextDecoder().decode(bytes)}`),
        load: (pieces) => calls.push(`load ${Buffer.concat(pieces).toString()}`),
    }, () => {});
    return calls;
}

test('a recording is decoded piece by piece, wherever it is split; any other file as a whole', async () => {
    assert.deepEqual(await readInto(streamOf('txt', 'aprec', 'one', 'two')), ['feed txt', 'feed aprec', 'feed one', 'feed two']);
    assert.deepEqual(await readInto(streamOf('BTXT', 'buffer', 'rest')), ['load BTXTbufferrest']);
    assert.deepEqual(await readInto(streamOf('tx')), ['load tx'], 'too short to say');
    assert.deepEqual(await readInto(streamOf()), ['load ']);
    assert.ok(!isRecording(new TextEncoder().encode('txtapreX')));
});

/** Returns a page that follows a server. The server sends `chunks` and then nothing until the page closes the stream;
 * `feed` is called with each piece. */
function followed(t, chunks, feed) {
    const page = { cancelled: false, said: {}, trace: null, rate: { hz: 5000, note: 'measured' } };
    const waiting = [...chunks];
    const body = new ReadableStream({
        pull: (controller) => (waiting.length ? controller.enqueue(waiting.shift()) : new Promise(() => {})),
        cancel: () => { page.cancelled = true; },
    });
    const trace = Object.assign(madeTrace(), {
        feed: (piece) => feed(page, piece), setHz: (hz) => { trace.state().hz = hz; }, end: () => {}, close: () => {},
    });
    const line = { link: page.said, set: (changes) => Object.assign(page.said, changes) };

    t.mock.method(globalThis, 'fetch', async () => new Response(body));
    page.view = new ViewState();
    page.trace = trace;
    page.live = new LiveStream(page.view, line, { get: (path) => fetch(path), openLiveTrace: async () => trace, askState: async () => page.rate });
    return page;
}

test('a stream that the decoder cannot continue is closed', async (t) => {
    const told = followed(t, [new Uint8Array(10)], (page) => { page.trace.problem = 'a block is damaged'; });

    await told.live.readOnce();
    assert.deepEqual([told.cancelled, told.said.problem], [true, 'a block is damaged']);
    const thrown = followed(t, [new Uint8Array(10)], () => { throw new Error('there is no memory'); });

    await thrown.live.readOnce();
    assert.deepEqual([thrown.cancelled, thrown.said.problem], [true, 'there is no memory']);
});

test('a page that gets no stream shows why, and can be paused', async (t) => {
    const page = followed(t, [], () => {});

    await page.live.pump();
    t.mock.method(globalThis, 'fetch', async () => new Response('', { status: 503 }));
    await assert.rejects(page.live.readOnce(), /close one of them/);
});

test('a stream is read no further than the decoder and the backlog take', async (t) => {
    const chunk = new Uint8Array(32 * 1024 * 1024);
    let now = 0;
    let most = 0;
    let left = 8 * chunk.length;
    const page = followed(t, Array(8).fill(chunk), ({ live, trace }, piece) => {
        most = Math.max(most, live.backlog.bytes);
        left -= piece.length;
        if (left === 0)
            trace.problem = 'enough';
    });

    t.mock.method(performance, 'now', () => (now += 40)); // each piece takes longer than a slice
    await page.live.readOnce();
    assert.equal(left, 0);
    assert.ok(most > BACKLOG_BYTES_MOST / 2 && most <= BACKLOG_BYTES_MOST + chunk.length, `${most}`);
});

test('a rate that becomes known changes all times, those of reports too', async (t) => {
    const page = followed(t, [], () => {});
    const heard = [];
    const state = page.trace.state();

    state.hz = 0;
    page.live.trace = page.trace;
    page.view.open(page.trace);
    page.view.on((changed) => heard.push(...changed));
    await page.live.learn(page.trace);
    assert.equal(state.hz, 5000);
    assert.ok(heard.includes('hz') && heard.includes('data'), 'a panel computes its report again');
    assert.equal(page.view.rateNote, 'measured');
    page.rate = { hz: 5010, note: 'better' };
    await page.live.learn(page.trace);
    assert.deepEqual([state.hz, page.view.rateNote], [5010, 'better']);
    state.hz = 7000;
    page.rate = { hz: 5011, note: 'best' };
    await page.live.learn(page.trace);
    assert.deepEqual([state.hz, page.view.rateNote], [7000, 'better'], 'the user knows it better');
});

test('an impossible rate of a server counts as not known', async (t) => {
    const page = followed(t, [], () => {});
    const state = page.trace.state();

    state.hz = 0;
    page.live.trace = page.trace;
    for (const text of ['1e999', '1e300', '1e-300', '0', '-5', '"x"', 'null']) {
        page.rate = JSON.parse(`{"hz":${text},"note":"measured"}`);
        await page.live.learn(page.trace);
        assert.deepEqual([state.hz, page.view.rateNote], [0, ''], text);
    }
});

test('a page with much left to read is not live, even without a rate', (t) => {
    const page = followed(t, [], () => {});
    let now = 1000;

    t.mock.method(performance, 'now', () => now);
    page.trace.state().hz = 0;
    page.live.trace = page.trace;
    page.live.backlog.push(new Uint8Array(BACKLOG_PIECE_BYTES + 1));
    page.live.measure();
    assert.equal(page.said.catchingUp, true);
    now = 2000;
    page.live.backlog = new Backlog();
    page.live.measure();
    assert.equal(page.said.catchingUp, false);
});

test('a rate is requested again, less and less often', async (t) => {
    const page = followed(t, [], () => {});
    let asked = 0;
    let now = 0;

    t.mock.method(performance, 'now', () => now);
    page.live.source.askState = async () => (asked++, page.rate);
    page.live.trace = page.trace;
    for (now = 0; now < 3600e3; now += 1000)
        page.live.measure();
    assert.ok(asked > 8 && asked < 14, `${asked}`);
});

test('the counts of txtap are requested while events are missing, and again when more are lost', async (t) => {
    const page = followed(t, [], () => {});
    let asked = 0;
    let now = 0;

    t.mock.method(performance, 'now', () => now);
    page.live.source.askState = async () => (asked++, { ...page.rate, server: { lost: 7, lostExact: true, advice: 'losing events' } });
    page.live.trace = page.trace;
    page.live.rate.at = Infinity;
    const measured = async () => {
        asked = 0;
        now += 1000;
        page.live.measure();
        await null;
        return asked;
    };

    page.trace.state().events = 0;
    assert.deepEqual([await measured(), await measured()], [1, 1], 'a stream without events');
    assert.equal(page.said.server.advice, 'losing events');
    page.trace.state().events = 5;
    assert.equal(await measured(), 0);
    page.trace.state().lost = 3;
    assert.deepEqual([await measured(), await measured()], [1, 0]);
});

test('a server that is gone and an error of the page are shown differently', async (t) => {
    const said = async (fetched, openTrace) => {
        const page = followed(t, [], () => {});

        t.mock.method(globalThis, 'fetch', fetched);
        Object.assign(page.live.source, openTrace && { openLiveTrace: openTrace });
        page.live.run();
        for (let turn = 0; turn < 20; turn++)
            await null;
        return [page.said.phase, page.said.problem];
    };

    t.mock.timers.enable({ apis: ['setTimeout'] }); // the page retries forever
    assert.deepEqual(await said(async () => { throw new TypeError('Failed to fetch'); }), ['gone', '']);
    assert.deepEqual(await said(async () => new Response('x'), async () => { throw new TypeError('a mistake'); }), ['gone', 'a mistake']);
});
