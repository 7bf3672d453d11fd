// SPDX-License-Identifier: MIT
// Tests the rows of user values on the page of txtap view: plots of counters, states, slices, and their texts at the pointer.
// usage: plots.mjs TXTAP
import { Browser } from './browser.mjs';
import { check, end, note, same, skip } from './checks.mjs';
import { DEFINITIONS, ENDS, JOBS, LOST, MODES, ODD_NAME, SHORT, temperatureAt, userRecording } from './made_user.mjs';
import { LiveServer } from './live_server.mjs';
import { colours, file, makePage, openPage, place, show, whatIsMissing } from './pages.mjs';

const [txtap] = process.argv.slice(2);
const HZ = '1M';

const palette = (page) => page.evaluate(() => ({ ...globalThis.txtap.timeline.colours }));
/** Returns the text of the card, with simple blanks. */
const cardText = (page) => page.evaluate(() => document.getElementById('card').innerText
    .replaceAll(/(?<=\d)[\u2009\u202f](?=\d)/g, ''));

/** Moves the pointer to a moment of a row, and returns the card's text. */
async function hover(page, name, ticks) {
    const at = await place(page, name, ticks);
    await page.move(at.x, at.y);
    await page.until((row) => document.querySelector('#card h2')?.textContent.startsWith(`${row} –`), name);
    await page.frame();
    return cardText(page);
}

/** Returns the heights of the pixels of a colour in a row's bar at a moment: 0 is the top, 1 the bottom. */
const heights = (page, name, ticks, ...wanted) => page.evaluate((row, moment, list) => {
    const { timeline } = globalThis.txtap;
    const { frame, layout } = timeline;
    const box = frame.boxOf(layout.names.indexOf(row));
    const x = Math.floor(frame.left + (moment - frame.from) * frame.width / (frame.to - frame.from));
    const { data } = frame.ctx.getImageData(x, box.y, 1, box.height);
    const found = [];
    for (let y = 0; y < box.height; y++) {
        const colour = `#${[...data.subarray(4 * y, 4 * y + 3)].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
        if (list.includes(colour)) found.push(y / (box.height - 1));
    }
    return found;
}, name, ticks, wanted);

async function plots(page, theme) {
    const { levelEdge, levelRange, gapStripe, gap } = await palette(page);
    const samples = Array.from({ length: ENDS / 250 }, (_, i) => i * 250).filter((at) => at <= LOST.from || at > LOST.to);
    const values = samples.map(temperatureAt);
    const [least, most] = [Math.min(...values), Math.max(...values)];

    await show(page, 0, ENDS);
    for (const at of [5000, 30000, 55000, 70000, 93000]) {
        const found = await heights(page, 'temperature', at + 60, levelEdge, levelRange);
        const wanted = 1 - (temperatureAt(at) - least) / (most - least);
        const near = found.some((height) => Math.abs(height - wanted) < 0.06);
        if (!near) note(`at ${at}: ${found}, not ${wanted}`);
        await check(`${theme}: the temperature at ${at} is drawn at its height`, near && found.length > 0 && found.length < 9);
    }
    for (let at = LOST.from + 500; at < LOST.to; at += 1100) {
        const found = await colours(page, 'temperature', at);
        await check(`${theme}: no line crosses the gap at ${at}`, !found[levelEdge] && !found[levelRange] && (found[gap] ?? 0) + (found[gapStripe] ?? 0) > 0);
    }
    await check(`${theme}: a NaN is a break of the line`, !(await colours(page, 'gain', 27000))[levelEdge]);
    await check(`${theme}: and the line is there before it`, (await colours(page, 'gain', 20000))[levelEdge] > 0);
    const spike = await heights(page, 'fan speed', 40050, levelEdge, levelRange);
    await check(`${theme}: a short spike to 2^32 - 1 fills its column`, spike[0] === 0 && spike.length > 20 && spike.at(-1) > 0.95);
}

async function tellsValues(page) {
    await show(page, 0, ENDS);
    await check('the card has the value with its unit', /^temperature – \d+\.\d C/.test(await hover(page, 'temperature', 2100)));
    const near = await hover(page, 'temperature', 30010);
    const shown = Number(/– (-?\d+\.\d) C/.exec(near)?.[1]) * 10;
    await check('and it is the value at the pointer', [29750, 30000, 30250].some((at) => Math.round(shown) === temperatureAt(at)));
    await check('a value is the same as in decode', (await hover(page, 'fan speed', 30000)).startsWith('fan speed – 1200 rpm'));
    await check('a NaN is named', (await hover(page, 'gain', 27000)).startsWith('gain – nan'));
    await check('a huge value is exact', (await hover(page, 'gain', 35000)).startsWith('gain – 3.00000001e38'));
    await check('in the gap nothing is known', (await hover(page, 'fan speed', 63000)).startsWith('fan speed – not known'));
    await show(page, 39000, 41000);
    await check('2^32 - 1 is exact', (await hover(page, 'fan speed', 40050)).startsWith('fan speed – 4294967295 rpm'));
    await show(page, 0, ENDS);
    await check('after the gap neither, until the next value', (await hover(page, 'fan speed', 70000)).startsWith('fan speed – not known'));
}

async function states(page, theme) {
    const { threads } = await palette(page);
    const names = ['idle', 'heating', 'holding', 'out of order'];

    await show(page, 0, ENDS);
    for (const [i, [from, mode]] of MODES.entries()) {
        const to = MODES[i + 1]?.[0] ?? ENDS;
        const at = to > LOST.from && from < LOST.from ? (from + LOST.from) / 2 : from + (to - from) * 0.8;
        const found = await colours(page, 'oven mode', at);
        await check(`${theme}: mode ${mode} has its colour`, found[threads[mode % threads.length]] > 0.3);
        await check(`${theme}: and its word`, (await hover(page, 'oven mode', at)).startsWith(`oven mode – ${names[mode] ?? mode}`));
    }
    const short = [await colours(page, 'oven mode', SHORT.from), await colours(page, 'oven mode', SHORT.to)];
    await check(`${theme}: a short state is seen`, short.some((found) => found[threads[SHORT.mode]] > 0.3));
    await check(`${theme}: flags are words`, (await hover(page, 'alarms', 55000)).startsWith('alarms – hot|door'));
}

async function slices(page) {
    const ground = await page.evaluate(() => {
        const { layout, colours: { threads } } = globalThis.txtap.timeline;
        return threads[(layout.rows[layout.names.indexOf('bake')].number + 1) % threads.length];
    });
    const levels = async (at) => (await heights(page, 'bake', at, ground)).reduce((most, height) => Math.max(most, Math.floor(height * 2.999) + 1), 0);

    await show(page, 0, ENDS);
    let depth = 0;
    for (const [i, [at, step]] of JOBS.entries()) {
        depth = i < 2 ? 0 : Math.max(0, depth + step);
        const next = JOBS[i + 1]?.[0] ?? ENDS;
        if (at < LOST.from && next > LOST.from) {
            depth = 1; // it goes on after the gap, as its end shows
            continue;
        }
        await same(`at ${at + 500} ${depth} slices are drawn`, await levels(at + (next - at) / 2), depth);
    }
    await same('an end without a begin shows that the slice was open', await levels(2000), 1);
    await same('also after a gap', await levels(70000), 1);
    await same('but not in the gap', await levels(63000), 0);
    const inner = await hover(page, 'bake', 31500);
    await check('the card names the open slices', inner.startsWith('bake – open 3 times, nested'));
    await check('with their times', inner.includes('0.031000 s … 0.032000 s, for 1.000 ms') && inner.includes('0.008000 s … 0.044000 s, for 36.00 ms'));
    await check('and the fields of their begins', inner.includes('number 6, ovens 2'));
    await check('a slice without an end', /after 0\.100000 s, for at least/.test(await hover(page, 'bake', 90000)));
    await check('a slice without a begin', /^bake – open\n+before 0\.000000 s/.test(await hover(page, 'bake', 2000)));
    await check('ends without a begin are counted', (await cardText(page)).includes('1 end without a begin in this trace'));
}

async function names(page) {
    await check('a name is text', await page.evaluate((name) => globalThis.txtap.timeline.layout.names.includes(name), ODD_NAME));
    await check('in the card, too', (await hover(page, ODD_NAME, 30000)).startsWith(`${ODD_NAME} – 1`));
    await same('the page had no problem', page.problems, []);
    await check('the summary is there', await page.evaluate(() => !document.getElementById('panel').innerText.includes('no report')));
}

const lanes = (page) => page.evaluate(() => globalThis.txtap.timeline.layout.lanes.filter(({ group }) => group === 'values')
    .map(({ row, title }) => (row ? title : '')).filter(Boolean));

/** A recording that has its definitions needs no other definitions. */
async function fromRecording(browser) {
    const page = await openPage(browser, makePage(txtap, 'stored.html', '--hz', HZ, file('stored.rec', userRecording(true))));

    await same('a recording with definitions has its rows',
        await lanes(page), ['temperature', 'fan speed', 'gain', ODD_NAME, 'oven mode', 'alarms', 'bake']);
    await page.close();
}

/** Sends the recording in two parts: the rows appear and grow. */
async function live(browser) {
    const server = await LiveServer.start(txtap, { hz: 1e6, definitions: [DEFINITIONS] });
    const page = await browser.open(undefined, { width: 1280, height: 900 });
    const bytes = userRecording();
    const part = Math.floor(bytes.length / 3);

    server.send(bytes.subarray(0, part));
    await page.go(server.url);
    server.send(bytes.subarray(part, 2 * part));
    await page.until(() => globalThis.txtap?.timeline.layout.names.includes('temperature'));
    server.send(bytes.subarray(2 * part));
    await page.until((last) => globalThis.txtap.view.trace.state().to >= last, ENDS - 1000);
    await page.evaluate(() => globalThis.txtap.view.showAll());
    await page.frame();
    await check('a live page has the rows', await page.until(() =>
        globalThis.txtap.timeline.layout.lanes.filter(({ group, row }) => group === 'values' && row).length === 7));
    await check('and their values', (await hover(page, 'fan speed', 30000)).startsWith('fan speed – 1200 rpm'));
    await same('a live page has no problem', page.problems, []);
    await page.close();
    await server.stop();
}

const missing = whatIsMissing(txtap);
if (missing) {
    skip('the rows of user values', missing);
} else {
    const browser = await Browser.start();
    const trace = file('user.rec', userRecording());
    const definitions = file('user.events', DEFINITIONS);
    const url = makePage(txtap, 'user.html', '--hz', HZ, '--definitions', definitions, trace);
    for (const theme of ['light', 'dark']) {
        const page = await openPage(browser, url, { dark: theme === 'dark' });
        await plots(page, theme);
        await states(page, theme);
        if (theme === 'light') {
            await tellsValues(page);
            await slices(page);
            await names(page);
        }
        await same(`${theme}: no problem`, page.problems, []);
    }
    await fromRecording(browser);
    await live(browser);
    await browser.close();
}
end();
