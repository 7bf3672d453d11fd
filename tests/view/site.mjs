// SPDX-License-Identifier: MIT
// Tests the static site: builds it, serves it, and visits each page in chromium. Each link leads to a page, heading or file of the
// site; no page requests anything of another host. The viewer and a sample have the figures of txtap report.
// usage: site.mjs TXTAP ROOT
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { Browser } from './browser.mjs';
import { check, end, note, same, skip } from './checks.mjs';
import { WORK, figuresIn, figuresOf, whatIsMissing } from './pages.mjs';

const [txtap, root] = process.argv.slice(2);
const SITE = join(WORK, 'site');
const TYPES = { '.html': 'text/html; charset=utf-8', '.css': 'text/css', '.png': 'image/png' };

/** Serves the folder SITE. Returns the server, and the paths of the requests that it refused. */
async function serve() {
    const refused = [];
    const server = createServer((request, response) => {
        const path = decodeURIComponent(new URL(request.url, 'http://site').pathname);
        try {
            const bytes = readFileSync(join(SITE, path));
            response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(bytes);
        } catch {
            refused.push(path);
            response.writeHead(404).end();
        }
    });
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    return { server, refused, origin: `http://127.0.0.1:${server.address().port}/` };
}

/** Follows a link of the page by a click, and waits until its target is loaded. */
async function follow(page, selector) {
    const loaded = new Promise((resolve) => { page.loaded = resolve; });
    await page.press(selector);
    await loaded;
    await page.evaluate(async () => { await globalThis.txtap?.ready; });
}

async function visitsEachPage(page, origin, refused) {
    const files = readdirSync(SITE, { recursive: true });
    const viewers = files.filter((name) => name === 'viewer.html' || (name.startsWith('samples/') && name.endsWith('.html')));
    const documents = files.filter((name) => name.endsWith('.html') && !viewers.includes(name));
    const places = new Set(files.map((name) => origin + name));
    const links = [];
    const broken = [];
    for (const name of documents) {
        await page.go(origin + name);
        const found = await page.evaluate(() => ({
            ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
            links: [...document.links].map(({ href }) => href),
            images: [...document.images].filter(({ naturalWidth }) => !naturalWidth).map(({ src }) => src),
            title: document.title,
            wide: document.documentElement.scrollWidth > innerWidth,
        }));
        for (const id of found.ids) places.add(`${origin}${name}#${id}`);
        for (const link of found.links) links.push([name, decodeURIComponent(link)]);
        broken.push(...found.images.map((src) => `${name}: picture ${src}`));
        if (!found.title) broken.push(`${name}: no title`);
        if (found.wide) broken.push(`${name}: wider than the window`);
    }
    const inside = links.filter(([, link]) => link.startsWith(origin));
    const outside = links.filter(([, link]) => !link.startsWith(origin));
    note(`${documents.length} pages, ${inside.length} links inside, ${outside.length} outside`);
    await check('there are pages for all documents', documents.length > 60 && inside.length > 600);
    await same('each link leads to a page, a heading or a file', inside.filter(([, link]) => !places.has(link)), []);
    await check('all other links are https', outside.every(([, link]) => link.startsWith('https://')));
    await same('each page has a title and its pictures, and fits into the window', broken, []);
    await same('the server had all requested files', refused, []);
}

async function opensSample(page, origin) {
    await page.go(`${origin}index.html`);
    await follow(page, 'a.second');
    await page.evaluate(async () => { await globalThis.txtap.ready; });
    await page.frame();
    const names = await page.evaluate(() => globalThis.txtap.timeline.layout.names);
    await check('a sample opens by a click and has rows of threads', names.includes('filter') && names.includes('logger'), names.join());
    await same('its figures are those of txtap report', await figuresIn(page), figuresOf(txtap, join(SITE, 'samples/demo.trx')));
}

async function opensDroppedFile(page, origin) {
    await page.go(`${origin}index.html`);
    await follow(page, 'a[href="viewer.html"].button');
    const path = join(SITE, 'samples/deadlock.trx');
    await page.drop([path], 640, 360);
    await page.until(() => globalThis.txtap.view.trace?.state().ended);
    await same('the viewer shows a dropped file with the figures of txtap report', await figuresIn(page), figuresOf(txtap, path));
    await same('nothing went wrong', page.problems, []);
    const sent = await page.evaluate(() => fetch('index.html').then(() => 'sent', () => 'refused'));
    await same('the viewer can send nothing, not even to its own server', sent, 'refused');
}

const missing = whatIsMissing(txtap) || (spawnSync('cmark-gfm', ['--version']).status === 0 ? '' : 'cmark-gfm is not installed');
if (missing) {
    skip('the site is built and opened', missing);
} else {
    execFileSync(process.execPath, [join(root, 'docs/site/build.mjs'), txtap, SITE], { stdio: 'inherit' });
    const { server, refused, origin } = await serve();
    const browser = await Browser.start();
    const page = await browser.open('');
    await visitsEachPage(page, origin, refused);
    await opensSample(page, origin);
    await opensDroppedFile(page, origin);
    await same('no page requested anything of another host', page.requests.filter((each) => !each.startsWith(origin) && !each.startsWith('data:')), []);
    await browser.close();
    server.close();
}
end();
