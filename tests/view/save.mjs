// SPDX-License-Identifier: MIT
// Tests the files that the button Save of txtap view saves: CSV, which must be the same as from 'txtap decode', and pictures.
// usage: save.mjs TXTAP
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser } from './browser.mjs';
import { check, end, note, same, skip } from './checks.mjs';
import { DEFINITIONS, ENDS, manyCounters, userRecording } from './made_user.mjs';
import { madeTrx } from './made_trx.mjs';
import { WORK, file, makePage, openPage, show, whatIsMissing } from './pages.mjs';

const [txtap] = process.argv.slice(2);
const decode = (...args) => execFileSync(txtap, ['decode', '-q', '-f', 'csv', ...args], { maxBuffer: 1 << 28, encoding: 'utf8' });

let folders = 0;

/** Chooses an item of the menu with the mouse, and returns the saved file {name, bytes}. */
async function saved(page, item) {
    const folder = join(WORK, `saved${folders++}`);
    mkdirSync(folder);
    const name = await page.browser.download(folder, () => choose(page, item));
    return { name, path: join(folder, name), bytes: readFileSync(join(folder, name)) };
}

async function click(page, selector) {
    const at = await page.evaluate((chosen) => {
        const { x, y, width, height } = document.querySelector(chosen).getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2 };
    }, selector);
    await page.click(at.x, at.y);
}

async function choose(page, item) {
    await click(page, '#save');
    await page.until(() => !document.getElementById('save_menu').hidden);
    await click(page, `#${item}`);
}

async function csv(page, what, decoded) {
    const { name, bytes } = await saved(page, 'save_csv');
    const text = bytes.toString('utf8');
    if (text !== decoded) note(`${text.length} bytes, not ${decoded.length}: ${text.slice(0, 300)}`);
    await check(`${what} is the CSV of decode`, text === decoded && text.split('\r\n').length > 5);
    return name;
}

async function savesCsv(browser) {
    const trace = file('user.rec', userRecording());
    const definitions = file('user.events', DEFINITIONS);
    const more = ['--hz', '1M', '--definitions', definitions];
    const page = await openPage(browser, makePage(txtap, 'csv.html', ...more, trace));

    await show(page, 0, ENDS);
    const { from, to } = await page.evaluate(() => globalThis.txtap.view.shown());
    const edges = [Math.max(0, Math.ceil(from)), Math.floor(to)];
    const name = await csv(page, 'the view', decode(...more, '--from', `${edges[0]}us`, '--to', `${edges[1]}us`, trace));
    await same('its name has the trace and the range', name, `user.rec-${edges.join('-')}.csv`);
    await page.evaluate(() => globalThis.txtap.view.set({ range: { from: 20000, to: 70000 } }));
    await csv(page, 'a range with a gap', decode(...more, '--from', '20000us', '--to', '70000us', trace));
    await same('no problem', page.problems, []);

    const cycles = file('cycles.trx', madeTrx(3000, { names: { alpha: '=cmd()', beta: 'a "b", c' } }));
    const other = await openPage(browser, makePage(txtap, 'cycles.html', cycles));
    await other.evaluate(() => globalThis.txtap.view.set({ range: { from: 50000, to: 25000000 } }));
    await csv(other, 'a long range of another trace', decode('--from', '50000', '--to', '25000000', cycles));
    await same('no problem there', other.problems, []);
}

/** Returns the colours of an image file at some places, [x, y] in CSS px. page: without a policy that forbids images. */
const pixels = (page, bytes, type, places, scale) => page.evaluate(async (base64, mime, wanted, d) => {
    const image = new Image();
    image.src = `data:${mime};base64,${base64}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * (mime === 'image/svg+xml' ? d : 1);
    canvas.height = image.naturalHeight * (mime === 'image/svg+xml' ? d : 1);
    const ctx = canvas.getContext('2d');
    ctx.drawImage(image, 0, 0, canvas.width, canvas.height);
    return {
        width: canvas.width, height: canvas.height,
        colours: wanted.map(([x, y]) => [...ctx.getImageData(x * d, y * d, 1, 1).data.subarray(0, 3)]),
    };
}, bytes.toString('base64'), type, places, scale);

async function savesPictures(browser, dark, scale) {
    const trace = file('user.rec', userRecording());
    const definitions = file('user.events', DEFINITIONS);
    const url = makePage(txtap, 'picture.html', '--hz', '1M', '--definitions', definitions, trace);
    const page = await openPage(browser, url, { dark, scale, height: 420 }); // not all lanes are in sight
    await show(page, 0, ENDS);
    const facts = await page.evaluate(() => {
        const { timeline: { frame, layout, d, colours } } = globalThis.txtap;
        const lane = layout.lanes.find((each) => each.title === 'oven mode');
        const x = (ticks) => (frame.left + (ticks - frame.from) * frame.width / (frame.to - frame.from)) / d;
        return {
            width: frame.left + frame.width, lanes: layout.height, axis: frame.top / d, threads: colours.threads, page: colours.page,
            y: 28 + frame.top / d + lane.y + lane.height - 7, heating: x(31000), holding: x(48000),
        };
    });
    const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
    const places = [[facts.heating, facts.y], [facts.holding, facts.y], [4, facts.lanes + facts.axis + 24]];
    const what = `${dark ? 'dark' : 'light'}, ${scale} px: `;

    const png = await saved(page, 'save_png');
    const svg = await saved(page, 'save_svg');
    const empty = await browser.open('about:blank');
    const seen = await pixels(empty, png.bytes, 'image/png', places, scale);
    await same(`${what}the PNG has the width of the screen's pixels`, seen.width, facts.width);
    await same(`${what}and all lanes, also out of sight`, Math.abs(seen.height - (28 + facts.axis + facts.lanes) * scale) < 3, true);
    await same(`${what}its states have their colours`, seen.colours.slice(0, 2), [rgb(facts.threads[1]), rgb(facts.threads[2])]);

    const text = svg.bytes.toString('utf8');
    const drawn = await pixels(empty, svg.bytes, 'image/svg+xml', places, scale);
    await same(`${what}the SVG has the same size`, [drawn.width, drawn.height], [seen.width, seen.height]);
    await same(`${what}and the same colours`, drawn.colours.slice(0, 2), seen.colours.slice(0, 2));
    await check(`${what}the SVG draws shapes and texts`, (text.match(/<path /g) ?? []).length > 20 && text.includes('>temperature</text>'));
    await check(`${what}no name is markup`, !text.includes('<img') && text.includes('&lt;img'));
    const parsed = await page.evaluate((source) => new DOMParser().parseFromString(source, 'image/svg+xml').querySelector('parsererror')?.textContent ?? '', text);
    await same(`${what}the SVG is valid XML`, parsed, '');
    const xmllint = spawnSync('xmllint', ['--noout', svg.path]);
    if (!xmllint.error) await same(`${what}also for xmllint`, xmllint.status, 0);
    await check(`${what}its title names the trace and the time`, /<title>user\.rec – 0\.000.000 s to 0\.100.000 s<\/title>/u.test(text));
    await same(`${what}no problem`, page.problems, []);
    await empty.close();
}

async function tellsProblems(browser) {
    const { recording, definitions } = manyCounters(256);
    const url = makePage(txtap, 'many.html', '--definitions', file('many.events', definitions), file('many.rec', recording));
    const page = await openPage(browser, url, { scale: 2 });
    await same('there is a lane for each of 256 counters',
        await page.evaluate(() => globalThis.txtap.timeline.layout.lanes.filter(({ row }) => row?.kind === 'user_value').length), 256);
    await choose(page, 'save_png');
    await page.until(() => document.querySelector('#save_menu .problem'));
    await check('a picture that is too high is refused in words',
        (await page.evaluate(() => document.querySelector('#save_menu .problem').textContent)).includes('too high: fold'));
    await page.key('Escape');
    await check('Escape closes the menu', await page.evaluate(() => document.getElementById('save_menu').hidden));
}

const missing = whatIsMissing(txtap);
if (missing) {
    skip('the button Save', missing);
} else {
    const browser = await Browser.start();
    await savesCsv(browser);
    await savesPictures(browser, false, 1);
    await savesPictures(browser, true, 2);
    await tellsProblems(browser);
    await browser.close();
}
end();
