// SPDX-License-Identifier: MIT
// Tests browser.mjs, the driver of the other tests: it detects problems of a page, it sends real input, and the
// browser ends with the process that started it.   usage: driver.mjs
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Browser, browserName, browserProgram } from './browser.mjs';
import { pacesOf, setPace } from './browser_pace.mjs';
import { check, end, same, skip } from './checks.mjs';

const POLICY = "script-src 'unsafe-inline'; connect-src 'none'";
const PAGE = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<body style="height:2000px"><input id="field"><input id="chosen" type="file"><script>
    const seen = [];
    const note = (event) => event.key !== 'Shift' && seen.push(event.type + (event.shiftKey ? ' shift' : '') + (event.isTrusted ? '' : ' made up'));
    for (const type of ['mousedown', 'mouseup', 'wheel', 'keydown']) addEventListener(type, note);
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
        event.preventDefault();
        seen.push('drop ' + event.dataTransfer.files[0].name);
    });
</script>`;
const HERE = new URL(import.meta.url).pathname;

/** Kills the starter of a browser; resolves to the browser's profile directory. */
function orphan() {
    const text = `import { Browser } from '${HERE.replace(/driver/, 'browser')}';
        const browser = await Browser.start();
        process.stdout.write(browser.profile, () => process.kill(process.pid, 'SIGKILL'));`;
    const stdio = ['ignore', 'pipe', 'inherit'];
    const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio });
    let profile = '';
    child.stdout.setEncoding('utf8').on('data', (part) => { profile += part; });
    return new Promise((resolve) => child.once('close', () => resolve(profile)));
}

/** Waits until a condition is true, for two minutes at most. */
async function becomes(isTrue) {
    for (let turn = 0; turn < 2400 && !isTrue(); turn++) await delay(50);
    return isTrue();
}

async function seesWhatIsWrong(page) {
    await same('a correct page has no problems', page.problems, []);
    await page.evaluate(() => {
        console.error('said');
        alert('asked');
        setTimeout(() => { throw new Error('thrown'); });
        fetch('http://192.0.2.1/').catch(() => {});
    });
    const kinds = ['console: said', 'dialog: asked', 'exception: Error: thrown', 'log: .*Content Security Policy'];
    for (const kind of kinds)
        await check(`a problem is seen: ${kind}`, () => becomes(() => page.problems.some((line) => line.match(kind))));
    const refused = () => page.evaluate('nothing.here').then(() => false, () => true);
    await check('and an error in an expression is thrown', refused);
}

async function inputIsReal(page) {
    await page.press('#field');
    await page.type('Go #12.5 ms');
    const typed = await page.evaluate(() => document.querySelector('#field').value);
    await same('typed text arrives', typed, 'Go #12.5 ms');
    await page.evaluate(() => { seen.length = 0; });
    await page.click(300, 300, ['shift']);
    await page.wheel(300, 300, 100);
    await page.key('Z', ['shift']);
    await page.drop([HERE], 300, 300);
    await page.until(() => seen.length >= 5);
    await same('clicks, wheel, keys and files arrive as from a user', await page.evaluate(() => seen),
        ['mousedown shift', 'mouseup shift', 'wheel', 'keydown shift', 'drop driver.mjs']);
    await page.choose('#chosen', [HERE]);
    const chosen = await page.evaluate(() => document.querySelector('#chosen').files[0].name);
    await same('a file is chosen', chosen, 'driver.mjs');
}

async function looksAsAsked(browser) {
    const asked = { width: 640, height: 480, scale: 2, dark: true, offline: true };
    const page = await browser.open('data:text/html,', asked);
    const looks = () => page.evaluate(() => [innerWidth, innerHeight, devicePixelRatio,
        matchMedia('(prefers-color-scheme: dark)').matches, navigator.onLine]);
    await same('size, scale, colour scheme and network are as requested', await looks(), [640, 480, 2, true, false]);
    await page.dark(false);
    await page.resize(1280, 720);
    await page.offline(false);
    await page.until(() => innerWidth === 1280 && devicePixelRatio === 1 && navigator.onLine);
    await check('and can change', (await looks())[3] === false);
}

/** Returns the milliseconds that a short timer, a picture and a module need in a new page. */
async function delays(browser, paces) {
    const page = await browser.open();
    await setPace(page, pacesOf(paces));
    await page.go('data:text/html,');
    const times = await page.evaluate(async () => {
        const empty = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
        const timed = async (act) => {
            const begin = performance.now();
            await act();
            return performance.now() - begin;
        };
        return [await timed(() => new Promise((resolve) => { setTimeout(resolve, 1); })),
            await timed(() => new Promise((resolve) => { requestAnimationFrame(resolve); })),
            await timed(() => WebAssembly.compile(empty))];
    });
    await page.close();
    return times;
}

async function hasAPace(browser) {
    const [timer, picture, module] = await delays(browser, 'slower:2,timers:300,wasm:400');
    await check('timers, pictures and the decoder are late if the pace says so', timer >= 300 && picture >= 300 && module >= 400);
    const refused = (text) => { try { return !pacesOf(text); } catch { return true; } };
    await same('an unknown pace is refused', ['timers', 'timers:a', 'later:3'].map(refused), [true, true, true]);
}

if (browserProgram()) {
    const browser = await Browser.start();
    const page = await browser.open(`data:text/html,${encodeURIComponent(PAGE)}`);
    await inputIsReal(page);
    await seesWhatIsWrong(page);
    await looksAsAsked(browser);
    await hasAPace(browser);
    await browser.close();
    await check('its profile is removed', !existsSync(browser.profile));
    const profile = await orphan();
    await check('a browser was started and its starter killed', profile.includes('txtap-browser-'));
    await check('it ends when its test is killed', () => becomes(() => !existsSync(profile)));
} else {
    skip('a page is driven', `${browserName} is not installed`);
}
end();
