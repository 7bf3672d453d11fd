// SPDX-License-Identifier: MIT
// Tests the empty page of txtap view, opened from disk. The test drops files on the page: a trace with a gap, a trace
// with marks, a trace with hostile names, and a file that is not a trace.   usage: dropped.mjs TXTAP
import { basename } from 'node:path';
import { Browser } from './browser.mjs';
import { check, end, same, skip } from './checks.mjs';
import { CYCLE_TICKS, EVENTS_PER_CYCLE, ISR_NUMBER, madeTrx } from './made_trx.mjs';
import { colours, figuresIn, figuresOf, file, makePage, show, whatIsMissing } from './pages.mjs';
import { Recording, readTrace } from './recording.mjs';

const [txtap] = process.argv.slice(2);
const [MARK_RESET, MARK_TRIGGER] = [2, 6];
const HOSTILE = {
    alpha: '<script>alert(1)</script>',
    beta: '\u202e"><img src=x onerror=alert(2)>\u2066',
    gamma: '</script><svg onload=alert(3)>',
    inbox: '<script>alert(4)</script>'.repeat(160), // 4,000 bytes
    done: "'\\`${alert(5)}&lt;\u0007\u200b\u001b[31m",
};

const state = (page) => page.evaluate(() => globalThis.txtap.view.trace.state());

/** Drops files and waits until the page shows another trace. */
async function drop(page, ...paths) {
    await page.evaluate(() => { globalThis.before = globalThis.txtap.view.trace; });
    await page.drop(paths, 640, 360);
    await page.until(() => globalThis.txtap.view.trace !== globalThis.before && globalThis.txtap.view.trace.state().ended);
    await page.frame();
}

async function takesTraces(page) {
    const path = file('made.trx', madeTrx(20));
    await check('the empty page asks to drop files', /drop/i.test(await page.evaluate('document.body.innerText')));
    await drop(page, path);
    await same('a dropped .trx is shown with all events', (await state(page)).events, 20 * EVENTS_PER_CYCLE);
    await same('its figures are those of txtap report', await figuresIn(page), figuresOf(txtap, path));
    const title = await page.evaluate('document.getElementById("title").innerText');
    await check('its name is in the title', title.includes('made.trx'));
}

async function showsGaps(page) {
    const lost = 10;
    await drop(page, file('gap.trx', madeTrx(20, { lost })));
    const { gaps, lost: events, lostExact } = await state(page);
    await same('a gap is counted', [gaps, events, lostExact], [1, EVENTS_PER_CYCLE, true]);
    const header = await page.evaluate('document.getElementById("header").innerText');
    await check('and shown in the header', header.includes(`${EVENTS_PER_CYCLE} lost`));
    await page.resize(480, 720);
    const said = () => {
        const { clientWidth, scrollWidth, clientHeight } = document.querySelector('#header .missing');
        return clientHeight > 0 && clientWidth >= scrollWidth;
    };
    await check('and not cut off in a narrow window', await page.until(said));
    await page.resize(1280, 720);
    await show(page, (lost - 2) * CYCLE_TICKS, (lost + 3) * CYCLE_TICKS);
    const { gap, running, ready } = await page.evaluate(() => ({ ...globalThis.txtap.timeline.colours }));
    const lane = await page.evaluate(() => globalThis.txtap.timeline.layout.names[
        globalThis.txtap.timeline.layout.rows.find(({ kind }) => kind === 'thread').row]);
    const places = Array.from({ length: 9 }, (_, i) => lost * CYCLE_TICKS + 1000 * i);
    const seen = await Promise.all(places.map((ticks) => colours(page, lane, ticks)));
    await check('no thread is running or ready within the gap', seen.every((of) => !of[running] && !of[ready]));
    await check('the gap is hatched', seen.every((of) => of[gap] > 0) && seen.some((of) => of[gap] < 1));
}

async function showsMarks(page) {
    const { header, entries } = readTrace(madeTrx(4));
    const list = readTrace(madeTrx(1)).objects;
    const recording = (from, to) => new Recording().buffer(header).objects(list)
        .events(from, from * 100, entries.slice(from, to));
    const first = recording(0, 20).mark(MARK_RESET, 20, '').events(20, 20000, entries.slice(20, 30)).end(30).bytes();
    const second = recording(30, 44).mark(MARK_TRIGGER, 44, '<b>by hand').end(14).bytes();
    await drop(page, file('made.rec1', second), file('made.rec0', first));
    const { events, gaps } = await state(page);
    await same('two files of a recording form one trace in order', [events, gaps], [44, 0]);
    const kinds = await page.evaluate(() => globalThis.txtap.view.trace.marksBetween(0, 1e9, 9).map(({ kind }) => kind));
    await same('a reset and a trigger are marks', kinds, ['reset', 'trigger']);
}

async function knowsWhatItIs(page) {
    const { header, objects: list, entries } = readTrace(madeTrx(20));
    const recording = new Recording().buffer(header).rate(1e6, 3, 9.9e5, 1.01e6).about('firmware made.elf\ntxtap 0.3.0\n')
        .meaning(`vector ${16 + ISR_NUMBER} "button_handler"\n`, false)
        .meaning('event 4096 "cycle" "number {0=n}"\ncounter 4096 0 "cycles"\n', true)
        .objects(list).events(0, 0, entries).end(entries.length);
    await drop(page, file('described.rec', recording.bytes()));
    await same('a dropped recording knows its rate', (await state(page)).hz, 1e6);
    const names = await page.evaluate(() => globalThis.txtap.timeline.layout.names);
    await check('its interrupts have names', names.includes(`button_handler (${ISR_NUMBER})`), names.join());
    await same('and its user events', await page.evaluate(() => globalThis.txtap.view.trace.event(0).name), 'cycle');
    await check('its counter has a row', names.includes('cycles'), names.join());
    await page.press('#tab_summary');
    await same('nobody asks for the rate', await page.evaluate(() => document.querySelectorAll('#tick_rate').length), 0);
    const shown = () => document.body.innerText.includes('button_handler (7)') && /\d (ms|s|us|µs)\b/.test(document.body.innerText);
    await check('the summary has the name and seconds', await page.until(shown));
}

async function isNotHurt(page) {
    const kinds = 'script, img, svg, iframe, object, embed';
    const elements = () => page.evaluate((selector) => document.querySelectorAll(selector).length, kinds);
    const before = await elements();
    await drop(page, file('"><img src=x onerror=alert(6)>.trx', madeTrx(10, { names: HOSTILE, nameBytes: 4096 })));
    await page.evaluate(() => globalThis.txtap.view.showAll());
    for (const selector of ['#tab_search', '#tab_range', '#tab_summary']) await page.press(selector);
    const at = await page.where('#overlay');
    for (let turn = 0; turn < 12; turn++) await page.move(at.left + 0.5 * at.width, at.top + at.height * turn / 12);
    await page.click(at.left + 0.6 * at.width, at.top + 0.4 * at.height);
    await page.key('/');
    await page.type('<script>alert(7)</script>');
    await page.key('Enter');
    await page.frame();
    await same('names with markup create no elements', await elements(), before);
    await page.press('#tab_selection');
    await page.until(() => document.querySelector('#panel_selection .event'));
    await same('nor in the panel of the selected event', await elements(), before);
    await page.press('#tab_summary');
    const shown = await page.until(() => document.body.innerText.includes('<script>alert(1)</script>') && document.body.innerText);
    await check('their markup is shown as text', shown !== '');
    const unseen = /[\u0000-\u0008\u000b-\u001f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/;
    await check('without invisible characters', !unseen.test(shown));
}

async function refusesTheRest(page) {
    const before = await state(page);
    await page.drop([file('nothing.txt', 'this is no trace\n'.repeat(100))], 640, 360);
    const said = await page.until(() => [...document.querySelectorAll('[role=alert], #header .live')]
        .map((each) => each.innerText).find((line) => line.includes('nothing.txt')));
    await check('a file that is not a trace is refused in one line', !said.trim().includes('\n'));
    await same('and the previous trace stays', (await state(page)).events, before.events);
}

async function works(browser) {
    const url = makePage(txtap, 'empty.html');
    const page = await browser.open(url, { offline: true });
    await page.evaluate(async () => { await globalThis.txtap.ready; });
    await takesTraces(page);
    await showsGaps(page);
    await showsMarks(page);
    await knowsWhatItIs(page);
    await isNotHurt(page);
    await refusesTheRest(page);
    await same('nothing went wrong in the page', page.problems, []);
    await same('and it requested nothing but itself', page.requests.filter((each) => basename(each) !== 'empty.html'), []);
}

const missing = whatIsMissing(txtap);
if (missing) {
    skip('a trace is dropped on the page', missing);
} else {
    const browser = await Browser.start();
    await works(browser);
    await browser.close();
}
end();
