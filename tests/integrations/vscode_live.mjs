// SPDX-License-Identifier: MIT
// Tests the live view of integrations/vscode in a real VS Code: code-server has VS Code's server, whose extension host is node, and
// its workbench, which runs in chromium. The extension starts txtap view, which reads a virtual board.
// In the environment: PICTURES=FOLDER: writes screenshots there. FETCHED=FOLDER: keeps VS Code there for the next run. VSIX=FILE: the
// extension, if it is built already.   usage: vscode_live.mjs TXTAP ROOT ELF TCL_PORT   (vscode_live.sh starts it)
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Browser } from '../view/browser.mjs';
import { check, end, note, same, skip } from '../view/checks.mjs';
import { WORK, whatIsMissing } from '../view/pages.mjs';
import { buildExtension, fetchPackage, registryIsMissing, run } from './vscode/npm.mjs';

const [txtap, root, elf] = process.argv.slice(2, 5).map((path) => resolve(path));
const [tclPort] = process.argv.slice(5);
const CODE_SERVER = ['code-server', '4.100.3', 'q/Fh2DOxCRNhC/WiG/6sAhSKnj7ZACTVBaeeZ+rWjol//0FCbl/qg1ln5ecZ99jYcfqMxZZAyWcN+YBIo0DgpA=='];
const NODE_VERSION = 20; // of code-server
const FETCHED = process.env.FETCHED ?? WORK;
const SERVER = join(FETCHED, 'package/lib/vscode');
const DATA = join(WORK, 'data');
const FOLDERS = ['--user-data-dir', join(DATA, 'user'), '--server-data-dir', join(DATA, 'server'), '--extensions-dir', join(DATA, 'extensions'),
    '--accept-server-license-terms'];
const PALETTE = '.quick-input-widget input';
const PATIENCE_MS = 240_000; // the time limit of all waits: VS Code starts slowly on a busy machine

/** Fetches VS Code without its native modules, which it needs for terminals and logs only. Returns the reason why this is not
 *  possible, or ''. */
function fetchCode() {
    if (existsSync(join(SERVER, 'node_modules'))) return '';
    if (Number(process.versions.node.split('.')[0]) < NODE_VERSION) return `node is older than ${NODE_VERSION}`;
    const missing = registryIsMissing() || fetchPackage(...CODE_SERVER, FETCHED);
    if (missing) return missing;
    const install = ['ci', '--ignore-scripts', '--omit=dev', '--legacy-peer-deps', '--no-audit', '--no-fund'];
    return run('npm', install, { cwd: SERVER }) ? 'npm cannot fetch the modules of VS Code' : '';
}

function prepare() {
    const vsix = process.env.VSIX ?? join(WORK, 'txtap.vsix');
    const missing = fetchCode() || (process.env.VSIX ? '' : buildExtension(txtap, root, vsix));
    if (missing) return missing;
    mkdirSync(DATA);
    const status = run(process.execPath, [join(SERVER, 'out/server-main.js'), '--install-extension', vsix, ...FOLDERS]);
    if (status) throw new Error(`VS Code cannot install the extension: ${status}`);
    return '';
}

/** Makes the workspace, and a program txtap that notes its process id and its address. */
function makeWorkspace() {
    const configuration = { type: 'cortex-debug', request: 'attach', servertype: 'openocd', executable: `\${workspaceFolder}/${basename(elf)}` };
    const files = {
        'launch.json': { version: '0.2.0', configurations: [{ ...configuration, name: 'Demo' }, { ...configuration, name: 'Nowhere' }] },
        'settings.json': { 'workbench.startupEditor': 'none', 'txtap.options': { Demo: ['--tcl', tclPort, '--hz', '1M'], Nowhere: ['--tcl', '1'] } },
    };
    mkdirSync(join(WORK, 'workspace/.vscode'), { recursive: true });
    execFileSync('cp', [elf, join(WORK, 'workspace')]);
    for (const [name, content] of Object.entries(files)) writeFileSync(join(WORK, 'workspace/.vscode', name), JSON.stringify(content));
    mkdirSync(join(WORK, 'bin'));
    mkdirSync(join(DATA, 'user/Machine'), { recursive: true });
    writeFileSync(join(DATA, 'user/Machine/settings.json'), JSON.stringify({ 'txtap.program': join(WORK, 'bin/txtap') }));
    writeFileSync(join(WORK, 'bin/txtap'),
        `#!/bin/bash\necho $$ >> '${WORK}/pids'\nexec > >(tee -a '${WORK}/addresses')\nexec '${txtap}' "$@"\n`, { mode: 0o755 });
}

/** Starts VS Code's server. Returns its process and the address of its workbench. */
async function startServer() {
    const args = ['--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--telemetry-level', 'off'];
    const server = spawn(process.execPath, [join(SERVER, 'out/server-main.js'), ...args, ...FOLDERS],
        { cwd: WORK, env: { ...process.env, PATH: `${WORK}/bin:${process.env.PATH}` }, stdio: ['ignore', 'pipe', 'ignore'] });
    process.on('exit', () => server.kill());
    for await (const line of createInterface(server.stdout)) {
        const [, port] = /listening on (\d+)/.exec(line) ?? [];
        if (port) {
            server.stdout.resume();
            return { server, url: `http://127.0.0.1:${port}/?folder=${WORK}/workspace` };
        }
    }
    throw new Error('VS Code does not start');
}

/** Waits until `what` is true. */
async function awaits(what) {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
        const value = await what();
        if (value) return value;
        if (performance.now() > deadline) throw new Error(`never true: ${what}`);
        await new Promise((resolve) => { setTimeout(resolve, 100); });
    }
}

/** Waits until a function is true in the page. A failure has a picture. */
async function becomes(page, what, ...args) {
    try {
        return await awaits(() => page.evaluate(what, ...args));
    } catch (error) {
        await picture(page, 'failed');
        throw new Error(`${what} ${JSON.stringify(args)}\n${await page.log()}`, { cause: error });
    }
}

async function picture(page, name) {
    if (!process.env.PICTURES) return;
    const path = join(process.env.PICTURES, `vscode-live-${name}.png`);
    await page.screenshot(path);
    note(`picture: ${path}`);
}

/** Presses the button with a text, in the elements of the selector. */
async function pressText(page, selector, text) {
    const find = (chosen, words) => {
        const button = [...document.querySelectorAll(chosen)].find((each) => each.textContent.trim() === words && each.offsetWidth > 0);
        for (const each of document.querySelectorAll('[data-test-press]')) delete each.dataset.testPress;
        if (button) button.dataset.testPress = '';
        return Boolean(button);
    };
    await becomes(page, find, selector, text);
    await page.press('[data-test-press]');
}

/** Opens the palette of commands, and types. Returns the lines that it offers. */
async function palette(page, text) {
    await page.key('p', ['ctrl', 'shift']);
    await becomes(page, (input) => document.activeElement?.matches(input), PALETTE);
    await page.type(text);
    return becomes(page, (input, words) => {
        const rows = [...document.querySelectorAll('.quick-input-list .monaco-list-row')].map((row) => row.ariaLabel ?? row.textContent);
        return document.querySelector(input).value === `>${words}` && rows.length > 0 && rows;
    }, PALETTE, text);
}

async function startsNothingUntrusted(page) {
    await pressText(page, '.monaco-dialog-box .monaco-button', "No, I don't trust the authors");
    const rows = await palette(page, 'txtap: live view');
    await check(`without trust there is no live view: ${rows[0]}`, !rows.some((row) => row.startsWith('txtap: live view')));
    await page.key('Escape');
    await palette(page, 'Workspaces: Manage Workspace Trust');
    await page.key('Enter');
    await pressText(page, '.workspace-trust-editor .monaco-button', 'Trust');
    await same('and txtap was not started', existsSync(join(WORK, 'pids')), false);
}

/** Starts the live view of a configuration. */
async function startLive(page, name) {
    await awaits(async () => {
        const rows = await palette(page, 'txtap: live view');
        if (rows.some((row) => row.startsWith('txtap: live view'))) return true;
        await page.key('Escape');
        return false;
    });
    await page.key('Enter');
    await becomes(page, (wanted) => document.querySelector('.quick-input-list .monaco-list-row')?.ariaLabel?.startsWith(wanted), 'Demo');
    await page.type(name);
    await becomes(page, (wanted) => {
        const rows = document.querySelectorAll('.quick-input-list .monaco-list-row');
        return rows.length === 1 && rows[0].ariaLabel.startsWith(wanted);
    }, name);
    await page.key('Enter');
}

/** Text of a function that returns the windows of the pages in all panels. VS Code shows each in a frame of a frame. */
const PAGES = `(() => [...document.querySelectorAll('iframe.webview')]
    .map((frame) => frame.contentDocument?.getElementById('active-frame')?.contentWindow).filter((window) => window?.txtap))()`;
const inPages = (what) => `(${what})(${PAGES})`;
const titles = (page) => page.evaluate(() => [...document.querySelectorAll('.tabs-container .tab')].map((tab) => tab.textContent.trim()));
const eventsOf = (page) => page.evaluate(inPages((pages) => pages.map(({ txtap: { view } }) => view.trace?.state().events ?? 0)));
const awaitEvents = (page, panels, more) => awaits(async () => {
    const events = await eventsOf(page);
    return events.length === panels && events.every((count) => count > more) && events;
});

const pids = () => readFileSync(join(WORK, 'pids'), 'utf8').trim().split('\n').map(Number);
const runs = (pid) => spawnSync('kill', ['-0', pid]).status === 0;

async function followsTheBoard(page) {
    await startLive(page, 'Demo');
    const [first] = await awaitEvents(page, 1, 1000);
    const [more] = await awaitEvents(page, 1, first + 1000);
    await check(`the panel follows the board: ${first}, then ${more} events`, more > first);
    const names = await page.evaluate(inPages(([{ txtap: { timeline } }]) => timeline.layout.names));
    await check('it has the rows of the firmware', ['sampler', 'filter'].every((name) => names.includes(name)));
    const account = inPages(([{ txtap: { view: { trace } } }]) => {
        const { seqFirst, lastSeq, events, lost, earlier } = trace.state();
        const gaps = trace.gapsBetween(0, Number.MAX_SAFE_INTEGER, 1e6).filter(({ index }) => index > trace.state().first);
        return [lastSeq - seqFirst + 1 - events, gaps.reduce((sum, gap) => sum + gap.lost, 0), lost + earlier];
    });
    const [missing, shown] = await page.evaluate(account);
    await same('every event is there, or in a gap that is shown', missing, shown);
    await check('its title has the name of the configuration', (await titles(page)).includes('txtap: Demo (live)'));
    await check('the page has the theme of VS Code', await page.evaluate(inPages(([{ txtap: { timeline } }]) => timeline.theme)) === 'light');
    await picture(page, 'follows');
}

async function closesOneOfTwo(page) {
    await startLive(page, 'Demo');
    const [one, other] = await awaitEvents(page, 2, 1000);
    await awaitEvents(page, 2, Math.max(one, other) + 1000);
    await check('two panels follow it', true);
    await picture(page, 'two');
    const [, second] = pids();
    await page.press('.editor-group-container.active .tab.active .codicon-close');
    await awaits(() => !runs(second));
    await check('a closed panel ends its txtap', true);
    const [left] = await awaitEvents(page, 1, 1000);
    await awaitEvents(page, 1, left + 1000);
    await check('the other panel goes on', runs(pids()[0]));
}

async function startsAgain(page) {
    process.kill(pids()[0], 'SIGKILL');
    const isSaid = inPages(([{ document: inner }]) => !inner.getElementById('run_ended').hidden && inner.querySelector('#run_ended span').innerText);
    await same('the panel says that txtap has ended, and why', await becomes(page, isSaid), 'txtap was ended by SIGKILL');
    await check('and so does its title', (await titles(page)).includes('txtap: Demo (ended)'));
    await picture(page, 'ended');
    const { x, y } = await page.evaluate(inPages(([window]) => {
        const outer = [...document.querySelectorAll('iframe.webview')].find((frame) => frame.contentDocument.getElementById('active-frame').contentWindow === window);
        const [frame, button] = [outer, window.document.getElementById('start_again')].map((each) => each.getBoundingClientRect());
        return { x: frame.x + button.x + button.width / 2, y: frame.y + button.y + button.height / 2 };
    }));
    await page.click(x, y);
    await becomes(page, inPages(([{ document: inner }]) => inner.querySelector('#header .live').innerText.includes('started again')));
    await awaitEvents(page, 1, 1000);
    await check('Start again starts it again, with a new trace', (await titles(page)).includes('txtap: Demo (live)'));
    await page.press('.editor-group-container.active .tab.active .codicon-close');
    await awaits(() => !runs(pids().at(-1)));
}

async function saysThatNoServerIsThere(page) {
    await startLive(page, 'Nowhere');
    const said = await becomes(page, inPages((pages) => pages[0]?.document.querySelector('#run_ended span')?.innerText));
    await check(`a server that is missing is named: ${said}`, /^txtap: no server at 127\.0\.0\.1:1: /.test(said));
    await picture(page, 'nowhere');
}

/** The server's address opens the trace, so nobody else may see it. */
async function tellsNobodyTheAddress(page) {
    const tokens = readFileSync(join(WORK, 'addresses'), 'utf8').match(/[0-9a-f]{32}/g);
    const shown = await page.evaluate(() => document.documentElement.outerHTML);
    await same('no title and no text has an address of a server', [tokens.length, tokens.filter((token) => shown.includes(token))], [3, []]);
}

const missing = whatIsMissing(txtap) || prepare();
if (missing) {
    skip('VS Code follows a target', missing);
} else {
    makeWorkspace();
    const { server, url } = await startServer();
    const browser = await Browser.start();
    const page = await browser.open(undefined, { width: 1400, height: 900 });
    await page.go(url);
    await startsNothingUntrusted(page);
    await followsTheBoard(page);
    await closesOneOfTwo(page);
    await startsAgain(page);
    await saysThatNoServerIsThere(page);
    await tellsNobodyTheAddress(page);
    await startLive(page, 'Demo');
    await awaitEvents(page, 2, -1);
    server.kill();
    await awaits(() => !pids().some(runs));
    await check('when VS Code ends, so does txtap', true);
    await browser.close();
}
end();
