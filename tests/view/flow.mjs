// SPDX-License-Identifier: MIT
// The panel of the flow on the page of txtap view: it has the numbers of `txtap report --flow`, for the whole trace, a range and a
// growing trace; clicks on nodes and edges; the filter; many nodes.   usage: flow.mjs TXTAP [FOLDER]
//   FOLDER: receives pictures of the pages
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Browser } from './browser.mjs';
import { check, end, same, skip } from './checks.mjs';
import { layoutFlow, NODE_HEIGHT } from '../../capture/view/page/flow/flow_layout.js';
import { CYCLE_TICKS, madeTrx, trx, TYPE } from './made_trx.mjs';
import { file, makePage, openPage, whatIsMissing } from './pages.mjs';
import { readTrace, Recording } from './recording.mjs';

const [txtap, pictures] = process.argv.slice(2);
const CYCLES = 20;
const HOSTILE = '<img src=x onerror=alert(1)> "q"';
const MANY = 70;
const [QUEUE_RECEIVE, QUEUE_SEND] = [68, 69];

/** Returns the flow of a trace from `txtap report`. */
const flowOf = (...args) => JSON.parse(execFileSync(txtap, ['report', '-q', '--flow', '-f', 'json', '--hz', '1M', ...args], { maxBuffer: 1 << 28 }));
const numbersOf = ({ nodes, edges }) => ({ nodes, edges });
const view = (page, what) => page.evaluate(`txtap.view.${what}`);
const rows = (page) => page.evaluate(() => [...document.querySelectorAll('table.flow tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent)));
const nodes = (page) => page.evaluate(() => [...document.querySelectorAll('.flow_node')].map((node) => [...node.querySelectorAll('span')].map((part) => part.textContent).join(': ')));
/** Waits until the table has a row with this text and this number of calls. */
const settled = (page, text, calls) => page.until((...wanted) => [...document.querySelectorAll('table.flow tbody tr')].some((row) =>
    row.cells[0].textContent === wanted[0] && row.cells[2].textContent === wanted[1]), text, String(calls));
const center = async (page, selector) => {
    const box = await page.where(selector);
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
};

async function wholeTrace(page, path) {
    await page.press('#tab_flow');
    await settled(page, 'ISR 7 send inbox', CYCLES);
    for (const theme of pictures ? ['dark', 'light'] : []) {
        await page.dark(theme === 'dark');
        await page.frame();
        await page.screenshot(join(pictures, `flow-${theme}.png`));
    }
    const inPage = await page.evaluate(() => globalThis.txtap.view.trace.report(0, Infinity, true));
    await same('the page has the numbers of txtap report', numbersOf(inPage), numbersOf(flowOf(path)));
    await same('and shows them', (await rows(page)).map(([text, , ...numbers]) => [text, ...numbers]),
        [['ISR 7 send inbox', '20', '0', '0', '0'], ['inbox receive alpha', '20', '20', '0', '0'], ['alpha put done', '20', '0', '0', '0'],
            ['done get beta', '20', '20', '0', '0']]);
    await same('senders on the left, then objects, then receivers', await nodes(page),
        ['ISR 7: interrupt', 'alpha: thread', 'inbox: queue 0', 'done: semaphore 0', 'alpha: thread', 'beta: thread']);
}

async function range(page, path) {
    const [from, to] = [5 * CYCLE_TICKS, 8 * CYCLE_TICKS - 1];
    await page.evaluate((...edges) => globalThis.txtap.view.set({ range: { from: edges[0], to: edges[1] } }), from, to);
    await settled(page, 'ISR 7 send inbox', 3);
    const inPage = await page.evaluate((...edges) => globalThis.txtap.view.trace.report(...edges, true), from, to);
    await same('a range has the numbers of txtap report --from --to', numbersOf(inPage), numbersOf(flowOf('--from', `${from}us`, '--to', `${to}us`, path)));
    await page.evaluate(() => globalThis.txtap.view.set({ range: null }));
    await settled(page, 'ISR 7 send inbox', CYCLES);
}

async function pointer(page) {
    const at = await center(page, '.flow_graph .flow_node.queue');
    await page.move(at.x, at.y);
    const card = await page.until(() => !document.querySelector('.flow_card').hidden && document.querySelector('.flow_card').innerText);
    await check('the pointer on a node shows its numbers', card.startsWith('inbox, queue') && /ISR 7 send inbox: [\d.]+ a second/.test(card));
    await same('and dims what does not belong to it', await page.evaluate(() => [...document.querySelectorAll('.flow_node.lit .name')].map((name) => name.textContent).sort()),
        ['ISR 7', 'alpha', 'alpha', 'inbox']);
    await page.click(at.x, at.y);
    await same('a click makes its row the current row', await page.evaluate(() => globalThis.txtap.timeline.layout.names[globalThis.txtap.timeline.row]), 'inbox');
    await page.move(5, 5);
    await check('the card disappears with the pointer', () => page.until(() => document.querySelector('.flow_card').hidden));
}

async function edges(page) {
    const searched = async (calls) => {
        await page.until((wanted) => globalThis.txtap.view.search?.isDone() && globalThis.txtap.view.search.count === wanted, calls);
        return view(page, 'selected');
    };
    await page.press('#panel_flow summary');
    for (const [at, [text, , calls]] of (await rows(page)).entries()) {
        await page.press(`#panel_flow [data-edge="${at}"] button`);
        await check(`the search of '${text}' finds its calls`, async () => await searched(Number(calls)) !== undefined);
    }
    await page.press('#panel_flow [data-edge="0"] button');
    await page.until(() => globalThis.txtap.view.search?.isDone());
    await page.press('#panel_flow [data-edge="0"] button');
    const first = await page.until(() => globalThis.txtap.view.selected >= 0 && globalThis.txtap.view.selected + 1) - 1;
    await page.press('#panel_flow [data-edge="0"] button');
    await page.until((old) => globalThis.txtap.view.selected === old + 11, first);
    await check('each further click goes to the next call', true);
    await page.evaluate(() => document.querySelector('.flow_graph .edge').focus());
    await page.key('Enter');
    await page.until((old) => globalThis.txtap.view.selected !== old + 11 || globalThis.txtap.search.query() !== '', first);
    await check('an edge of the graph can be reached with the keyboard', await page.evaluate(() => document.activeElement.classList.contains('edge')));
    await page.evaluate(() => globalThis.txtap.search.find(''));
}

/** The trace of the page gets more events, as from a target. */
async function grows(page) {
    const { header, objects, entries } = readTrace(madeTrx(2 * CYCLES));
    const half = entries.length / 2;
    const recording = new Recording().buffer(header).objects(objects).rate(1e6).events(0, 0, entries.slice(0, half));
    const first = recording.bytes().toString('base64');
    const second = recording.events(half, CYCLES * CYCLE_TICKS, entries.slice(half)).blocks.at(-1).toString('base64');

    await page.evaluate((bytes) => {
        const { view } = globalThis.txtap;
        const trace = view.trace.decoder.open({ hz: 1e6 });

        trace.feed(Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0)));
        view.open(trace);
    }, first);
    await page.until(() => document.querySelector('#panel_flow .of')?.textContent.includes('so far'));
    await settled(page, 'ISR 7 send inbox', CYCLES);
    const node = await page.evaluate(() => document.querySelector('.flow_node.queue').style.top);
    await page.evaluate((bytes) => {
        const { view } = globalThis.txtap;

        view.trace.feed(Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0)));
        view.grown();
    }, second);
    await settled(page, 'ISR 7 send inbox', 2 * CYCLES);
    await same('a growing trace has new numbers at the same places', await page.evaluate(() => document.querySelector('.flow_node.queue').style.top), node);
}

async function hostile(browser) {
    const page = await openPage(browser, makePage(txtap, 'hostile.html', '--hz', '1M', file('hostile.trx', madeTrx(CYCLES, { names: { alpha: HOSTILE, inbox: 'in*[b?x' }, nameBytes: 48 }))));
    await page.press('#tab_flow');
    await settled(page, 'ISR 7 send in*[b?x', CYCLES);
    await page.press('#panel_flow summary');
    const at = (await rows(page)).findIndex(([text]) => text === `in*[b?x receive ${HOSTILE}`);
    await page.press(`#panel_flow [data-edge="${at}"] button`);
    await page.until((wanted) => globalThis.txtap.view.search?.isDone() && globalThis.txtap.view.search.count === wanted, CYCLES);
    await check('names with quotes and patterns are text, and their calls are found', true);
    await same('nothing went wrong with hostile names', page.problems, []);
    await page.close();
}

/** Each of many threads sends to the queue of the next thread; thread N does so N + 1 times. */
function manyTrx() {
    const thread = (number) => 0x20010000 + number * 0x100;
    const queue = (number) => 0x20020000 + (number % MANY) * 0x100;
    const numbers = [...Array(MANY).keys()];
    const objects = numbers.flatMap((number) => [{ type: TYPE.thread, address: thread(number), name: `t${number}` }, { type: TYPE.queue, address: queue(number), name: `q${number}` }]);
    const events = numbers.flatMap((number) => [...Array(number + 1).keys()].flatMap(() => [
        [thread(number), 0x80000000, QUEUE_SEND, queue(number + 1), 0, 0, 0], [thread(number), 0x80000000, QUEUE_RECEIVE, queue(number), 0, 0, 1]]));
    return trx(objects, events.map((event, at) => [at * 10, ...event]));
}

async function many(browser) {
    const page = await openPage(browser, makePage(txtap, 'many.html', '--hz', '1M', file('many.trx', manyTrx())));
    await page.press('#tab_flow');
    await settled(page, `t${MANY - 1} send q0`, MANY);
    await same('a graph of many nodes shows all of them', (await nodes(page)).length, 3 * MANY);
    await check('and can be scrolled', await page.evaluate(() => document.getElementById('panel_flow').scrollHeight > 2000));
    const slider = await page.where('.flow_filter input');
    await page.click(slider.left + 2, slider.top + slider.height / 2);
    await page.until(() => document.querySelectorAll('.flow_graph .edge').length < 20);
    const said = await page.evaluate(() => document.querySelector('.flow_filter span').textContent);
    await check('the filter leaves the most frequent rows', /^\d+ of 140 rows, ≥ [\d\u202f.]+ a second$/u.test(said) && (await rows(page))[0][2] === String(MANY));
    if (pictures) await page.screenshot(join(pictures, 'flow-many.png'));
    await same('nothing went wrong with many nodes', page.problems, []);
    await page.close();
}

/** The layout alone: places of nodes do not depend on numbers, and no two nodes overlap. */
async function layout() {
    const flow = flowOf(file('layout.trx', manyTrx()));
    const of = (edges) => layoutFlow(flow, edges, 800).places.sort((a, b) => a.column - b.column || a.id - b.id);
    await same('the order of edges does not change the layout', of(flow.edges), of([...flow.edges].reverse()));
    const { places, lines } = layoutFlow(flow, flow.edges, 800);
    await check('no two nodes overlap', places.every((a) => places.every((b) => a === b || a.x !== b.x || Math.abs(a.y - b.y) >= NODE_HEIGHT)));
    await check('each edge goes from left to right', lines.length === flow.edges.length && lines.every(({ x1, x2 }) => x1 < x2));
}

const missing = whatIsMissing(txtap);
await layout();
if (missing) {
    skip('the panel of the flow', missing);
} else {
    const browser = await Browser.start();
    const path = file('flow.trx', madeTrx(CYCLES));
    const page = await openPage(browser, makePage(txtap, 'flow.html', '--hz', '1M', path));
    await wholeTrace(page, path);
    await range(page, path);
    await pointer(page);
    await edges(page);
    await grows(page);
    await same('nothing went wrong in the page', page.problems, []);
    await page.close();
    await hostile(browser);
    await many(browser);
    await browser.close();
}
end();
