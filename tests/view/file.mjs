// SPDX-License-Identifier: MIT
// Tests the page of txtap view as a file, opened from disk without a network: its picture, and a user's actions with
// mouse, wheel and keys.   usage: file.mjs TXTAP
import { Browser } from './browser.mjs';
import { check, end, note, same, skip } from './checks.mjs';
import { CYCLE, CYCLE_TICKS, EVENTS_PER_CYCLE, ISR_NUMBER, madeTrx } from './made_trx.mjs';
import { colours, figuresIn, figuresOf, file, makePage, openPage, place, show, typeSearch, whatIsMissing } from './pages.mjs';

const [txtap] = process.argv.slice(2);
const CYCLES = 20;
const HZ = '1M';

const view = (page, what) => page.evaluate(`txtap.view.${what}`);
/** Returns the text of an element without the narrow blanks that group digits. */
const text = (page, selector) => page.evaluate((chosen) =>
    (document.querySelector(chosen)?.innerText ?? '').replaceAll(/(?<=\d)[\u2009\u202f](?=\d)/g, ''), selector);

/** Returns the colours of the page's own table, by name. */
const palette = (page) => page.evaluate(() => ({ ...globalThis.txtap.timeline.colours }));

/** Returns a thread's colour, and its tint while the thread is interrupted. */
const ownColours = (page, name) => page.evaluate((wanted) => {
    const { colours, layout } = globalThis.txtap.timeline;
    const at = layout.threadColours[layout.names.indexOf(wanted)];
    return { colour: colours.threads[at], tint: colours.threadTints[at] };
}, name);

async function showsStates(page, theme) {
    const colour = await palette(page);
    const waits = Object.values(colour.waitOf);
    // Computes the share of the bar's height that has the state's colour (a text may cover a part), and the missing
    // colours
    const lacks = (of, ...each) => each.every((missing) => !of[missing]);
    const rules = {
        running: (of, own) => of[own.colour] > 0.6,
        ready: (of, own) => of[colour.ready] > 0.3 && of[colour.ready] < 0.9 && lacks(of, own.colour),
        blocked: (of, own) => waits.some((each) => of[each] > 0 && of[each] < 0.4) && lacks(of, own.colour, colour.ready),
        interrupted: (of, own) => (of[own.tint] ?? 0) + (of[own.colour] ?? 0) > 0.6,
    };
    await show(page, 0, CYCLE_TICKS);
    for (const [name, steps] of Object.entries(CYCLE)) {
        const own = await ownColours(page, name);
        for (const [state, from, to] of steps) {
            const found = await colours(page, name, from + (to - from) * 0.7);
            const good = rules[state](found, own);
            if (!good) note(JSON.stringify(found));
            await check(`${theme}: ${name} is seen ${state} from ${from} to ${to}`, good);
        }
    }
    const isr = await page.evaluate(() => globalThis.txtap.timeline.layout.rows.find(({ kind }) => kind === 'isr').row);
    const name = await page.evaluate((row) => globalThis.txtap.timeline.layout.names[row], isr);
    await check(`${theme}: the interrupt is seen`, (await colours(page, name, 1100))[colour.interrupt] > 0.9);
    await check(`${theme}: and only while it lasts`, !(await colours(page, name, 1300))[colour.interrupt]);
    await check(`${theme}: its number is in its name`, name.includes(String(ISR_NUMBER)));
}

/** Presses a key that must change the view. */
async function changes(page, key, what, good) {
    const shown = () => page.evaluate(() => {
        const { from, to } = globalThis.txtap.view;
        return { from, span: to - from };
    });
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
    await check('the wheel zooms at the pointer', Math.abs(after.x - at.x) < 2);
    const [from, to] = await view(page, 'from, [txtap.view.from, txtap.view.to]');
    await page.drag(at.x, at.y, at.x - 100, at.y);
    await page.frame();
    const moved = await place(page, 'alpha', 4000);
    await check('dragging moves the view with the pointer', Math.abs(moved.x - (at.x - 100)) < 2);
    await check('and keeps the scale', Math.abs(await view(page, 'to') - await view(page, 'from') - (to - from)) < 1);
    await changes(page, 'w', 'zooms in', (before, now) => now.span < before.span);
    await changes(page, 's', 'zooms out', (before, now) => now.span > before.span);
    await changes(page, 'a', 'moves to the left', (before, now) => now.from < before.from);
    await changes(page, 'd', 'moves to the right', (before, now) => now.from > before.from);
    await page.key('End');
    const last = await page.evaluate(() => globalThis.txtap.view.trace.state().to);
    await check('End shows the newest event', Math.abs(await view(page, 'to') - last) < 2);
    await page.key('Home');
    await check('Home shows the oldest event', Math.abs(await view(page, 'from')) < 2);
    await page.key('0');
    await check('0 shows the whole trace', await view(page, 'from') <= 0 && await view(page, 'to') >= last);
}

/** Zooms by two fingers. Then lifts one finger: moving the remaining finger must move nothing. */
async function zoomsByFingers(page) {
    await show(page, 0, CYCLE_TICKS);
    const { x, y } = await place(page, 'alpha', 4000);
    const at = (id, px) => ({ id, x: px, y });
    await page.touch('touchStart', [at(1, x - 50)]);
    await page.touch('touchStart', [at(1, x - 50), at(2, x + 50)]);
    for (let away = 60; away <= 100; away += 10) await page.touch('touchMove', [at(1, x - away), at(2, x + away)]);
    await page.until((most) => globalThis.txtap.view.to - globalThis.txtap.view.from < most, CYCLE_TICKS * 0.51);
    const [from, to] = await view(page, 'from, [txtap.view.from, txtap.view.to]');
    await check('two fingers zoom', Math.abs(to - from - CYCLE_TICKS / 2) < CYCLE_TICKS / 50);
    await page.frame();
    await check('and the point between them stays', Math.abs((await place(page, 'alpha', 4000)).x - x) < 2);
    await page.touch('touchEnd', [at(2, x + 100)]);
    for (let away = 90; away >= 50; away -= 10) await page.touch('touchMove', [at(1, x - away)]);
    await page.touch('touchEnd', []);
    await same('a remaining finger moves nothing', await view(page, 'from, [txtap.view.from, txtap.view.to]'), [from, to]);
}

async function tells(page) {
    await show(page, 0, CYCLE_TICKS);
    const at = await place(page, 'alpha', 2400);
    await page.move(at.x, at.y);
    await page.until(() => !document.getElementById('card').hidden);
    const card = await text(page, '#card');
    await check('the card names the thread and its state', /alpha/.test(card) && /running/.test(card));
    await check('the card shows begin, end and length of the step', /0\.001200\ss … 0\.003000\ss, for 1\.800\sms/.test(card));
    const ready = await place(page, 'beta', 2500);
    await page.move(ready.x, ready.y);
    await page.until(() => /ready/.test(document.getElementById('card').innerText));
    const waker = await text(page, '#card');
    await check('the card names the thread that woke it', /woken by alpha/.test(waker));
    await check('and the time until it ran', /ran after 1\.000\sms/.test(waker));
    const waits = await place(page, 'alpha', 7000);
    await page.move(waits.x, waits.y);
    await page.until(() => /waits/.test(document.getElementById('card').innerText));
    await check('the card names the object of a wait', /waits: queue · inbox/.test(await text(page, '#card')));
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
    await typeSearch(page, 'queue_send');
    await same('a search says how many events it found', await text(page, '#search_said'), `${CYCLES} hits`);
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
    await check('and again to the next hit', hits[1] - hits[0] === EVENTS_PER_CYCLE);
    const marked = await page.until(() => {
        const found = [...document.querySelectorAll('#table .row.hit .event')];
        return found.length && found.map((each) => each.innerText);
    });
    await check('the table marks hits, and nothing else', marked.every((name) => name === 'tx_queue_send'));
    await page.evaluate(() => document.activeElement.blur());
    const at = await view(page, 'selected');
    await page.key('N', ['shift']);
    await page.until((old) => globalThis.txtap.view.selected < old, at);
    await check('N goes to the previous hit', await view(page, 'selected') === at - EVENTS_PER_CYCLE);
    await page.key('v');
    await check('v goes to the next event of that kind', await page.until((to) => globalThis.txtap.view.selected === to, at));
    await page.key('c');
    const now = await page.until((from) => globalThis.txtap.view.selected !== from && globalThis.txtap.view.selected, at);
    await check('c goes to the next context switch', now > at && now < at + EVENTS_PER_CYCLE);
}

/** Types a place into the box of "Go to". */
async function typesPlace(page, what) {
    await page.evaluate(() => document.activeElement.blur());
    await page.key('g');
    await page.until(() => document.activeElement.id === 'go_to_box');
    await page.evaluate(() => document.activeElement.select());
    await page.type(what);
    await page.key('Enter');
}

async function goesTo(page) {
    const around = 2 * EVENTS_PER_CYCLE; // the event at 20 ms
    for (const [what, index] of [['#55', 55], ['20ms', around], ['event 55', 55], ['0.02', around], ['#55', 55], ['0.02s', around],
        ['#55', 55], ['tick 20000', around]]) {
        await page.key('0');
        await page.frame();
        await typesPlace(page, what);
        await page.until((wanted) => globalThis.txtap.view.selected === wanted, index);
        await check(`g ${what} goes to event ${index}`, await view(page, 'selected') === index);
        const [from, to, at] = await page.evaluate(() => [globalThis.txtap.view.from, globalThis.txtap.view.to,
            globalThis.txtap.view.trace.ticks(globalThis.txtap.view.selected)]);
        await check('and shows its surroundings', to - from >= 2000 && to - from < 2 * CYCLE_TICKS && from < at && at < to);
    }
    const before = await view(page, 'selected');
    for (const [what, problem] of [['2,5', /"2,5" is not a position/], ['99', /99.000000 s is after the end of the trace, 0.195000 s/],
        ['7 parsecs', /not a unit of time/]]) {
        await typesPlace(page, what);
        const said = await page.until(() => document.getElementById('go_to_said').innerText);
        await check(`${what} says why it is no place`, problem.test(said.replaceAll(/[\u2009\u202f]/g, '')));
    }
    await check('and moves nothing', await view(page, 'selected') === before);
    await page.evaluate(() => document.activeElement.blur());
}

/** Returns true if a text contains the CPU share of a thread. */
function showsShare(shown, figures, name) {
    const { stats } = figures.find((one) => one.name === 'cpu' && one.subject.name === name);
    return shown.replaceAll(/\s/g, ' ').includes(`${name} ${stats.value.value.toFixed(2)} %`);
}

/** Returns the share of a range, in percent, that a thread of the made trace runs; '' instead of a name: that the interrupt runs. */
function runs(name, { from, to }) {
    const steps = name ? CYCLE[name].filter(([state]) => state === 'running') : [['isr', 1000, 1200]];
    let ticks = 0;
    for (let cycle = 0; cycle < CYCLES; cycle++)
        for (const [, start, end] of steps)
            ticks += Math.max(0, Math.min(to, cycle * CYCLE_TICKS + end) - Math.max(from, cycle * CYCLE_TICKS + start));
    return (ticks / (to - from) * 100).toFixed(2);
}

/** Returns the shares that the panel of the range shows for a name. */
const sharesOf = (page, name) => page.evaluate((wanted) => [...document.querySelectorAll('#panel_range .figure')]
    .filter((each) => each.querySelector('.name').innerText === wanted)
    .map((each) => each.querySelector('.value').innerText).filter((value) => value.includes('%')), name);

async function reportsARange(page, path) {
    await show(page, 0, 5 * CYCLE_TICKS);
    const from = await place(page, 'gamma', CYCLE_TICKS);
    const to = await place(page, 'gamma', 3 * CYCLE_TICKS);
    await page.drag(from.x, from.y, to.x, to.y, ['shift']);
    const range = await page.until(() => globalThis.txtap.view.range);
    const perPixel = 5 * CYCLE_TICKS / 500;
    const near = (one, other) => Math.abs(one - other) < perPixel;
    await check('Shift and a drag select a range', near(range.from, CYCLE_TICKS) && near(range.to, 3 * CYCLE_TICKS));
    await page.until(() => document.querySelector('#panel_range .span, #panel_range .worst'));
    const shown = await text(page, '#panel_range');
    const want = figuresOf(txtap, '--hz', HZ, '--from', `${range.from}us`, '--to', `${range.to}us`, path);
    await same('its figures are those of txtap report', await figuresIn(page, range.from, range.to), want);
    for (const name of Object.keys(CYCLE))
        await same(`the only share of ${name} is that of the selected time`, await sharesOf(page, name), [`${runs(name, range)} %`]);
    await same('and that of interrupts', await sharesOf(page, 'interrupts'), [`${runs('', range)} %`]);
}

/** Selects a short range whose first and last events are far from its edges. */
async function reportsAnUnevenRange(page) {
    await show(page, 0, CYCLE_TICKS);
    const from = await place(page, 'gamma', 3500);
    const to = await place(page, 'gamma', 8500);
    await page.drag(from.x, from.y, to.x, to.y, ['shift']);
    const range = await page.until(() => globalThis.txtap.view.range?.to < 9000 && globalThis.txtap.view.range);
    await page.until(() => !document.querySelector('#panel_range [role=status]') && document.querySelector('#panel_range .of')?.innerText.includes('from 0.003'));
    const shown = await text(page, '#panel_range');
    for (const name of Object.keys(CYCLE))
        await same(`${name} has one share of a range that events do not fill`, await sharesOf(page, name), [`${runs(name, range)} %`]);
    await check('no sentence explains a second share', !/Statistics cover/.test(shown));
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

/** Opens the page's address again. The address contains the view, so the page must show the same view. */
async function comesBack(page) {
    const looked = () => page.evaluate(() => {
        const { from, to, selected } = globalThis.txtap.view;
        return [Math.round(from), Math.round(to), selected];
    });
    await show(page, 2 * CYCLE_TICKS, 4 * CYCLE_TICKS);
    const at = await place(page, 'alpha', 2 * CYCLE_TICKS + 2000);
    await page.click(at.x, at.y);
    const before = await looked();
    const number = await page.evaluate((index) => globalThis.txtap.view.trace.seq(index), before[2]);
    await page.until((event) => location.hash.split(/[#&]/).includes(event), `e=${number}`); // the address changes a moment later
    await page.reload();
    await page.evaluate(async () => { await globalThis.txtap.ready; });
    await page.frame();
    await same('a reload shows the same part, with the same event selected', await looked(), before);
}

/** Checks the view by event: each event has the same width, also on half a screen with small pixels. */
async function showsEvents(page) {
    await page.resize(640, 720, 2);
    await page.key('0');
    await page.key('e');
    await page.until(() => globalThis.txtap.view.byEvent);
    await page.evaluate((many) => globalThis.txtap.view.show(0, many), 3 * EVENTS_PER_CYCLE);
    await page.frame();
    const [first, second] = await page.evaluate((many) => {
        const { frame } = globalThis.txtap.timeline;
        const x = (index) => frame.left + (index - frame.from) * frame.width / (frame.to - frame.from);
        return [x(many) - x(0), x(2 * many) - x(many)];
    }, EVENTS_PER_CYCLE);
    await check('by event, both cycles have the same width', Math.abs(first - second) < 0.01 && first > 0);
    const { colour: running } = await ownColours(page, 'alpha');
    const found = await page.evaluate((colour) => {
        const { frame, layout } = globalThis.txtap.timeline;
        const box = frame.boxOf(layout.names.indexOf('alpha'));
        const { data } = frame.ctx.getImageData(frame.left, box.y + (box.height >> 1), frame.width, 1);
        const wanted = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
        let many = 0;
        for (let at = 0; at < data.length; at += 4) many += wanted.every((part, i) => data[at + i] === part) ? 1 : 0;
        return many / frame.width;
    }, running);
    // alpha runs from the 5th to the 9th of the 11 events of a cycle. Texts cover a part of alpha's bar.
    await check('and alpha runs for as many events as it should', found > 0.1 && found < 4.5 / EVENTS_PER_CYCLE);
}

async function works(browser) {
    const path = file('made.trx', madeTrx(CYCLES));
    const url = makePage(txtap, 'page.html', '--hz', HZ, path);
    const page = await openPage(browser, url, { offline: true });
    await showsStates(page, 'light');
    await zoomsAndMoves(page);
    await zoomsByFingers(page);
    await tells(page);
    await finds(page);
    await goesTo(page);
    await reportsARange(page, path);
    await reportsAnUnevenRange(page);
    await summaryIsTheReport(page, path);
    await page.dark(true);
    await page.frame();
    await showsStates(page, 'dark');
    await comesBack(page);
    await showsEvents(page);
    await same('nothing went wrong in the page', page.problems, []);
    await same('and it requested nothing but itself', page.requests.filter((each) => !each.startsWith(url)), []);
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
