// SPDX-License-Identifier: MIT
// The panels of the page and the ways back: the selected event, marks with notes, Back, Escape, the table beside an idle view, and
// the results of checks.   usage: panels.mjs TXTAP
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Browser } from './browser.mjs';
import { check, end, same, skip } from './checks.mjs';
import { CYCLE_TICKS, EVENTS_PER_CYCLE, madeTrx } from './made_trx.mjs';
import { passTime, startClock, stopClock } from './page_clock.mjs';
import { file, makePage, openPage, place, show, typeSearch, whatIsMissing } from './pages.mjs';

const [txtap] = process.argv.slice(2);
const CYCLES = 20;
const HOSTILE = '<img src=x onerror=alert(1)>';

const view = (page, what) => page.evaluate(`txtap.view.${what}`);
const text = (page, selector) => page.evaluate((chosen) =>
    (document.querySelector(chosen)?.innerText ?? '').replaceAll(/(?<=\d)[\u2009\u202f](?=\d)/g, ''), selector);
const blur = (page) => page.evaluate(() => document.activeElement.blur());
const isOpen = (page, name) => page.evaluate((wanted) => !document.getElementById(`panel_${wanted}`).hidden, name);

async function copiesFigures(page) {
    await page.evaluate(() => { navigator.clipboard.writeText = async (words) => { globalThis.copied = words; }; }); // a test cannot read it
    await page.until(() => document.querySelector('#panel_summary .figure'));
    await page.press('#panel_summary [data-copy]');
    const lines = (await page.until(() => globalThis.copied)).split('\n').map((line) => line.split('\t'));
    const ran = ((CYCLES - 1) * 1800 + 1800) / ((CYCLES - 1) * CYCLE_TICKS + 5000) * 100; // alpha's share
    await check('the figures can be copied, in columns', lines.some(([block, name, value]) => block === 'CPU' && name === 'alpha' && value === `${ran.toFixed(2)} %`));
    await check('with their details', lines.some(([block, name, , detail]) => block === 'Execution time' && name === 'alpha' && detail.startsWith(`${CYCLES} times`)));
}

async function showsTheSelection(page) {
    await show(page, 0, CYCLE_TICKS);
    const at = await place(page, 'alpha', 2400);
    await page.click(at.x, at.y);
    await page.until(() => document.querySelector('#panel_selection .state'));
    await check('a click opens the selection in place of the summary', await isOpen(page, 'selection'));
    const shown = await text(page, '#panel_selection');
    await check('it has the state with its duration', /alpha – running/.test(shown) && /for 1\.800\sms/.test(shown));
    await check('the waker, and the time until it ran', /woken by ISR 7 at 0\.001100\ss, ran after 100\.0\sµs/.test(shown));
    const seq = await page.evaluate(() => globalThis.txtap.view.trace.seq(globalThis.txtap.view.selected));
    await check('the event with its number and its time', shown.includes(`#${seq} at 0.001200 s`));
    await check('and its fields', /isr_number\s+7/.test(shown));
    await page.press('#panel_selection [data-kind=event][data-forward]');
    await page.until((old) => globalThis.txtap.view.selected === old + 11, seq);
    await check('a click goes to the next event of that kind', true);
    await page.frame();
    await page.press('#panel_selection [data-kind=event]:not([data-forward])');
    await page.until((old) => globalThis.txtap.view.selected === old, seq);
    await page.frame();
    await check('and back to the previous', /◂\s*\n?.*same event/.test(await text(page, '#panel_selection')));
    await page.press('#tab_range');
    await page.click(at.x, at.y);
    await check('a click leaves another panel open', await isOpen(page, 'range'));
    await page.press('#tab_summary');
}

const notes = (page) => page.evaluate(() => [...document.querySelectorAll('.marks li')].map((each) => each.innerText.replaceAll(/\s+/g, ' ')));

/** Returns the pixels with the colour of flags in the axis, left of a position and right of it, in pixels of the frame. */
const flagPixels = (page, x) => page.evaluate((middle) => {
    const { frame, colours } = globalThis.txtap.timeline;
    const rgb = [1, 3, 5].map((at) => parseInt(colours.cursor.slice(at, at + 2), 16));
    const count = (from, to) => {
        const { data } = frame.ctx.getImageData(from, frame.axisTop, to - from, frame.top - frame.axisTop);

        return data.filter((_, at) => at % 4 === 0 && rgb.every((part, i) => data[at + i] === part)).length;
    };

    return [count(frame.left, middle), count(middle, frame.left + frame.width)];
}, x);

/** The event 12 has a note of 80 characters. */
async function showsFlags(page) {
    const flags = () => page.evaluate(() => globalThis.txtap.timeline.frame.noteFlags);
    const ticks = await page.evaluate(() => globalThis.txtap.view.trace.ticks(12));

    await show(page, ticks - 5000, ticks + 5000);
    const [flag, ...others] = await flags();
    await check('the axis has a flag with the beginning of the note', !others.length && /^x+…$/.test(flag.text));
    const [left, right] = await flagPixels(page, flag.x);
    await check('it begins at the event', left === 0 && right > flag.width * flag.height / 3);
    const at = await place(page, '', ticks);
    const top = (await page.where('#scene')).top;
    await page.move(at.x + 20, top + 5);
    const card = await page.until(() => !document.getElementById('card').hidden && document.getElementById('card').innerText);
    await check('the pointer on it shows the whole note and the event', card.includes('x'.repeat(80)) && card.includes('#12 at'));
    await page.evaluate(() => globalThis.txtap.view.select(-1));
    await page.click(at.x + 20, top + 5);
    await same('a click on it selects the event', await view(page, 'selected'), 12);
    await page.evaluate((hostile) => globalThis.txtap.places.setNote(13, hostile), HOSTILE);
    await page.frame();
    const [first, second] = await flags();
    await check('a flag ends before the next flag', first.x + first.width <= second.x && second.note === HOSTILE);
    await page.evaluate(() => globalThis.txtap.places.mark(13, false));
    await show(page, ticks + 100, ticks + 5000);
    await same('a flag outside the view is not shown', await flags(), []);
    await show(page, 0, CYCLE_TICKS);
    await page.evaluate(() => globalThis.txtap.view.set({ panel: 'search' }));
}

async function keepsNotes(page) {
    await page.evaluate(() => globalThis.txtap.view.choose(12));
    await blur(page);
    await page.key('M', ['shift']);
    await page.until(() => document.activeElement.closest('.marks'));
    await check('M opens the note of the selected event, in Find', await isOpen(page, 'search') && await text(page, '#tab_search') === 'Find');
    await page.type(`${HOSTILE} , 5 %`);
    await page.key('Enter');
    await page.until(() => document.querySelector('.marks .note'));
    await check('it is listed with the event', (await notes(page))[0].includes(HOSTILE));
    await page.until(() => location.hash.includes('m=12:'));
    await page.reload();
    await page.evaluate(async () => { await globalThis.txtap.ready; });
    await page.until(() => document.querySelector('.marks .note'));
    await check('a link keeps it, and its markup stays text', (await notes(page))[0].includes(`${HOSTILE} , 5 %`));
    await page.press('.marks [data-edit]');
    await page.until(() => document.activeElement.closest('.marks'));
    await page.evaluate(() => document.activeElement.select());
    await page.type('x'.repeat(100));
    await page.key('Enter');
    await page.until(() => document.querySelector('.marks .note')?.innerText === 'x'.repeat(80));
    await check('it can be edited, up to its length', true);
    await showsFlags(page);
    await page.press('.marks [data-edit]');
    await page.until(() => document.activeElement.closest('.marks'));
    await page.type('not this');
    await page.key('Escape');
    await page.until(() => !document.querySelector('.marks input'));
    await same('Escape keeps the note and the selection', [await text(page, '.marks .note'), await view(page, 'selected')], ['x'.repeat(80), 12]);
    await page.press('.marks [data-remove]');
    await page.until(() => !document.querySelector('.marks li'));
    await page.until(() => globalThis.txtap.timeline.frame.noteFlags.length === 0);
    await page.until(() => !location.hash.includes('m='));
    await check('and removed', true);
    await page.press('#tab_summary');
    await page.evaluate(() => globalThis.txtap.view.select(-1));
}

/** Lets the time pass after which the page writes its place into the address, and becomes an entry of the history. */
const rest = (page) => passTime(page, 300);

const TURNS = 12;
const FACTOR = 1.2 ** -2; // of a turn of the wheel

/** Turns the wheel TURNS times, with a rest after each turn or without. Returns the number of new entries of the history; the
 * current entry must be the last. */
async function entriesOfTurns(page, at, rests) {
    const [span, before] = [await view(page, 'to - txtap.view.from'), await page.evaluate('history.length')];

    for (let turn = 1; turn <= TURNS; turn++) {
        await page.wheel(at.x, at.y, -120);
        await page.until((most) => globalThis.txtap.view.to - globalThis.txtap.view.from < most, span * FACTOR ** turn * 1.01);
        if (rests)
            await rest(page);
    }
    await rest(page);
    return await page.evaluate('history.length') - before;
}

/** The page's clock stands still, so the test decides when the view rests. */
async function goesBack(page) {
    const seen = async () => [Math.round(await view(page, 'from')), Math.round(await view(page, 'to'))];
    const depth = () => page.evaluate('history.length');

    await stopClock(page);
    await blur(page);
    await page.key('0');
    await rest(page);
    const [whole, begin] = [await seen(), await depth()];
    await page.key('g');
    await page.until(() => document.activeElement.id === 'go_to_box');
    await page.type('0.02');
    await page.key('Enter');
    await rest(page);
    const there = await seen();
    await same('going to a place is an entry of the history', await depth(), begin + 1);
    await page.evaluate('history.back()');
    await page.until((to) => globalThis.txtap.view.to === to, whole[1]);
    await same('Back shows the previous view', [await seen(), await view(page, 'selected')], [whole, -1]);
    await page.evaluate('history.forward()');
    await page.until((to) => Math.round(globalThis.txtap.view.to) === to, there[1]);
    await same('Forward shows the place again', await seen(), there);
    await blur(page);
    await page.key('0');
    await rest(page);
    await page.frame();
    const at = await place(page, 'alpha', 100_000);
    await same(`${TURNS} turns of the wheel with rests, a factor of 80, are an entry for each factor of 2`, await entriesOfTurns(page, at, true), TURNS / 2);
    await page.key('0');
    await rest(page);
    await page.frame();
    await same('turns without a rest are a single entry', await entriesOfTurns(page, at, false), 1);
    const near = await view(page, 'to - txtap.view.from');
    await page.evaluate('history.back()');
    await page.until((span) => globalThis.txtap.view.to - globalThis.txtap.view.from > span, near);
    await same('and Back shows the view before them', await seen(), whole);
    await page.key('0');
    await rest(page);
    await startClock(page);
}

async function searchesWithoutPictures(page) {
    await page.evaluate(() => {
        const { requestAnimationFrame } = globalThis;
        const held = [];

        globalThis.requestAnimationFrame = (draw) => held.push(draw);
        globalThis.drawAgain = () => {
            Object.assign(globalThis, { requestAnimationFrame });
            held.forEach((draw) => requestAnimationFrame(draw));
        };
        globalThis.txtap.search.find('queue_send');
    });
    await check('a search ends while the browser draws no picture', await page.until(() => globalThis.txtap.view.search.isDone()));
    await page.evaluate(() => globalThis.txtap.view.select(0));
    await page.evaluate(() => globalThis.txtap.search.find(''));
    await page.evaluate(() => globalThis.drawAgain());
}

async function clearsInOrder(page) {
    await show(page, 0, CYCLE_TICKS);
    const at = await place(page, 'alpha', 2400);
    const to = await place(page, 'alpha', 6000);
    await typeSearch(page, 'queue_send');
    await blur(page);
    await page.drag(at.x, at.y, to.x, to.y, ['shift']);
    await page.click(at.x, at.y, ['alt']);
    await page.click(at.x, at.y);
    const has = () => page.evaluate(() => {
        const { selected, range, cursors, search } = globalThis.txtap.view;

        return [selected >= 0 && 'event', range && 'range', cursors.some((each) => each !== null) && 'cursors', search && 'search'].filter(Boolean).join(' ');
    });
    await page.until(() => globalThis.txtap.view.selected >= 0 && globalThis.txtap.view.range);
    const left = [await has()];
    for (let turn = 0; turn < 4; turn++) {
        await page.key('Escape');
        left.push(await has());
    }
    await same('Escape clears the event, the range, the cursors, the search', left, ['event range cursors search', 'range cursors search', 'cursors search', 'search', '']);
    await page.press('#tab_summary');
}

async function tableIsNear(page) {
    await page.evaluate(() => globalThis.txtap.view.select(-1));
    await show(page, 3 * CYCLE_TICKS + 6000, 3 * CYCLE_TICKS + 6100); // nothing happens from 5000 to 10000
    const rows = await page.evaluate(() => [...document.querySelectorAll('#table .window .row .number')].map((each) => Number(each.innerText.slice(1))));
    const [before, after] = [4 * EVENTS_PER_CYCLE - 1, 4 * EVENTS_PER_CYCLE];
    await check('the table shows the events on both sides of a view without events', rows.includes(before) && rows.includes(after));
}

/** Returns the address of a page with results of checks. */
function withChecks(url, name, checks) {
    const html = readFileSync(url.slice('file://'.length), 'utf8');
    const setup = JSON.stringify({ checks }).slice(1, -1).replaceAll('<', '\\u003c');

    return `file://${file(name, html.replace('id="setup">{', `id="setup">{${setup},`))}`;
}

async function listsChecks(browser, url) {
    const failed = { check: 'wake(alpha).max <= 5us', verdict: 'failed', text: '100 us of alpha', subject: 'alpha', event: 47, time: 0.0412 };
    const checks = [{ check: 'deadlock == 0', verdict: 'ok', text: '0', subject: '' }, failed,
        { check: `</script>${HOSTILE}`, verdict: 'unknown', text: HOSTILE, subject: HOSTILE, event: 99_999 }];
    const page = await openPage(browser, withChecks(url, 'checks.html', checks), { offline: true });
    await check('a page with a failed check opens with the checks', await isOpen(page, 'checks'));
    await same('whose tab counts them', await text(page, '#tab_checks'), 'Checks (1)');
    await check('and all tabs have room', await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.querySelector('#panel .tabs');

        return scrollWidth <= clientWidth;
    }));
    const list = await page.evaluate(() => [...document.querySelectorAll('.checks li')].map((each) => each.innerText.replaceAll(/\s+/g, ' ').trim()));
    await same('failed checks come first', list, ['FAIL wake(alpha).max <= 5us 100 us of alpha Show event #47',
        `unknown </script>${HOSTILE} ${HOSTILE} event #99999 is not in this trace`, 'ok deadlock == 0 0']);
    await page.press('.checks a');
    await page.until(() => globalThis.txtap.view.selected === 47);
    const [from, to, at] = await page.evaluate(() => [globalThis.txtap.view.from, globalThis.txtap.view.to, globalThis.txtap.view.trace.ticks(47)]);
    await check('a click shows what is around the event', to - from < 2 * CYCLE_TICKS && from < at && at < to);
    await page.until(() => location.hash.includes('e=47')); // the page writes its address later than it moves
    await page.evaluate('history.back()');
    await page.until(() => globalThis.txtap.view.to - globalThis.txtap.view.from > 150_000);
    await check('and Back leads to the view before', await isOpen(page, 'checks'));
    await same('texts of checks do nothing', page.problems, []);
    await page.close();
    const fine = await openPage(browser, withChecks(url, 'fine.html', [checks[0]]), { offline: true });
    await check('checks that passed leave the summary open', await isOpen(fine, 'summary') && await fine.where('#tab_checks') !== null);
    await fine.close();
    const without = await openPage(browser, url, { offline: true });
    await same('a page without results has a tab without a number', await text(without, '#tab_checks'), 'Checks');
    await without.close();
}

async function namesFindings(browser) {
    const trace = fileURLToPath(new URL('../data/analysis/deadlock.trx', import.meta.url));
    const page = await openPage(browser, makePage(txtap, 'findings.html', trace), { offline: true });

    await page.until(() => document.querySelector('#panel_summary .finding'));
    await same('the summary names what deserves attention', await page.evaluate(() =>
        [...document.querySelectorAll('#panel_summary .finding')].map((each) => each.innerText)),
    ['deadlock: b waits for mutex m1, held by a since event 2; a waits for mutex m2, held by b since event 0; ' +
        'they wait for ever; closed by event 6 at tick 52']);
    await page.press('#panel_summary .finding button');
    await check('a click selects its event', await page.until(() => globalThis.txtap.view.selected === 6));
    await page.close();
}

async function beginsNarrow(browser, url) {
    for (const [width, wide] of [[999, false], [1000, true]]) {
        const page = await openPage(browser, url, { width, height: 600, offline: true });
        await same(`${width} px wide, the panel begins ${wide ? 'open' : 'closed'}`, await page.where('#panel') !== null, wide);
        await page.close();
    }
}

/** Returns the elements of the open panel whose text is cut off, or moves the panel sideways. */
const cutOff = (page, panel) => page.evaluate((name) => {
    const box = document.getElementById(`panel_${name}`);
    return [box, ...box.querySelectorAll('.report, .value, .detail')].filter((each) => each.scrollWidth > each.clientWidth + 1 &&
        getComputedStyle(each).display !== 'inline').map((each) => `${each.tagName} ${each.className}: ${each.innerText.slice(0, 60)}`);
}, panel);

async function fitsSmallWindows(browser, url) {
    for (const [width, height] of [[1280, 800], [800, 600]]) {
        const page = await openPage(browser, url, { width, height, offline: true });
        if (await page.where('#panel') === null) await page.key('p');
        const tabs = await page.evaluate(() => [...document.querySelectorAll('#panel [role=tab]:not([hidden])')].map((tab) => {
            const { left, right, top } = tab.getBoundingClientRect();
            return { left, right, top, cut: tab.scrollWidth > tab.clientWidth };
        }));
        const rows = [...new Set(tabs.map(({ top }) => top))].map((wanted) => tabs.filter(({ top }) => top === wanted).map(({ left }) => left));
        await same(`${width} x ${height}: eight tabs are two rows of four columns`, [rows.length, rows[0]], [2, rows[1]]);
        await check('no tab is cut off', tabs.every(({ cut, right }) => !cut && right <= width));
        await page.press('#tab_summary');
        await page.until(() => document.querySelector('#panel_summary .figure'));
        await check('shares have bounds here', /\d to \d/.test(await text(page, '#panel_summary .figure.share')));
        await same('no figure is cut off', await cutOff(page, 'summary'), []);
        await same('nor the number of lost events', await page.evaluate(() => {
            const live = document.querySelector('#header .live');
            return [live.innerText.includes('lost'), live.scrollWidth <= live.clientWidth];
        }), [true, true]);
        await page.press('#show_help');
        await page.frame();
        await same('the help begins with its first line', await page.evaluate(() => document.querySelector('#help').scrollTop), 0);
        await page.close();
    }
}

async function works(browser) {
    const url = makePage(txtap, 'panels.html', '--hz', '1M', file('made.trx', madeTrx(CYCLES)));
    const page = await openPage(browser, url, { offline: true });
    await copiesFigures(page);
    await showsTheSelection(page);
    await keepsNotes(page);
    await goesBack(page);
    await searchesWithoutPictures(page);
    await clearsInOrder(page);
    await tableIsNear(page);
    await same('nothing went wrong in the page', page.problems, []);
    await page.close();
    await listsChecks(browser, url);
    await namesFindings(browser);
    await beginsNarrow(browser, url);
    await fitsSmallWindows(browser, makePage(txtap, 'bounds.html', '--hz', '1M', file('bounds.trx', madeTrx(CYCLES, { lost: 10 }))));
}

const missing = whatIsMissing(txtap);
if (missing) {
    skip('the panels are used', missing);
} else {
    const browser = await Browser.start();
    await works(browser);
    await browser.close();
}
end();
