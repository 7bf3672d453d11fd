// SPDX-License-Identifier: MIT
// A page that follows a target, with a server that the test controls: losses, a target that overloads txtap, a measured rate, and
// a summary that is behind.   usage: live_page.mjs TXTAP
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser } from './browser.mjs';
import { check, end, same, skip } from './checks.mjs';
import { LiveServer } from './live_server.mjs';
import { longRecording } from './long_trace.mjs';
import { EVENTS_PER_CYCLE, madeTrx } from './made_trx.mjs';
import { beginStopped, passTime } from './page_clock.mjs';
import { WORK, whatIsMissing } from './pages.mjs';
import { EVENTS_MAX, Recording, readTrace } from './recording.mjs';

const [txtap] = process.argv.slice(2);
const WIDTH = 1350;
const EARLIER = 185;
const LOST = 2_308_250;
const ADVICE = 'losing events: read 0 of at least 600000 per second (about 620000 by the time stamps of the events read): record fewer ' +
    'kinds on the target (tx_trace_event_filter), enlarge its trace buffer, or use a faster probe';
const END_BYTES = 40;
const MEASURED = { hz: 1e6, hz_measured: true, hz_low: 999_950, hz_high: 1_000_050 };

const text = (page, selector) => page.evaluate((chosen) =>
    (document.querySelector(chosen)?.innerText ?? '').replaceAll(/(?<=\d)[\u2009\u202f](?=\d)/g, ''), selector);

/** Opens the page of a server that sends what `fill` gives it, and closes both after `test`. prepare: gets the empty page. */
async function follows(browser, state, fill, test, prepare = () => {}) {
    const server = await LiveServer.start(txtap, state);
    const page = await browser.open(undefined, { width: WIDTH, height: 900 });
    fill(server);
    await prepare(page);
    await page.go(server.url);
    await test(page, server);
    await same('nothing went wrong in the page', page.problems, []);
    await page.close();
    await server.stop();
}

/** Sends a trace of 20 cycles in which two parts are missing, and events before it. */
function sendWithGaps(server) {
    const { header, objects, entries } = readTrace(madeTrx(20));
    const ticks = (number) => Math.floor(number / EVENTS_PER_CYCLE) * 10_000;
    const part = (from, to, lost) => recording.events(EARLIER + from + lost, ticks(from), entries.slice(from, to));
    const recording = new Recording((bytes) => server.send(bytes)).buffer(header).objects(objects);

    recording.gap(0, EARLIER);
    part(0, 44, 0);
    recording.gap(EARLIER + 44, LOST);
    part(88, 132, LOST - 44);
    recording.gap(EARLIER + LOST + 88, 44, false);
    part(176, 220, LOST - 44);
}

/** Sends the beginning of a stream. Firefox does not know that a stream is open until it has a byte. */
function sendNoEvents(server) {
    const { header, objects } = readTrace(madeTrx(1));

    new Recording((bytes) => server.send(bytes)).buffer(header).objects(objects);
}

/** A cause is explained while the target goes on: the answer has the events up to the question. */
async function explainsMeanwhile(browser) {
    const { header, objects, entries } = readTrace(madeTrx(20));
    const half = 10 * EVENTS_PER_CYCLE;
    let recording;

    await follows(browser, { hz: 1e6 }, (server) => {
        recording = new Recording((bytes) => server.send(bytes)).buffer(header).objects(objects).events(0, 0, entries.slice(0, half));
    }, async (page) => {
        await page.until((count) => globalThis.txtap.view.trace?.state().events === count, half);
        await page.frame();
        const seq = await page.evaluate(() => {
            const { view } = globalThis.txtap;
            const { row } = view.trace.rows().find(({ name }) => name === 'alpha');
            view.select(view.trace.step(row, 52_400).index, { row });
            return view.trace.seq(view.selected);
        });
        await page.key('W');
        const { answer } = await page.until(() => globalThis.txtap.view.why?.answer && globalThis.txtap.view.why);
        await check('W explains a job of a running target', answer.kind === 'job' && answer.start.event <= seq && seq <= answer.end.event);
        recording.events(half, 100_000, entries.slice(half));
        await page.until((count) => globalThis.txtap.view.trace.state().events === count, entries.length);
        await same('the answer stays when more comes', await page.evaluate(() => globalThis.txtap.view.why.answer), answer);
        await same('and the view does not follow the target', await page.evaluate('txtap.view.follow'), false);
    });
}

/** Returns the elements of the header that are not shown in full. */
const cutInHeader = (page) => page.evaluate(() => {
    const header = document.getElementById('header');
    const right = header.getBoundingClientRect().right;

    return [...header.querySelectorAll('h1, #facts, .link, .missing, button, input')].filter((each) => !each.hidden && each.offsetWidth > 0)
        .filter((each) => each.getBoundingClientRect().right > right || (each.matches('h1, #facts, .link, .missing') && each.scrollWidth > each.clientWidth + 1))
        .map((each) => each.id || each.className);
});

async function showsLosses(page) {
    await page.until(() => globalThis.txtap.view.trace?.state().events === 132);
    await page.until(() => document.querySelector('#facts').innerText.includes('132 events'));
    await same('nothing in the header is cut', await cutInHeader(page), []);
    const { width } = await page.where('#search_box');
    await check('and there is room to search', width >= 150);
    await same('a chip has the losses', await text(page, '#losses'), `≥ ${LOST + 44} lost`);
    await page.evaluate(() => globalThis.txtap.view.select(5));
    await page.press('#losses');
    await page.until(() => document.querySelectorAll('#loss_list li').length === 3);
    const list = await text(page, '#loss_list');
    await check('its list has each gap with its time and number', /0\.035\d+ s\s2308250 events lost\s+\S+ s\sat least 44 events lost/.test(list));
    await page.key('Escape');
    await page.until(() => !document.querySelector('#loss_list:popover-open'));
    await same('Escape closes the list before it drops the selection', await page.evaluate('txtap.view.selected'), 5);
    await page.key('Escape');
    await same('and then drops the selection', await page.evaluate('txtap.view.selected'), -1);
    await page.press('#losses');
    await page.press('#loss_list li:last-child button');
    const [from, to, gap] = await page.until(() => {
        const { from, to, trace, follow } = globalThis.txtap.view;
        return !follow && [from, to, trace.gapsBetween(0, 1e9, 9).at(-1)];
    });
    await check('a click on a gap shows it', from < gap.from && gap.to < to && (gap.to - gap.from) / (to - from) > 0.2);
    await check('no advice is shown that txtap did not give', await page.evaluate(() => document.getElementById('notice').hidden));
}

async function saysThatItIsOverloaded(page, server) {
    await page.until(() => document.querySelector('#header .live').innerText.includes('live'));
    await check('a stream without events is not called catching up', !(await text(page, '#header .live')).includes('catching up'));
    Object.assign(server.state, { lost: 600_000, lost_exact: false, advice: ADVICE });
    await page.until(() => !document.getElementById('notice').hidden);
    const shown = (await page.evaluate(() => document.getElementById('notice').innerText)).replaceAll(/\s+/g, ' ');
    await check('the page has the whole sentence of the terminal', shown.includes(ADVICE));
    await same('and the number of events that txtap lost', await text(page, '#losses'), '≥ 600000 lost');
    await page.press('#notice button');
    await check('which the user can close', await page.evaluate(() => document.getElementById('notice').hidden));
    await page.press('#losses');
    await page.until(() => document.querySelector('#loss_list:popover-open'));
    await check('the list keeps it', (await text(page, '#loss_list')).replaceAll(/\s+/g, ' ').includes('enlarge its trace buffer'));
}

async function saysItsRateQuietly(page) {
    await page.until(() => document.querySelector('#panel_summary .rate_note'));
    await check('a measured rate is a line', /1 MHz ± 0\.005 %/.test(await text(page, '#panel_summary .rate_note')));
    await check('and no warning', !/rate/.test(await text(page, '#panel_summary .notes')));
}

/** Waits until the summary says how many events it covers. Lets `ms` of the page's time pass between two looks. */
const covers = (page, words, ms = 0) => page.until((wanted, time) => {
    globalThis.stoppedClock.pass(time);
    return document.querySelector('#panel_summary .of')?.innerText.replaceAll(/[\u2009\u202f]/g, '').includes(wanted);
}, `, ${words} events so far`, ms);

/** The page's clock stands still after the summary of the first events: only the pause can finish the summary of all events. */
async function summaryEndsAfterAPause(page, server, rest, first, all) {
    await covers(page, first, 100);
    server.send(rest);
    await page.until((many) => globalThis.txtap.view.trace.state().events === many, all);
    await passTime(page, 1000); // less than the time between two summaries
    await check('a summary that is behind says so', await covers(page, `${first} of ${all}`));
    await page.press('#pause_stream');
    await page.until(() => globalThis.txtap.view.paused);
    await passTime(page, 1000);
    await check('after a pause it has all events', await covers(page, all));
}

/** Returns a stream of `events` events without an end. If their number is a multiple of EVENTS_MAX, a longer stream begins with it. */
function streamOf(events) {
    const path = join(WORK, `${events}.rec`);

    longRecording(madeTrx(20), events, path);
    return readFileSync(path).subarray(0, -END_BYTES);
}

async function works(browser) {
    await follows(browser, { hz: 1e6, name: 'demo_overload.elf' }, sendWithGaps, showsLosses);
    await follows(browser, { hz: 1e6 }, sendNoEvents, saysThatItIsOverloaded);
    await explainsMeanwhile(browser);
    await follows(browser, MEASURED, sendWithGaps, saysItsRateQuietly);
    const [first, all] = [6 * EVENTS_MAX, 60 * EVENTS_MAX];
    const [begin, whole] = [streamOf(first), streamOf(all)];
    await follows(browser, { hz: 1e6 }, (server) => server.send(begin),
        (page, server) => summaryEndsAfterAPause(page, server, whole.subarray(begin.length), first, all), beginStopped);
}

const missing = whatIsMissing(txtap);
if (missing) {
    skip('a live page is opened', missing);
} else {
    const browser = await Browser.start();
    await works(browser);
    await browser.close();
}
end();
