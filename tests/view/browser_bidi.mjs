// SPDX-License-Identifier: MIT
// Drives Debian's headless Firefox through WebDriver BiDi: starts it, opens pages, and sends real input events to them. BiDi cannot
// drag files from outside into a page: drop() makes the events of a drop by script, with files that the browser itself has opened.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rest, setPace } from './browser_pace.mjs';
import { Page } from './browser_page.mjs';
import { installed, newProfile, startProcess } from './browser_process.mjs';
import { WebSocketClient } from './websocket.mjs';

// Ends the browser when the pipe of file descriptor 3 closes, as chromium does by itself.
const LEASH = `"$@" 3<&- & browser=$!
    { read -r closed; kill -9 $browser; } <&3 2>/dev/null & leash=$!
    wait $browser; kill $leash 2>/dev/null`;
const PREFERENCES = { // no requests of the browser itself, no questions to the user
    'app.normandy.enabled': false, 'app.update.auto': false, 'browser.safebrowsing.downloads.enabled': false,
    'browser.shell.checkDefaultBrowser': false, 'browser.tabs.warnOnClose': false, 'datareporting.policy.dataSubmissionEnabled': false,
    'extensions.update.enabled': false, 'network.captive-portal-service.enabled': false, 'network.connectivity-service.enabled': false,
    'services.settings.server': 'data:,', 'toolkit.telemetry.enabled': false,
};
const SCHEME = 'layout.css.prefers-color-scheme.content-override';
const HELD = { alt: '\uE00A', ctrl: '\uE009', meta: '\uE03D', shift: '\uE008' };
const KEYS = { // keys that are not just a character: WebDriver's code
    Enter: '\uE007', Escape: '\uE00C', Tab: '\uE004', Home: '\uE011', End: '\uE010', ArrowLeft: '\uE012', ArrowUp: '\uE013',
    ArrowRight: '\uE014', ArrowDown: '\uE015', PageUp: '\uE00E', PageDown: '\uE00F', Backspace: '\uE003',
};
const EVENTS = ['log.entryAdded', 'network.beforeRequestSent', 'browsingContext.load', 'browsingContext.userPromptOpened',
    'browsingContext.downloadEnd', 'script.message'];
// Firefox asks a server for the icon of the tab, and reports that the page's policy forbids this.
const FAVICON = /Content.Security.Policy.* \S*\/favicon\.ico/;

export const firefoxProgram = () => installed(['firefox-esr', 'firefox']);

export class Firefox {
    #calls = new Map();
    #pages = new Map();
    #last = 0;
    #saved = () => {};

    /** Starts a browser with a profile of its own, which is removed after the browser has ended. */
    static async start() {
        const browser = new Firefox();
        browser.profile = newProfile();
        const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`);
        writeFileSync(join(browser.profile, 'user.js'), lines.join(''));
        const program = [firefoxProgram(), '--headless', '--no-remote', '--remote-debugging-port', '0', '--remote-allow-system-access',
            '--profile', browser.profile, 'about:blank'];
        const options = { stdio: ['ignore', 'ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: browser.profile } };
        Object.assign(browser, startProcess(browser.profile, ['sh', '-c', LEASH, 'sh', ...program], options));
        browser.child.stdio[3].on('error', () => {});
        browser.ended.then(() => browser.#fail());
        browser.link = await WebSocketClient.connect(`${await browser.#address()}/session`, (text) => browser.#take(JSON.parse(text)), () => browser.#fail());
        await browser.send('session.new', { capabilities: { alwaysMatch: { unhandledPromptBehavior: { default: 'ignore' } } } });
        await browser.send('session.subscribe', { events: EVENTS });
        return browser;
    }

    /** Returns the address that the browser prints. */
    #address() {
        let said = '';
        return new Promise((resolve, reject) => {
            this.child.stderr.setEncoding('utf8').on('data', (text) => {
                said += text;
                const found = said.match(/WebDriver BiDi listening on (ws:\/\/\S+)\n/);
                if (found) resolve(found[1]);
            });
            this.ended.then(() => reject(new Error(`the browser has ended: ${said}`)));
        });
    }

    /** Opens a page of `width` x `height` pixels. Shows `url`, if given. */
    async open(url, { width = 1280, height = 720, scale = 1, dark = false, offline = false } = {}) {
        const { context } = await this.send('browsingContext.create', { type: 'tab' });
        const page = new BidiPage(this, context);
        this.#pages.set(context, page);
        await page.prepare({ width, height, scale, dark, offline });
        if (url) await page.go(url);
        return page;
    }

    async send(method, params = {}) {
        const id = ++this.#last;
        return new Promise((resolve, reject) => {
            this.#calls.set(id, { method, resolve, reject });
            this.link.send(JSON.stringify({ id, method, params }));
        });
    }

    /** Evaluates an expression in the browser's own window. */
    async evaluateInChrome(expression) {
        const { contexts } = await this.send('browsingContext.getTree', { maxDepth: 0, 'moz:scope': 'chrome' });
        await this.send('script.evaluate', { expression, target: { context: contexts[0].context }, awaitPromise: true });
    }

    /** Runs `act`, after which a page saves a file into `folder`. Returns the name of the complete file. */
    async download(folder, act) {
        await this.send('browser.setDownloadBehavior', { downloadBehavior: { type: 'allowed', destinationFolder: folder } });
        const complete = new Promise((resolve) => { this.#saved = resolve; });
        await act();
        await complete;
        return readdirSync(folder)[0];
    }

    async close() {
        this.send('browser.close').catch(() => {}); // the browser may end before it answers
        await this.ended;
    }

    #take(message) {
        if (message.type === 'event') {
            if (message.method === 'browsingContext.downloadEnd' && message.params.status === 'complete') this.#saved();
            this.#pages.get(message.params.context ?? message.params.source?.context)?.take(message.method, message.params);
            return;
        }
        const call = this.#calls.get(message.id);
        this.#calls.delete(message.id);
        if (message.type === 'error') call?.reject(new Error(`${call.method}: ${message.error}: ${message.message}`));
        else call?.resolve(message.result);
    }

    #fail() {
        for (const call of this.#calls.values()) call.reject(new Error('the browser has ended'));
        this.#calls.clear();
    }
}

class BidiPage extends Page {
    #fingers = new Map();

    constructor(browser, context) {
        super();
        Object.assign(this, { browser, context });
    }

    send(method, params) {
        return this.browser.send(method, { context: this.context, ...params });
    }

    async prepare({ width, height, scale, dark, offline }) {
        // Firefox reports violations of a page's policy only to the page itself.
        const violations = (tell) => document.addEventListener('securitypolicyviolation',
            ({ violatedDirective, blockedURI }) => tell(`Content Security Policy: ${violatedDirective} ${blockedURI}`));
        await this.browser.send('script.addPreloadScript', { functionDeclaration: String(violations), contexts: [this.context],
            arguments: [{ type: 'channel', value: { channel: 'violations' } }] });
        await this.resize(width, height, scale);
        await this.dark(dark);
        await this.offline(offline);
        await setPace(this);
    }

    take(method, params) {
        if (FAVICON.test(params.text ?? params.data?.value ?? '')) return;
        if (method === 'log.entryAdded' && params.type === 'javascript' && params.level === 'error') {
            this.problems.push(`exception: ${params.text}`);
        } else if (method === 'log.entryAdded' && params.type === 'console' && ['error', 'warn'].includes(params.level)) {
            this.problems.push(`console: ${params.text}`);
        } else if (method === 'script.message' && params.channel === 'violations') {
            this.problems.push(`log: ${params.data.value}`);
        } else if (method === 'browsingContext.userPromptOpened') {
            this.problems.push(`dialog: ${params.message}`);
            this.send('browsingContext.handleUserPrompt', { accept: true }).catch(() => {});
        } else if (method === 'network.beforeRequestSent') {
            this.requests.push(params.request.url);
        } else if (method === 'browsingContext.load') {
            this.loaded?.();
        }
    }

    /** Begins to load an address, or the same address again. */
    navigate(url) {
        return url ? this.send('browsingContext.navigate', { url, wait: 'none' }) : this.send('browsingContext.reload', { wait: 'none' });
    }

    /** Calls a function in each later document of this page, before the document's own scripts. */
    preload(what) {
        return this.browser.send('script.addPreloadScript', { functionDeclaration: String(what), contexts: [this.context] });
    }

    /** Calls `what`, a function or the text of an expression, in the page with the arguments, and returns the result. */
    async evaluate(what, ...args) {
        const given = args.map((each) => JSON.stringify(each)).join(',');
        const inner = typeof what === 'string' ? what : `(${what})(${given})`;
        const answer = await this.browser.send('script.evaluate', { expression: `(async () => JSON.stringify(await (${inner}\n)))()`,
            target: { context: this.context }, awaitPromise: true });
        const { exceptionDetails: wrong, result } = answer;
        if (wrong) throw new Error(`in the page: ${wrong.text}\n${inner.slice(0, 300)}`);
        return result.type === 'string' ? JSON.parse(result.value) : undefined;
    }

    // ---- appearance ----

    async resize(width, height, scale = 1) {
        await this.send('browsingContext.setViewport', { viewport: { width, height }, devicePixelRatio: scale });
        await this.until((...size) => [innerWidth, innerHeight, devicePixelRatio].join() === size.join(), width, height, scale);
    }

    async dark(is) {
        await this.browser.evaluateInChrome(`Services.prefs.setIntPref('${SCHEME}', ${is ? 0 : 1})`);
        await this.until((wanted) => matchMedia('(prefers-color-scheme: dark)').matches === wanted, is);
    }

    offline(is) {
        return this.browser.send('emulation.setNetworkConditions',
            { contexts: [this.context], networkConditions: is ? { type: 'offline' } : null });
    }

    /** Writes a PNG. */
    async screenshot(path) {
        const { data } = await this.send('browsingContext.captureScreenshot');
        writeFileSync(path, Buffer.from(data, 'base64'));
    }

    /** Brings the page to the front and hides the other pages. */
    front() {
        return this.send('browsingContext.activate');
    }

    close() {
        return this.send('browsingContext.close');
    }

    // ---- real input; `held` are names of HELD ----

    /** Performs the actions of a device while the modifier keys `held` are down. */
    async #act(device, held) {
        await rest();
        const keys = (type, names) => [{ type: 'key', id: 'held', actions: names.map((name) => ({ type, value: HELD[name] })) }];
        if (held.length) await this.send('input.performActions', { actions: keys('keyDown', held) });
        await this.send('input.performActions', { actions: [device].flat() });
        if (held.length) await this.send('input.performActions', { actions: keys('keyUp', [...held].reverse()) });
    }

    #mouse(actions, held) {
        return this.#act({ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }, held);
    }

    move(x, y, held = []) {
        return this.#mouse([moveTo(x, y)], held);
    }

    click(x, y, held = [], clickCount = 1) {
        return this.#mouse([moveTo(x, y), ...Array.from({ length: clickCount }, () => [DOWN, UP]).flat()], held);
    }

    drag(fromX, fromY, toX, toY, held = [], steps = 8) {
        const way = Array.from({ length: steps }, (_, step) => (step + 1) / steps)
            .map((part) => moveTo(fromX + (toX - fromX) * part, fromY + (toY - fromY) * part));
        return this.#mouse([moveTo(fromX, fromY), DOWN, ...way, UP], held);
    }

    /**
     * Sends a touch. touchPoints: for 'touchStart' and 'touchMove' the fingers that are down, [{x, y, id}]; for
     * 'touchEnd' the lifted fingers, [] means all.
     */
    touch(type, touchPoints) {
        const chosen = touchPoints.length ? touchPoints : [...this.#fingers.values()];
        const actionsOf = ({ x, y, id }) => {
            if (type === 'touchEnd') return [UP];
            return this.#fingers.has(id) ? [moveTo(x, y)] : [moveTo(x, y), DOWN];
        };
        const devices = chosen.map((finger) => ({ type: 'pointer', id: `finger${finger.id}`, parameters: { pointerType: 'touch' },
            actions: actionsOf(finger) }));
        for (const finger of chosen)
            if (type === 'touchEnd') this.#fingers.delete(finger.id);
            else this.#fingers.set(finger.id, finger);
        return this.#act(devices, []);
    }

    wheel(x, y, deltaY, held = [], deltaX = 0) {
        const scroll = { type: 'scroll', x: Math.round(x), y: Math.round(y), deltaX: Math.round(deltaX), deltaY: Math.round(deltaY) };
        return this.#act({ type: 'wheel', id: 'wheel', actions: [scroll] }, held);
    }

    /** Presses one key: a character, or a name in KEYS. */
    key(key, held = []) {
        const value = KEYS[key] ?? key;
        return this.#act({ type: 'key', id: 'keys', actions: [{ type: 'keyDown', value }, { type: 'keyUp', value }] }, held);
    }

    /** Returns the element of a selector, as BiDi names it. */
    async #element(selector) {
        const { nodes } = await this.send('browsingContext.locateNodes', { locator: { type: 'css', value: selector }, maxNodeCount: 1 });
        if (!nodes.length) throw new Error(`no element ${selector}`);
        return { sharedId: nodes[0].sharedId };
    }

    /** Drops files on the disk into the page. The files are real, the events are made by script. */
    async drop(files, x, y) {
        await this.evaluate(() => {
            const chooser = Object.assign(document.createElement('input'), { id: 'dropped_files', type: 'file', multiple: true, hidden: true });
            document.body.append(chooser);
        });
        await this.choose('#dropped_files', files);
        await this.evaluate((clientX, clientY) => {
            const chooser = document.getElementById('dropped_files');
            const dataTransfer = new DataTransfer();
            for (const file of chooser.files) dataTransfer.items.add(file);
            chooser.remove();
            for (const type of ['dragenter', 'dragover', 'drop'])
                document.elementFromPoint(clientX, clientY).dispatchEvent(
                    new DragEvent(type, { bubbles: true, cancelable: true, composed: true, clientX, clientY, dataTransfer }));
        }, x, y);
    }

    /** Chooses files on the disk in an `<input type=file>`. */
    async choose(selector, files) {
        await this.send('input.setFiles', { element: await this.#element(selector), files });
    }
}

const DOWN = { type: 'pointerDown', button: 0 };
const UP = { type: 'pointerUp', button: 0 };
const moveTo = (x, y) => ({ type: 'pointerMove', x, y, duration: 0 });
