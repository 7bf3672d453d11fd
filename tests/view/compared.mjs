// SPDX-License-Identifier: MIT
// The page that txtap compare writes, and two traces on the empty page: both timelines move together, are aligned at starts,
// jobs, hits and selected events, and the table has the figures of txtap compare.   usage: compared.mjs TXTAP
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Browser } from './browser.mjs';
import { check, end, note, same, skip } from './checks.mjs';
import { CYCLE_TICKS, EVENTS_PER_CYCLE, madeTrx } from './made_trx.mjs';
import { file, makePage, whatIsMissing, WORK } from './pages.mjs';

const [txtap] = process.argv.slice(2);
const HZ = 1e6;
const LATE = [{ cycle: 4, ticks: 300 }, { cycle: 21, ticks: 1500 }];
const CYCLES = [20, 30];

const compared = (traces, ...args) => execFileSync(txtap, ['compare', '-q', '--hz', String(HZ), ...args, ...traces], { maxBuffer: 1 << 28 });

/** Calls `what` with the txtap object of each side; returns both results. */
const onSides = (page, what) => page.evaluate(`['a', 'b'].map((side) => (${what})(document.getElementById('side_' + side).contentWindow.txtap))`);
const edges = (page) => onSides(page, ({ view }) => [view.from, view.to]);
const said = (page) => page.evaluate(() => document.getElementById('aligned').textContent);
const apart = (page) => edges(page).then(([a, b]) => Math.round(b[0] - a[0]));

async function open(browser, path) {
    const page = await browser.open(`file://${path}`, { width: 1500, height: 860, offline: true });
    await page.evaluate(async () => { await globalThis.txtap.ready; });
    await page.frame();
    return page;
}

async function showsBoth(page) {
    const whole = await edges(page);
    await same('both traces have all events', await onSides(page, ({ view }) => view.trace.state().events), CYCLES.map((cycles) => cycles * EVENTS_PER_CYCLE));
    await same('both timelines show the same time, which has both traces', whole[0], whole[1]);
    await check('up to the end of the longer trace', whole[0][1] >= (CYCLES[1] - 1) * CYCLE_TICKS);
}

async function hasTheFigures(page, traces) {
    const json = JSON.parse(compared(traces, '-f', 'json'));
    const shown = () => page.evaluate(() => [...document.querySelectorAll('table.compared tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent)));
    const text = compared(traces, '--all').toString();
    await same('the panel has the verdict of txtap compare', await page.evaluate(() => document.getElementById('verdict').textContent), json.verdict);
    await page.press('#all_numbers');
    const rows = (await shown()).map((cells) => cells.filter((cell) => cell).join(' '));
    const lines = text.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' '));
    await same('and a row for each number of the JSON', rows.length, json.numbers.length);
    await same('with the words and numbers of the text, in its order', rows, lines.filter((line) => rows.includes(line)));
    await page.press('#all_numbers');
}

async function movesTogether(page) {
    const { x, y } = await page.where('#side_b');
    const before = await edges(page);
    await page.wheel(x, y, -240, ['ctrl']);
    await page.until((span) => globalThis.document.getElementById('side_a').contentWindow.txtap.view.to
        - globalThis.document.getElementById('side_a').contentWindow.txtap.view.from < span, before[0][1] - before[0][0]);
    const zoomed = await edges(page);
    await same('a wheel over B zooms both', zoomed[0].map(Math.round), zoomed[1].map(Math.round));
    const top = await page.where('#side_a');
    await page.click(top.x, top.y);
    await page.key('d');
    const panned = await edges(page);
    await check('a key in A moves both', panned[0][0] !== zoomed[0][0] && Math.round(panned[0][0]) === Math.round(panned[1][0]));
    await page.press('#lock');
    await page.click(top.x, top.y);
    await page.key('d');
    const alone = await edges(page);
    await check('an unlocked timeline moves alone', alone[0][0] !== panned[0][0] && alone[1][0] === panned[1][0]);
    await page.press('#lock');
    await same('a lock keeps the picture', await apart(page), Math.round(alone[1][0] - alone[0][0]));
}

/** Chooses a way to align, fills its fields, and presses the button. */
async function align(page, how, fields = {}) {
    await page.evaluate((value) => {
        const select = document.getElementById('align_how');
        select.value = value;
        select.dispatchEvent(new Event('change'));
    }, how);
    for (const [id, value] of Object.entries(fields))
        await page.evaluate((name, text) => { document.getElementById(name).value = text; }, id, value);
    await page.press('#align');
}

async function aligns(page) {
    await align(page, 'start');
    await page.until(() => document.getElementById('aligned').textContent.includes('equal times'));
    await same('aligned at the starts, both show the same ticks', await apart(page), 0);
    await align(page, 'job', { align_thread: 'alpha', align_number: '3' });
    await same('the same job of both traces is at the same time', await apart(page), 0);
    await align(page, 'hit', { align_query: 'thread:beta semaphore_get', align_number: String(LATE[0].cycle + 1) });
    await page.until(() => document.getElementById('aligned').textContent.includes('earlier'));
    await same('aligned at a hit, B is where its event is earlier', await apart(page), -LATE[0].ticks);
    await align(page, 'job', { align_thread: 'alpha', align_number: '29' });
    await page.until(() => document.getElementById('aligned').textContent.startsWith('A: '));
    await same('a job that a trace does not have is not invented', await said(page), 'A: alpha has only 20 jobs that begin in the trace');
}

async function showsTheWorst(page) {
    await page.press('th[title^="response(alpha)"] button');
    await page.until(() => ['a', 'b'].every((side) => document.getElementById(`side_${side}`).contentWindow.txtap.view.selected >= 0));
    const ends = LATE.map(({ cycle, ticks }) => cycle * CYCLE_TICKS + 3000 + ticks);
    await same('a figure leads to the worst case of each side', await onSides(page, ({ view }) => view.trace.ticks(view.selected)), ends);
    await same('which are above each other', await apart(page), ends[1] - ends[0]);
    const shown = await edges(page);
    await check('and visible from begin to end', shown.every(([from, to], side) => from <= ends[side] - 1900 - LATE[side].ticks && to >= ends[side]));
}

/** Drops both traces on an empty page, which compares them itself. */
async function comparesDroppedTraces(browser, traces) {
    const page = await browser.open(makePage(txtap, 'empty.html', '--hz', String(HZ)), { width: 1500, height: 860, offline: true });
    await page.evaluate(async () => { await globalThis.txtap.ready; });
    await page.drop(traces, 640, 360);
    await page.until(() => document.getElementById('verdict') !== null);
    note('two dropped traces');
    await showsBoth(page);
    await hasTheFigures(page, traces);
    await showsTheWorst(page);
    await same('nothing went wrong in the page', page.problems, []);
    await page.close();
}

const missing = whatIsMissing(txtap);
if (missing) {
    skip('the page of txtap compare is used', missing);
} else {
    const traces = LATE.map((late, i) => file(`${'ab'[i]}.trx`, madeTrx(CYCLES[i], { late })));
    const path = join(WORK, 'compared.html');
    compared(traces, '-f', 'html', '-o', path);
    const browser = await Browser.start();
    const page = await open(browser, path);
    await showsBoth(page);
    await hasTheFigures(page, traces);
    await movesTogether(page);
    await aligns(page);
    await showsTheWorst(page);
    if (process.env.TXTAP_SCREENSHOTS) {
        for (const theme of ['light', 'dark']) {
            await page.dark(theme === 'dark');
            await page.frame();
            await page.screenshot(join(process.env.TXTAP_SCREENSHOTS, `compared-${theme}.png`));
        }
    }
    await same('nothing went wrong in the page', page.problems, []);
    await page.close();
    await comparesDroppedTraces(browser, traces);
    await browser.close();
}
end();
