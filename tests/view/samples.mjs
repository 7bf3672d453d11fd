// SPDX-License-Identifier: MIT
// Tests the rows of samples on the page of txtap view: plots of variables, states with words, log lines.
// usage: samples.mjs TXTAP [FOLDER]    FOLDER: receives pictures of the pages
import { join } from 'node:path';
import { Browser } from './browser.mjs';
import { check, end, note, same, skip } from './checks.mjs';
import { ENDS, LINES, LOST, MODES, ODD_LINE, sampleRecording, speedAt, UNREADABLE } from './made_samples.mjs';
import { LiveServer } from './live_server.mjs';
import { colours, file, makePage, openPage, place, show, whatIsMissing } from './pages.mjs';

const [txtap, pictures] = process.argv.slice(2);

const palette = (page) => page.evaluate(() => ({ ...globalThis.txtap.timeline.colours }));
/** Returns the text of the card, with simple blanks. */
const cardText = (page) => page.evaluate(() => document.getElementById('card').innerText.replaceAll(/(?<=\d)[\u2009\u202f](?=\d)/g, ''));

async function picture(page, name) {
    if (pictures) await page.screenshot(join(pictures, name));
}

/** Moves the pointer to a moment of a row, and returns the card's text. */
async function hover(page, name, ticks) {
    const at = await place(page, name, ticks);
    await page.move(at.x, at.y);
    await page.until((row) => document.querySelector('#card h2')?.textContent.startsWith(`${row} –`), name);
    await page.frame();
    return cardText(page);
}

async function plots(page, theme) {
    const { levelEdge, levelRange, threads } = await palette(page);
    const lit = async (name, at) => {
        const found = await colours(page, name, at);
        return (found[levelEdge] ?? 0) + (found[levelRange] ?? 0);
    };

    await show(page, 0, ENDS);
    await picture(page, `samples-${theme}.png`);
    for (const at of [5000, 25000, 50000, 80000])
        await check(`${theme}: the speed is drawn at ${at}`, (await lit('motor.speed', at)) > 0);
    await same(`${theme}: a value that cannot be read is a gap`, await lit('motor.speed', (UNREADABLE.from + UNREADABLE.to) / 2), 0);
    await same(`${theme}: lost events are a gap, too`, await lit('motor.speed', (LOST.from + LOST.to) / 2), 0);
    const words = { '-2': 'BROKEN', 0: 'IDLE', 1: 'RUNNING' };
    for (const [i, [from, mode]] of MODES.entries()) {
        const to = MODES[i + 1]?.[0] ?? from;
        const at = from + (to > LOST.from && from < LOST.from ? LOST.from - from : to - from) * 0.6;
        const found = await colours(page, 'mode', at);
        const colour = threads[((mode % threads.length) + threads.length) % threads.length];

        if (to > from) await check(`${theme}: mode ${mode} has its colour`, found[colour] > 0.3);
        await check(`${theme}: and its word`, (await hover(page, 'mode', at)).startsWith(`mode – ${words[mode] ?? mode}`));
    }
    for (const [at] of LINES) await check(`${theme}: the line at ${at} is a tick`, (await colours(page, 'uart', at + 60))[levelEdge] > 0.9);
    await check(`${theme}: between lines there is no tick`, !((await colours(page, 'uart', 70000))[levelEdge] > 0.9));
}

async function tellsValues(page) {
    await show(page, 0, ENDS);
    const near = await hover(page, 'motor.speed', 50010);
    const shown = Number(/– (-?\d+(\.\d+)?(e-?\d+)?) V/.exec(near)?.[1]);
    if (![49900, 50000, 50100].some((at) => shown === speedAt(at))) note(near);
    await check('the card has the value with its unit, with all digits', [49900, 50000, 50100].some((at) => shown === speedAt(at)));
    await check('and the window of the reading', /time known to ± 7\.000 µs/.test(near));
    await check('a value that cannot be read', (await hover(page, 'motor.speed', 33000)).startsWith('motor.speed – cannot be read'));
    await check('a value in a gap is not known', (await hover(page, 'motor.speed', 63000)).startsWith('motor.speed – not known'));
    await check('a value of 64 bits is exact', (await hover(page, 'count', 2500)).startsWith('count – 18446744073709551613'));
    await check('a line of a log, with its time', /^uart – motor: 12\.5 rpm\s+0\.020030 s, time known to ± /.test(await hover(page, 'uart', 30000)));
    await show(page, 19990, 20060);
    await check('zoomed in, each line is a line', (await hover(page, 'uart', 20015)).startsWith('uart – motor: on'));
    await picture(page, 'samples-lines.png');
    await show(page, 0, ENDS);
    await check('a line is text', (await hover(page, 'uart', 60000)).startsWith(`uart – ${ODD_LINE.replace('\u202e', '·')}`));
    await check('program counters have no row', await page.evaluate(() => !globalThis.txtap.timeline.layout.lanes.some(({ row }) => row?.kind === 'pc')));
}

/** The keys go from sample to sample. */
async function keys(page) {
    await show(page, 0, ENDS);
    const at = await place(page, 'mode', 20000);
    await page.click(at.x, at.y);
    const selected = () => page.evaluate(() => globalThis.txtap.view.trace.ticks(globalThis.txtap.view.selected));
    await same('a click selects the begin of the state', await selected(), 10000);
    await page.key(']');
    await same('the key goes to the next sample', await selected(), 35000);
    await page.key('[');
    await same('and back', await selected(), 10000);
}

/** Sends the recording in two parts: the rows appear and grow. */
async function live(browser) {
    const server = await LiveServer.start(txtap, { hz: 1e6 });
    const page = await browser.open(undefined, { width: 1280, height: 900 });
    const bytes = sampleRecording();
    const part = Math.floor(bytes.length / 4);

    server.send(bytes.subarray(0, part));
    await page.go(server.url);
    await page.until(() => globalThis.txtap?.timeline.layout.names.includes('mode'));
    server.send(bytes.subarray(part));
    await page.until((last) => globalThis.txtap.view.trace.state().to >= last, ENDS - 1000);
    await page.evaluate(() => globalThis.txtap.view.showAll());
    await page.frame();
    await check('a live page has the values', (await hover(page, 'mode', 80000)).startsWith('mode – IDLE'));
    await same('a live page has no problem', page.problems, []);
    await page.close();
    await server.stop();
}

const missing = whatIsMissing(txtap);
if (missing) {
    skip('the rows of samples', missing);
} else {
    const browser = await Browser.start();
    const url = makePage(txtap, 'samples.html', '--hz', '1M', file('samples.rec', sampleRecording()));
    for (const theme of ['light', 'dark']) {
        const page = await openPage(browser, url, { dark: theme === 'dark' });
        await plots(page, theme);
        if (theme === 'light') {
            await tellsValues(page);
            await keys(page);
        }
        await same(`${theme}: no problem`, page.problems, []);
        await page.close();
    }
    await live(browser);
    await browser.close();
}
end();
