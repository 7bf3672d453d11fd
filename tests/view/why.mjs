// SPDX-License-Identifier: MIT
// The panel "Why" of the page: a job, an event or a figure is explained with the sentences and the ticks of `txtap why`; the picture
// shows its path; the URL keeps the question.
//   usage: why.mjs TXTAP BUILD [FOLDER]    FOLDER: receives pictures of the pages
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser } from './browser.mjs';
import { check, end, same, skip } from './checks.mjs';
import { file, makePage, openPage, place, show, whatIsMissing } from './pages.mjs';
import { readTrace, Recording } from './recording.mjs';

const [txtap, build, pictures] = process.argv.slice(2);
const REC = join(build, 'tests/data/demo_rec.trx');
const HZ = ['--hz', '168M'];
const CAUSE = 'control waited 655ns for mutex model, held by reporter since event 284';

/** Returns the object of 'txtap why -f json' without its head. */
function whyOf(path, ...args) {
    const { tool, version, schema, schema_version, rate, trace, tick_hz, lost, lost_exact, gaps, ...answer } =
        JSON.parse(execFileSync(txtap, ['why', '-q', '-f', 'json', ...HZ, path, ...args]));
    return answer;
}

/** Returns the demo's trace as a recording that lost some events. */
function withGaps(gaps) {
    const { header, objects, entries } = readTrace(readFileSync(REC));
    const recording = new Recording().buffer(header).objects(objects);
    const add = (from, to) => {
        for (let at = from; at < to; at += 1000)
            recording.events(at, entries[at].readUInt32LE(12) - entries[0].readUInt32LE(12), entries.slice(at, Math.min(at + 1000, to)));
    };
    let at = 0;
    for (const [from, lost] of gaps) {
        add(at, from);
        recording.objects(objects).gap(from, lost); // the objects that the first events create
        at = from + lost;
    }
    add(at, entries.length);
    return recording.end().bytes();
}

const answer = (page) => page.until(() => globalThis.txtap.view.why?.answer);
const problem = (page) => page.until(() => globalThis.txtap.view.why?.problem);
const shown = (page) => page.evaluate(() => ({
    cause: document.querySelector('#panel_why .cause')?.innerText,
    span: document.querySelector('#panel_why .of')?.innerText,
    lines: [...document.querySelectorAll('#panel_why tr[data-piece] td:last-child')].map((cell) => cell.innerText),
    ticks: [...document.querySelectorAll('#panel_why tr[data-piece] td:first-child')].map((cell) => Number(cell.title.replaceAll(/\D/g, ''))),
}));
const view = (page, what) => page.evaluate(`txtap.view.${what}`);

/** Returns the pixels of the overlay with the accent colour in a row's box and at its edges, between two times. */
const framed = (page, row, from, to) => page.evaluate((name, start, stop) => {
    const { timeline } = globalThis.txtap;
    const { frame, layout, overlayCanvas } = timeline;
    const box = frame.boxOf(layout.names.indexOf(name));
    const x = (ticks) => Math.round(frame.left + (timeline.view.position(ticks) - frame.from) * frame.width / (frame.to - frame.from));
    const top = overlayCanvas.height - frame.height + box.y;
    const { data } = overlayCanvas.getContext('2d').getImageData(x(start) - 2, top - 3, x(stop) - x(start) + 4, box.height + 6);
    const accent = timeline.colours.accent.match(/[\da-f]{2}/g).map((part) => parseInt(part, 16));
    let count = 0;
    for (let at = 0; at < data.length; at += 4) count += data[at + 3] === 255 && accent.every((part, i) => data[at + i] === part);
    return count;
}, row, from, to);

/** Returns the opacity of the overlay in the middle of a row at a time, 0 to 255. */
const veil = (page, row, ticks) => page.evaluate((name, at) => {
    const { timeline } = globalThis.txtap;
    const { frame, layout, overlayCanvas } = timeline;
    const box = frame.boxOf(layout.names.indexOf(name));
    const x = Math.round(frame.left + (timeline.view.position(at) - frame.from) * frame.width / (frame.to - frame.from));
    return overlayCanvas.getContext('2d').getImageData(x, overlayCanvas.height - frame.height + box.y + (box.height >> 1), 1, 1).data[3];
}, row, ticks);

async function explainsAJob(page, theme) {
    const want = whyOf(REC, 'response(control).max');
    const job = { from: want.start.ticks, to: want.end.ticks };

    await show(page, job.from - 2000, job.to + 1000);
    const at = await place(page, 'control', job.from + 100);
    await page.click(at.x, at.y);
    await page.key('W');
    await answer(page);
    await page.frame();
    const got = await shown(page);
    await same(`${theme}: a click on a job and W: the sentences of txtap why`, [got.cause, got.span, got.lines], [CAUSE, want.span, want.pieces.map(({ line }) => line)]);
    await same(`${theme}: and its ticks`, got.ticks, want.pieces.map(({ ticks }) => ticks));
    const waited = want.pieces.find((piece) => piece.chain.length);
    await check(`${theme}: the wait is framed in the row of the owner`, (await framed(page, 'reporter', waited.from, waited.to)) > 20);
    const ready = want.pieces.find(({ state }) => state === 'ready'); // while the timer's thread ran
    await check(`${theme}: time in which a thread was ready is framed in the row of the thread that ran`, (await framed(page, ready.by.name ?? `ISR ${ready.by.number}`, ready.from, ready.to)) > 10);
    await same(`${theme}: everything else is dimmed, the path is not`, [await veil(page, 'reporter', waited.from - 400) > 0, await veil(page, 'logger', waited.from + 50) > 0,
        await veil(page, 'reporter', (waited.from + waited.to) / 2), await veil(page, 'control', (waited.from + waited.to) / 2)], [true, true, 0, 0]);
    const index = want.pieces.indexOf(waited);
    const cell = `#panel_why tr[data-piece="${index}"] td:last-child`;
    await page.evaluate((chosen) => document.querySelector(chosen).scrollIntoView({ block: 'center' }), cell);
    const row = await page.where(cell);
    await page.move(row.x, row.y);
    await page.until((piece) => globalThis.txtap.view.why.piece === piece, index);
    await page.frame();
    if (pictures) await page.screenshot(join(pictures, `why-${theme}.png`));
    await check(`${theme}: a row under the pointer is highlighted in the picture`, (await veil(page, 'reporter', (waited.from + waited.to) / 2)) > 0);
}

async function goesToAPiece(page) {
    const piece = await page.evaluate(() => globalThis.txtap.view.why.answer.pieces.findIndex(({ chain }) => chain.length));
    await page.press(`#panel_why tr[data-piece="${piece}"] button`);
    await page.until(() => globalThis.txtap.view.trace.seq(globalThis.txtap.view.selected) === 290);
    await check('a click on a piece selects its event', true);
}

async function keepsTheQuestion(browser, page) {
    await page.until(() => /y=time,/.test(location.hash));
    const address = await page.evaluate(() => location.href);
    const again = await openPage(browser, address);
    await answer(again);
    await same('a link opens the same path', [(await shown(again)).cause, await view(again, 'panel')], [CAUSE, 'why']);
    await again.close();
}

async function leaves(page) {
    await page.evaluate(() => document.activeElement.blur());
    await page.key('Escape');
    await page.until(() => globalThis.txtap.view.why === null);
    await page.key('Escape'); // drops the selected event, whose line has the same colour
    await page.until(() => globalThis.txtap.view.selected < 0);
    await page.frame();
    await check('Escape removes the path', await page.until(() => !document.querySelector('#panel_why .cause')) && !(await framed(page, 'reporter', 106000, 106315)));
    await page.until(() => !/y=/.test(location.hash));
}

async function explainsFigures(page) {
    await page.press('#tab_summary');
    await page.until(() => document.querySelector('#panel_summary .ask.cause'));
    const line = await page.evaluate(() => document.querySelector('#panel_summary .ask.cause').innerText);
    const worst = whyOf(REC).jobs.reduce((a, b) => (b.total > a.total ? b : a));
    await same('the longest response has its cause in the summary', line, worst.cause);
    await page.press('#panel_summary .ask.cause');
    await answer(page);
    await same('a click explains it', (await shown(page)).cause, worst.cause);
    await page.press('#tab_summary');
    await page.press('#panel_summary .figure.wait .ask');
    const { question, answer: block } = await page.until(() => globalThis.txtap.view.why?.question.figure === 'block' && globalThis.txtap.view.why.answer && globalThis.txtap.view.why);
    await check('why beside a wait explains the wait', block.kind === 'wait' && block.end.event === question.event);
}

/** Compares answers of the decoder in the page with the command line: of figures, of events, and of times. */
async function agrees(page, path, names, events) {
    for (const name of names) {
        const want = whyOf(path, `${name}.max`);
        const figure = await page.evaluate((wanted, thread, end) => globalThis.txtap.view.trace.report().figures.find((each) =>
            each.name === wanted && each.subject.name === thread && each.max_at?.event === end), name.split('(')[0], /\((.*)\)/.exec(name)[1], want.end.event);
        const question = { select: 'figure', figure: figure.name, address: Number(figure.subject.address), isThread: figure.subject.kind === 'thread', event: figure.max_at.event };
        await same(`${name} has the answer of txtap why`, await page.evaluate((asked) => globalThis.txtap.view.trace.why(asked), question), want);
    }
    for (const event of events)
        await same(`so has event ${event}`, await page.evaluate((seq) => globalThis.txtap.view.trace.why({ select: 'event', event: seq }), event), whyOf(path, '--event', event));
    const control = await page.evaluate(() => globalThis.txtap.view.trace.rows().find(({ name }) => name === 'control').address);
    for (const ticks of [106200, 500000])
        await same(`and control at tick ${ticks}`, await page.evaluate((address, at) => globalThis.txtap.view.trace.why({ select: 'time', address, isThread: true, ticks: at }), control, ticks),
            whyOf(path, '--thread', 'control', '--at', `${ticks / 168e3}ms`));
}

async function explainsOverAGap(browser) {
    const path = file('gaps.rec', withGaps([[292, 5], [2000, 40]]));
    const page = await openPage(browser, makePage(txtap, 'gaps.html', ...HZ, path));
    await agrees(page, path, ['response(control)', 'wake(sampler)'], [290, 298, 2100]);
    await page.evaluate(() => { location.hash = '#y=event,290&p=why'; });
    const got = await answer(page);
    await check('the gap is a piece, and a note tells that events are missing', got.pieces.some(({ state }) => state === 'gap') && got.gap &&
        (await page.until(() => document.querySelector('#panel_why .notes')?.innerText)).includes('events are missing inside'));
    await page.frame();
    if (pictures) await page.screenshot(join(pictures, 'why-gap.png'));
    await page.evaluate(() => { location.hash = '#y=event,99999999&p=why'; });
    await same('an event without a job has no path', await problem(page), 'The trace does not show a whole job or wait there.');
    await same('no problem over gaps', page.problems, []);
    await page.close();
}

const missing = whatIsMissing(txtap);
if (missing) {
    skip('the panel "Why"', missing);
} else {
    const browser = await Browser.start();
    const url = makePage(txtap, 'why.html', ...HZ, REC);
    for (const theme of pictures ? ['light', 'dark'] : ['light']) {
        const page = await openPage(browser, url, { dark: theme === 'dark' });
        await explainsAJob(page, theme);
        if (theme === 'light') {
            await goesToAPiece(page);
            await keepsTheQuestion(browser, page);
            await leaves(page);
            await explainsFigures(page);
            await agrees(page, REC, ['block(filter)', 'wake(logger)', 'hold(model)', 'path(control)'], [290, 4000]);
        }
        await same(`${theme}: no problem`, page.problems, []);
        await page.close();
    }
    await explainsOverAGap(browser);
    await browser.close();
}
end();
