// SPDX-License-Identifier: MIT
// Drives Debian's headless chromium through chromium's own protocol over a pipe: starts it, opens pages, and sends real input events to
// them. The browser ends with this process, because the pipe closes.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rest, setPace } from './browser_pace.mjs';
import { Page } from './browser_page.mjs';
import { installed, newProfile, startProcess } from './browser_process.mjs';

const MODIFIERS = { alt: 1, ctrl: 2, meta: 4, shift: 8 };
const OPTIONS = [
    '--headless', '--disable-gpu', '--remote-debugging-pipe', '--no-first-run', '--no-default-browser-check',
    '--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage', '--disable-extensions',
    '--disable-sync', '--mute-audio',
];
const KEYS = { // keys that are not just a character: [code, virtual key code, text]
    Enter: ['Enter', 13, '\r'], Escape: ['Escape', 27], Tab: ['Tab', 9], ' ': ['Space', 32, ' '], Home: ['Home', 36],
    End: ['End', 35], ArrowLeft: ['ArrowLeft', 37], ArrowUp: ['ArrowUp', 38], ArrowRight: ['ArrowRight', 39],
    ArrowDown: ['ArrowDown', 40], PageUp: ['PageUp', 33], PageDown: ['PageDown', 34], Backspace: ['Backspace', 8],
};

export const chromiumProgram = () => installed(['chromium', 'chromium-browser', 'google-chrome']);

export class Chromium {
    #calls = new Map();
    #pages = new Map();
    #last = 0;
    #unread = '';
    #saved = () => {};

    /** Starts a browser with a profile of its own, which is removed after the browser has ended. preferences: of the profile. */
    static async start({ preferences } = {}) {
        const browser = new Chromium();
        const root = process.getuid() === 0 ? ['--no-sandbox'] : [];
        browser.profile = newProfile();
        if (preferences) {
            mkdirSync(join(browser.profile, 'Default'));
            writeFileSync(join(browser.profile, 'Default/Preferences'), JSON.stringify(preferences));
        }
        const program = [chromiumProgram(), ...OPTIONS, ...root, `--user-data-dir=${browser.profile}`, 'about:blank'];
        Object.assign(browser, startProcess(browser.profile, program, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] }));
        browser.ended.then(() => browser.#fail(new Error('the browser has ended')));
        browser.child.stdio[3].on('error', () => {});
        browser.child.stdio[4].setEncoding('utf8').on('data', (text) => browser.#read(text));
        await browser.send('Browser.getVersion');
        return browser;
    }

    /** Opens a page of `width` x `height` pixels. Shows `url`, if given. */
    async open(url, { width = 1280, height = 720, scale = 1, dark = false, offline = false } = {}) {
        const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
        const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
        const page = new CdpPage(this, targetId, sessionId);
        this.#pages.set(sessionId, page);
        await page.prepare({ width, height, scale, dark, offline });
        if (url) await page.go(url);
        return page;
    }

    /** Returns the frames of other sites in all pages: [{targetId, url}]. */
    async frames() {
        const { targetInfos } = await this.send('Target.getTargets');
        return targetInfos.filter(({ type }) => type === 'iframe');
    }

    /** Returns a frame of frames() as a page, without input; null if the frame has gone meanwhile. */
    async attach(targetId) {
        try {
            const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
            const frame = new CdpPage(this, targetId, sessionId);
            this.#pages.set(sessionId, frame);
            await frame.observe();
            return frame;
        } catch {
            return null;
        }
    }

    send(method, params = {}, sessionId = undefined) {
        const id = ++this.#last;
        return new Promise((resolve, reject) => {
            this.#calls.set(id, { method, resolve, reject });
            this.child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
        });
    }

    /** Returns the browser's processes of a type, such as 'renderer'; without a type, all: [{id, cpuTime}]. */
    async processes(type) {
        const { processInfo } = await this.send('SystemInfo.getProcessInfo');
        return processInfo.filter((each) => !type || each.type === type);
    }

    /** Sends a signal to the browser's processes of a type. 'renderer' runs pages; to kill 'network' breaks
     * connections. */
    async signal(type, name) {
        for (const { id } of await this.processes(type)) process.kill(id, name);
    }

    /** Runs `act`, after which a page saves a file into `folder`. Returns the name of the complete file. */
    async download(folder, act) {
        await this.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder, eventsEnabled: true });
        const complete = new Promise((resolve) => { this.#saved = resolve; });
        await act();
        await complete;
        return readdirSync(folder)[0];
    }

    async close() {
        this.send('Browser.close').catch(() => {}); // the browser may end before it answers
        await this.ended;
    }

    #read(text) {
        const messages = (this.#unread + text).split('\0');
        this.#unread = messages.pop();
        for (const message of messages) this.#take(JSON.parse(message));
    }

    #take(message) {
        if (message.method === 'Browser.downloadProgress' && message.params.state === 'completed') this.#saved();
        if (!message.id) {
            this.#pages.get(message.sessionId)?.take(message.method, message.params);
            return;
        }
        const call = this.#calls.get(message.id);
        this.#calls.delete(message.id);
        if (message.error) call.reject(new Error(`${call.method}: ${message.error.message}`));
        else call.resolve(message.result);
    }

    #fail(error) {
        for (const call of this.#calls.values()) call.reject(error);
        this.#calls.clear();
    }
}

class CdpPage extends Page {
    constructor(browser, targetId, sessionId) {
        super();
        Object.assign(this, { browser, targetId, sessionId });
    }

    send(method, params) {
        return this.browser.send(method, params, this.sessionId);
    }

    async prepare({ width, height, scale, dark, offline }) {
        await this.observe();
        await this.resize(width, height, scale);
        await this.dark(dark);
        await this.offline(offline);
        await setPace(this);
    }

    async observe() {
        for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await this.send(`${domain}.enable`);
    }

    take(method, params) {
        if (method === 'Runtime.exceptionThrown') {
            const { exception, text } = params.exceptionDetails;
            this.problems.push(`exception: ${exception?.description ?? text}`);
        } else if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type)) {
            this.problems.push(`console: ${params.args.map((each) => each.value ?? each.description).join(' ')}`);
        } else if (method === 'Log.entryAdded' && params.entry.level === 'error') {
            this.problems.push(`log: ${params.entry.text} ${params.entry.url ?? ''}`);
        } else if (method === 'Page.javascriptDialogOpening') {
            this.problems.push(`dialog: ${params.message}`);
            this.send('Page.handleJavaScriptDialog', { accept: true }).catch(() => {});
        } else if (method === 'Network.requestWillBeSent') {
            this.requests.push(params.request.url);
        } else if (method === 'Page.loadEventFired') {
            this.loaded?.();
        }
    }

    /** Begins to load an address, or the same address again. */
    async navigate(url) {
        const { errorText } = await (url ? this.send('Page.navigate', { url }) : this.send('Page.reload'));
        if (errorText) throw new Error(`${url}: ${errorText}`);
    }

    /** Calls a function in each later document of this page, before the document's own scripts. */
    preload(what) {
        return this.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${what})()` });
    }

    /** Calls `what`, a function or the text of an expression, in the page with the arguments, and returns the result. */
    async evaluate(what, ...args) {
        const given = args.map((each) => JSON.stringify(each)).join(',');
        const expression = typeof what === 'string' ? what : `(${what})(${given})`;
        const answer = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
        const { exceptionDetails: wrong } = answer;
        const cause = wrong && (wrong.exception?.description ?? wrong.text);
        if (wrong) throw new Error(`in the page: ${cause}\n${expression.slice(0, 300)}`);
        return answer.result.value;
    }

    // ---- appearance ----

    async resize(width, height, scale = 1) {
        await this.send('Emulation.setDeviceMetricsOverride',
            { width, height, deviceScaleFactor: scale, mobile: false });
        await this.until((...size) => [innerWidth, innerHeight, devicePixelRatio].join() === size.join(), width, height, scale);
    }

    async dark(is) {
        await this.send('Emulation.setEmulatedMedia',
            { features: [{ name: 'prefers-color-scheme', value: is ? 'dark' : 'light' }] });
        await this.until((wanted) => matchMedia('(prefers-color-scheme: dark)').matches === wanted, is);
    }

    offline(is) {
        return this.send('Network.emulateNetworkConditions',
            { offline: is, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
    }

    /** Makes the page's processor `times` times slower; 1: no slower. */
    slow(times) {
        return this.send('Emulation.setCPUThrottlingRate', { rate: times });
    }

    /** Writes a PNG. */
    async screenshot(path) {
        const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
        writeFileSync(path, Buffer.from(data, 'base64'));
    }

    /** Brings the page to the front and hides the other pages. */
    async front() {
        await this.send('Page.bringToFront');
    }

    close() {
        return this.browser.send('Target.closeTarget', { targetId: this.targetId });
    }

    // ---- real input; `held` are names of MODIFIERS ----

    async #mouse(type, x, y, held, more) {
        await rest();
        const modifiers = held.reduce((sum, name) => sum | MODIFIERS[name], 0);
        return this.send('Input.dispatchMouseEvent', { type, x, y, modifiers, pointerType: 'mouse', ...more });
    }

    move(x, y, held = []) {
        return this.#mouse('mouseMoved', x, y, held, {});
    }

    async click(x, y, held = [], clickCount = 1) {
        await this.move(x, y, held);
        for (let count = 1; count <= clickCount; count++) {
            await this.#mouse('mousePressed', x, y, held, { button: 'left', buttons: 1, clickCount: count });
            await this.#mouse('mouseReleased', x, y, held, { button: 'left', buttons: 0, clickCount: count });
        }
    }

    async drag(fromX, fromY, toX, toY, held = [], steps = 8) {
        await this.move(fromX, fromY, held);
        await this.#mouse('mousePressed', fromX, fromY, held, { button: 'left', buttons: 1, clickCount: 1 });
        for (let step = 1; step <= steps; step++) {
            const part = step / steps;
            await this.#mouse('mouseMoved', fromX + (toX - fromX) * part, fromY + (toY - fromY) * part, held,
                { button: 'left', buttons: 1 });
        }
        await this.#mouse('mouseReleased', toX, toY, held, { button: 'left', buttons: 0, clickCount: 1 });
    }

    /**
     * Sends a touch. touchPoints: for 'touchStart' and 'touchMove' the fingers that are down, [{x, y, id}]; for
     * 'touchEnd' the lifted fingers, [] means all.
     */
    async touch(type, touchPoints) {
        await rest();
        return this.send('Input.dispatchTouchEvent', { type, touchPoints });
    }

    wheel(x, y, deltaY, held = [], deltaX = 0) {
        return this.#mouse('mouseWheel', x, y, held, { deltaX, deltaY });
    }

    /** Presses one key: a character, or a name in KEYS. */
    async key(key, held = []) {
        await rest();
        const letter = /^[a-z]$/i.test(key) ? key.toUpperCase() : '';
        const plain = letter ? [`Key${letter}`, letter.charCodeAt(0), key] : ['', 0, key];
        const [code, windowsVirtualKeyCode, text] = KEYS[key] ?? plain;
        const modifiers = held.reduce((sum, name) => sum | MODIFIERS[name], 0);
        const common = { key, code, windowsVirtualKeyCode, modifiers };
        const types = text && !held.includes('ctrl') ? { text } : {};
        await this.send('Input.dispatchKeyEvent', { type: types.text ? 'keyDown' : 'rawKeyDown', ...common, ...types });
        await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common });
    }

    /** Drags files on the disk from outside into the page and drops them there. */
    async drop(files, x, y) {
        const data = { items: [], files, dragOperationsMask: 1 };
        for (const type of ['dragEnter', 'dragOver', 'drop'])
            await this.send('Input.dispatchDragEvent', { type, x, y, data });
    }

    /** Chooses files on the disk in an `<input type=file>`. */
    async choose(selector, files) {
        const { root } = await this.send('DOM.getDocument');
        const { nodeId } = await this.send('DOM.querySelector', { nodeId: root.nodeId, selector });
        await this.send('DOM.setFileInputFiles', { nodeId, files });
    }
}
