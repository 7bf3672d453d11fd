// SPDX-License-Identifier: MIT
// Tests the panel of instances on the page of txtap view: the samples of a figure over time, equal to those of
// `txtap report --instances`; a click goes to an event, a drag selects a range, and keys do both.
// usage: instances.mjs TXTAP TRACE [FOLDER]    FOLDER: receives pictures of the page
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Browser } from './browser.mjs';
import { check, end, same, skip } from './checks.mjs';
import { makePage, openPage, whatIsMissing } from './pages.mjs';

const [txtap, trace, pictures] = process.argv.slice(2);
const FIGURES = ['response', 'run', 'wake', 'ready', 'block', 'waits', 'hold', 'isr', 'period', 'path'];

/** Returns the complete instances that the command line lists, as [subject, start, end, value, event, run]. */
function ofCommand(figure) {
    const text = execFileSync(txtap, ['report', '-q', '-f', 'json', `--instances=${figure}`, trace], { maxBuffer: 1 << 26, encoding: 'utf8' });
    return text.split('\n').filter(Boolean).map((line) => JSON.parse(line)).filter(({ state }) => state === 'complete')
        .map(({ subject, start, end: ended, value, event, run }) => [subject ?? '', start, ended, value, event, run ?? null]);
}

/** Chooses in a list with keys, as a user does. */
async function choose(page, label, text) {
    await page.evaluate((name, wanted) => {
        const select = document.querySelector(`#panel_instances select[aria-label="${name}"]`);
        select.value = [...select.options].find((option) => option.text.startsWith(wanted)).value;
        select.dispatchEvent(new Event('change', { bubbles: true }));
    }, label, text);
}

/** Waits until the plot shows the figure. */
const shows = (page, figure) => page.until((wanted) => {
    const { instances } = globalThis.txtap;
    return instances.list?.figure === wanted && !instances.frame && document.querySelector('#panel_instances .of').textContent !== '';
}, figure);

/** Returns the instances of the page. */
const ofPage = (page) => page.evaluate(() => {
    const { instances, view } = globalThis.txtap;
    const all = [];
    for (let at = instances.next(-1); at >= 0; at = instances.next(at)) {
        const { series, start, end: ended, value, event, parts } = instances.instance(at);
        all.push([instances.list.series[series].subject, start, ended, value, event, parts?.run ?? null]);
    }
    return view.trace ? all : [];
});

async function numbers(page) {
    for (const figure of FIGURES) {
        await choose(page, 'Figure', `${figure}:`);
        await shows(page, figure);
        await same(`${figure}: the instances of the command line`, await ofPage(page), ofCommand(figure));
    }
}

/** The CSV that a button copies has the lines of the command line, without columns that are equal for all instances. */
async function csv(page) {
    const wanted = execFileSync(txtap, ['report', '-q', '-f', 'csv', '--instances=hold', trace], { encoding: 'utf8' }).split('\r\n')
        .map((line) => line.split(',')).filter(([, , , , , , ended], at) => at === 0 || ended === 'complete')
        .map((cells) => [0, 2, 3, 4, 8, 9, 10, 11, 12, 13, 14, 15, 17].map((at) => cells[at]).join(','));
    await choose(page, 'Figure', 'hold:');
    await shows(page, 'hold');
    await same('the copied CSV', (await page.evaluate(() => globalThis.txtap.instances.csv())).trimEnd().split('\r\n'), wanted);
}

/** Returns the place of an instance on the screen. */
const placeOf = (page, value) => page.evaluate((wanted) => {
    const { instances } = globalThis.txtap;
    let at = instances.next(-1);
    while (at >= 0 && instances.instance(at).value !== wanted) at = instances.next(at);
    const { x, y } = instances.canvas.getBoundingClientRect();
    const inside = instances.screenOf(instances.instance(at));
    return { x: x + inside.x, y: y + inside.y, ...instances.instance(at) };
}, value);

const state = (page) => page.evaluate(() => {
    const { view } = globalThis.txtap;
    return { event: view.selected < 0 ? -1 : view.trace.seq(view.selected), range: view.range, panel: view.panel };
});

async function pointer(page, theme) {
    await choose(page, 'Figure', 'response:');
    await shows(page, 'response');
    const longest = await placeOf(page, 210);

    await page.move(longest.x, longest.y);
    await page.until(() => document.querySelector('#panel_instances .instance').textContent.includes('logger'));
    const text = await page.evaluate(() => document.querySelector('#panel_instances .instance').textContent);
    await check(`${theme}: the pointer shows the instance and its parts`, /^logger: 210.*\(run 59.*ready 125.*interrupted 26.*event 20367$/.test(text));
    if (pictures) await page.screenshot(join(pictures, `instances-${theme}.png`));
    await page.click(longest.x, longest.y);
    await same(`${theme}: a click selects the event`, await state(page), { event: 20367, range: null, panel: 'instances' });

    const first = await placeOf(page, 26);
    await page.drag(first.x, longest.y + 60, longest.x, longest.y + 60);
    const { range, event } = await state(page);
    const pixel = await page.evaluate(() => globalThis.txtap.instances.perPixel());
    await check(`${theme}: a drag selects the range`, Math.abs(range.from - first.end) <= pixel && Math.abs(range.to - longest.end) <= pixel);
    await same(`${theme}: and no event`, event, 20367);
}

async function keys(page) {
    await choose(page, 'Subject', 'sampler');
    await page.frame();
    await page.press('#panel_instances canvas');
    const wanted = ofCommand('response(sampler)');

    await page.evaluate(() => { globalThis.txtap.instances.point(-1); globalThis.txtap.view.set({ range: null }); });
    await page.key('ArrowRight');
    await page.key('Enter');
    await same('a key goes to the first instance, another to its event', (await state(page)).event, wanted[0][4]);
    await page.key('ArrowRight');
    await page.key('ArrowRight', ['shift']);
    await page.key('ArrowRight', ['shift']);
    await same('keys select a range', (await state(page)).range, { from: wanted[1][2], to: wanted[3][2] });
    await page.key('l');
    await page.key('Enter');
    await same('a key goes to the longest', (await state(page)).event, wanted.find((each) => each[3] === Math.max(...wanted.map((one) => one[3])))[4]);
}

async function part(page) {
    const { range } = await state(page);
    await page.evaluate(({ from, to }) => globalThis.txtap.view.show(from, to), range);
    await page.press('#panel_instances label:nth-of-type(1) input');
    await page.frame();
    const shown = await page.evaluate(() => ({ span: globalThis.txtap.instances.span(), from: globalThis.txtap.view.from, to: globalThis.txtap.view.to }));
    await same('the plot has the visible part', shown.span, { from: shown.from, to: shown.to });
    await page.press('#panel_instances label:nth-of-type(2) input');
    await check('the scale is logarithmic', await page.evaluate(() => globalThis.txtap.instances.scale().log));
}

const missing = whatIsMissing(txtap);
if (missing) {
    skip('the panel of instances', missing);
} else {
    const browser = await Browser.start();
    const url = makePage(txtap, 'instances.html', '--hz', '1M', trace);
    for (const theme of pictures ? ['light', 'dark'] : ['light']) {
        const page = await openPage(browser, url, { dark: theme === 'dark' });
        await page.press('#tab_instances');
        await shows(page, 'response');
        if (theme === 'light') {
            await numbers(page);
            await csv(page);
        }
        await pointer(page, theme);
        if (theme === 'light') {
            await keys(page);
            await part(page);
            if (pictures) await page.screenshot(join(pictures, 'instances-part.png'));
        }
        await same(`${theme}: no problem`, page.problems, []);
        await page.close();
    }
    await browser.close();
}
end();
