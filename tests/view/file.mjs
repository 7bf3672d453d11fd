// SPDX-License-Identifier: MIT
// The page of txtap view as a file, opened from disk with the network off: its picture, and what a user does with it by
// mouse, wheel and keys.   usage: file.mjs TXTAP
import { Browser } from './browser.mjs';
import { check, end, note, same, skip } from './checks.mjs';
import { CYCLE, CYCLE_TICKS, EVENTS_PER_CYCLE, ISR_NUMBER, madeTrx } from './made_trx.mjs';
import { colours, figuresIn, figuresOf, file, makePage, openPage, place, show, whatIsMissing } from './pages.mjs';

const [txtap] = process.argv.slice(2);
const CYCLES = 20;
const HZ = '1M';

const view = (page, what) => page.evaluate(`txtap.view.${what}`);
/** What is to be read in an element; digits are grouped by narrow blanks, which are left out. */
const text = (page, selector) => page.evaluate((chosen) =>
    (document.querySelector(chosen)?.innerText ?? '').replaceAll(/(?<=\d)[\u2009\u202f](?=\d)/g, ''), selector);

/** The colours of the page's own table, by name. */
const palette = (page) => page.evaluate(() => ({ ...globalThis.txtap.timeline.colours }));

async function showsStates(page, theme) {
    const colour = await palette(page);
    const waits = Object.values(colour.waitOf);
    // Share of the bar's height that has the state's colour (a text may cover a part), and which colours are not there
    const lacks = (of, ...names) => names.every((name) => !of[colour[name]]);
    const rules = {
        running: (of) => of[colour.running] > 0.6,
        ready: (of) => of[colour.ready] > 0.3 && of[colour.ready] < 0.9 && lacks(of, 'running'),
        blocked: (of) => waits.some((each) => of[each] > 0 && of[each] < 0.4) && lacks(of, 'running', 'ready'),
        interrupted: (of) => (of[colour.interrupted] ?? 0) + (of[colour.interruptedStripe] ?? 0) > 0.6,
    };
    await show(page, 0, CYCLE_TICKS);
    for (const [name, steps] of Object.entries(CYCLE))
        for (const [state, from, to] of steps) {
            const found = await colours(page, name, from + (to - from) * 0.7);
            const good = rules[state](found);
            if (!good) note(JSON.stringify(found));
            await check(`${theme}: ${name} is seen ${state} from ${from} to ${to}`, good);
        }
    const isr = await page.evaluate(() => globalThis.txtap.timeline.layout.rows.find(({ kind }) => kind === 'isr').row);
    const name = await page.evaluate((row) => globalThis.txtap.timeline.layout.names[row], isr);
    await check(`${theme}: the interrupt is seen`, (await colours(page, name, 1100))[colour.interrupt] > 0.9);
    await check(`${theme}: and only while it lasts`, !(await colours(page, name, 1300))[colour.interrupt]);
    await check(`${theme}: its number is in its name`, name.includes(String(ISR_NUMBER)));
}

/** A key changes what is shown. */
async function changes(page, key, what, good) {
    const shown = async () => ({ from: await view(page, 'from'), span: await view(page, 'to') - await view(page, 'from') });
    const before = await shown();
    await page.key(key);
    await check(`${key} ${what}`, good(before, await shown()));
}

async function zoomsAndMoves(page) {
    await show(page, 0, CYCLE_TICKS);
    const at = await place(page, 'alpha', 4000);
    await page.wheel(at.x, at.y, -120);
    await page.until(() => globalThis.txtap.view.to - globalThis.txtap.view.from < 9000);
    await page.frame();
    const after = await place(page, 'alpha', 4000);
    await check('the wheel zooms, and what is under the pointer stays there', Math.abs(after.x - at.x) < 2);
    const [from, to] = await view(page, 'from, [txtap.view.from, txtap.view.to]');
    await page.drag(at.x, at.y, at.x - 100, at.y);
    await page.frame();
    const moved = await place(page, 'alpha', 4000);
    await check('dragging moves it with the pointer', Math.abs(moved.x - (at.x - 100)) < 2);
    await check('and not its scale', Math.abs(await view(page, 'to') - await view(page, 'from') - (to - from)) < 1);
    await changes(page, 'w', 'zooms in', (before, now) => now.span < before.span);
    await changes(page, 's', 'zooms out', (before, now) => now.span > before.span);
    await changes(page, 'a', 'moves to the left', (before, now) => now.from < before.from);
    await changes(page, 'd', 'moves to the right', (before, now) => now.from > before.from);
    await page.key('End');
    const last = await page.evaluate(() => globalThis.txtap.view.trace.state().to);
    await check('End shows the newest event', Math.abs(await view(page, 'to') - last) < 2);
    await page.key('Home');
    await check('Home the oldest', Math.abs(await view(page, 'from')) < 2);
    await page.key('0');
    await check('0 all', await view(page, 'from') <= 0 && await view(page, 'to') >= last);
}

async function tells(page) {
    await show(page, 0, CYCLE_TICKS);
    const at = await place(page, 'alpha', 2400);
    await page.move(at.x, at.y);
    await page.until(() => !document.getElementById('card').hidden);
    const card = await text(page, '#card');
    await check('under the pointer: who, and what it does', /alpha/.test(card) && /running/.test(card));
    await check('since when, until when, how long', /0\.001200\ss … 0\.003000\ss, for 1\.800\sms/.test(card));
    const ready = await place(page, 'beta', 2500);
    await page.move(ready.x, ready.y);
    await page.until(() => /ready/.test(document.getElementById('card').innerText));
    const waker = await text(page, '#card');
    await check('who woke it', /woken by alpha/.test(waker));
    await check('and how long it waited for the CPU', /ran 1\.000\sms later/.test(waker));
    const waits = await place(page, 'alpha', 7000);
    await page.move(waits.x, waits.y);
    await page.until(() => /waits/.test(document.getElementById('card').innerText));
    await check('what it waits for', /waits: queue · inbox/.test(await text(page, '#card')));
    await page.click(at.x, at.y);
    await page.until(() => globalThis.txtap.view.selected >= 0);
    const selected = await view(page, 'selected');
    const name = await page.evaluate((index) => globalThis.txtap.view.trace.event(index).seq, selected);
    await page.until(() => document.querySelector('#table [aria-selected=true]'));
    await check('a click selects an event, which the table shows',
        (await text(page, '#table [aria-selected=true]')).replaceAll(/[\s,]/g, '').includes(String(name)));
}

async function finds(page) {
    await page.key('0');
    await page.key('/');
    await page.type('queue_send');
    await page.until((many) => document.getElementById('search_said').innerText.includes(`${many} hits`), CYCLES);
    await check('a search says how many events it found', true);
    const names = [];
    const hits = [];
    for (let turn = 0; turn < 3; turn++) {
        const before = await view(page, 'selected');
        await page.key('Enter');
        await page.until((old) => globalThis.txtap.view.selected !== old, before);
        hits.push(await view(page, 'selected'));
        names.push(await page.evaluate((index) => globalThis.txtap.view.trace.event(index)?.name, hits.at(-1)));
    }
    await check('Enter goes to a hit', names.every((name) => name === 'tx_queue_send'));
    await check('and on to the next', hits[1] - hits[0] === EVENTS_PER_CYCLE);
    await page.evaluate(() => document.activeElement.blur());
    const at = await view(page, 'selected');
    await page.key('N', ['shift']);
    await page.until((old) => globalThis.txtap.view.selected < old, at);
    await check('N goes back', await view(page, 'selected') === at - EVENTS_PER_CYCLE);
    await page.key('v');
    await check('v to the next event of that kind', await view(page, 'selected') === at);
    await page.key('c');
    const now = await view(page, 'selected');
    await check('c to the next context switch', now > at && now < at + EVENTS_PER_CYCLE);
}

async function goesTo(page) {
    for (const [what, index] of [['#55', 55], ['20ms', 2 * EVENTS_PER_CYCLE]]) {
        await page.key('g');
        await page.until(() => document.activeElement.tagName === 'INPUT');
        await page.evaluate(() => document.activeElement.select());
        await page.type(what);
        await page.key('Enter');
        await page.until((wanted) => globalThis.txtap.view.selected === wanted, index);
        await check(`g ${what} goes to event ${index}`, await view(page, 'selected') === index);
        await page.evaluate(() => document.activeElement.blur());
    }
}

/** Is the CPU share of a thread in a text? */
function showsShare(shown, figures, name) {
    const { stats } = figures.find((one) => one.name === 'cpu' && one.subject.name === name);
    return shown.replaceAll(/\s/g, ' ').includes(`${name} ${stats.value.value.toFixed(2)} %`);
}

async function reportsARange(page, path) {
    await show(page, 0, 5 * CYCLE_TICKS);
    const from = await place(page, 'gamma', CYCLE_TICKS);
    const to = await place(page, 'gamma', 3 * CYCLE_TICKS);
    await page.drag(from.x, from.y, to.x, to.y, ['shift']);
    const range = await page.until(() => globalThis.txtap.view.range);
    const perPixel = 5 * CYCLE_TICKS / 500;
    const near = (one, other) => Math.abs(one - other) < perPixel;
    await check('Shift and a drag select a range', near(range.from, CYCLE_TICKS) && near(range.to, 3 * CYCLE_TICKS));
    await page.until(() => /gamma/.test(document.getElementById('panel_range').innerText));
    const shown = await text(page, '#panel_range');
    const want = figuresOf(txtap, '--hz', HZ, '--from', `${range.from}us`, '--to', `${range.to}us`, path);
    await same('its figures are those of txtap report', await figuresIn(page, range.from, range.to), want);
    for (const name of Object.keys(CYCLE)) await check(`${name}'s share is in it`, showsShare(shown, want, name));
}

async function summaryIsTheReport(page, path) {
    const want = figuresOf(txtap, '--hz', HZ, path);
    await same('the figures of the whole trace are those of txtap report', await figuresIn(page), want);
    await page.press('#tab_summary');
    await page.until(() => /gamma/.test(document.getElementById('panel_summary').innerText));
    const shown = await text(page, '#panel_summary');
    for (const name of Object.keys(CYCLE))
        await check(`${name}'s share is in the summary`, showsShare(shown, want, name));
}

async function works(browser) {
    const path = file('made.trx', madeTrx(CYCLES));
    const page = await openPage(browser, makePage(txtap, 'page.html', '--hz', HZ, path), { offline: true });
    await showsStates(page, 'light');
    await zoomsAndMoves(page);
    await tells(page);
    await finds(page);
    await goesTo(page);
    await reportsARange(page, path);
    await summaryIsTheReport(page, path);
    await page.dark(true);
    await page.frame();
    await showsStates(page, 'dark');
    await same('nothing went wrong in the page', page.problems, []);
    await same('and it asked for nothing but itself', page.requests.filter((url) => !url.startsWith('data:')).length, 1);
    await page.close();
}

const missing = whatIsMissing(txtap);
if (missing) {
    skip('the page is opened', missing);
} else {
    const browser = await Browser.start();
    await works(browser);
    await browser.close();
}
end();
