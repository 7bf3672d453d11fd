// SPDX-License-Identifier: MIT
// A page that follows a target inside an editor: the editor makes its requests, says why txtap has ended, and starts it again. The
// editor of this test lives in the page itself.   usage: relayed_page.mjs TXTAP
import { Browser } from './browser.mjs';
import { check, end, same, skip } from './checks.mjs';
import { LiveServer } from './live_server.mjs';
import { EVENTS_PER_CYCLE, madeTrx } from './made_trx.mjs';
import { whatIsMissing } from './pages.mjs';
import { Recording, readTrace } from './recording.mjs';

const [txtap] = process.argv.slice(2);
const HALF = 10 * EVENTS_PER_CYCLE;
const LAST_LINE = 'txtap: no server at 127.0.0.1:50001: <b>Connection refused</b>';

/** Makes an editor, which notes the page's messages. It relays requests while `up` is true. `run` counts the starts of txtap. */
function makeEditor() {
    const answers = new Map();
    const editor = { messages: [], up: true, run: 1 };
    const send = (message) => globalThis.postMessage(message, '*');

    async function answer({ request, path, more, cancel }) {
        if (request) {
            const response = editor.up ? await fetch(path) : null;
            answers.set(request, response?.body.getReader());
            send(response ? { answer: request, status: response.status, run: path === 'stream' ? String(editor.run) : '' } : { failed: request });
        } else if (answers.has(more)) {
            const { done, value } = await answers.get(more).read();
            if (answers.has(more)) send(done ? { end: more } : { piece: more, bytes: value });
        } else if (cancel) {
            answers.delete(cancel);
        }
    }
    editor.end = (line) => {
        editor.up = false;
        for (const number of answers.keys()) send({ failed: number });
        answers.clear();
        send({ ended: line });
    };
    editor.begin = () => {
        editor.up = true;
        editor.run++;
        send({ ended: '' });
    };
    globalThis.editor = editor;
    globalThis.acquireVsCodeApi = () => ({
        postMessage(message) {
            editor.messages.push(message);
            answer(message);
        },
    });
}

const isDrawn = (page, count) => page.until((wanted) => globalThis.txtap.view.trace?.state().events === wanted, count);
const linkSays = (page, words) => page.until((wanted) => document.querySelector('#header .live').innerText.includes(wanted), words);

async function followsThroughTheEditor(page, more) {
    await isDrawn(page, HALF);
    const first = await page.evaluate(() => globalThis.editor.messages.slice(0, 2));
    await same('the page says that it is ready, and requests the stream from the editor', first, ['ready', { request: 1, path: 'stream' }]);
    await check('it has the rows of the target', await page.until(() => globalThis.txtap.timeline.layout.names.includes('alpha')));
    more();
    await isDrawn(page, 2 * HALF);
    await check('and grows', true);
}

async function saysWhyItEnded(page) {
    await page.evaluate((line) => globalThis.editor.end(line), LAST_LINE);
    await linkSays(page, 'disconnected since');
    await same('the last line of txtap is above the timeline, as text', await page.evaluate(() => document.querySelector('#run_ended span').innerText), LAST_LINE);
    await same('the trace stays', await page.evaluate(() => globalThis.txtap.view.trace.state().events), 2 * HALF);
    await page.press('#start_again');
    await check('the button starts txtap again', await page.until(() => globalThis.editor.messages.some(({ start }) => start === true)));
    await page.evaluate(() => globalThis.editor.begin());
    await linkSays(page, 'started again');
    await check('the new trace follows', await page.until((wanted) => globalThis.txtap.view.trace?.state().events === wanted, 2 * HALF) === true);
    await check('and the line disappears', await page.evaluate(() => document.getElementById('run_ended').hidden));
}

async function works(browser) {
    const { header, objects, entries } = readTrace(madeTrx(20));
    const server = await LiveServer.start(txtap, { hz: 1e6, relayed: true });
    const recording = new Recording((bytes) => server.send(bytes)).buffer(header).objects(objects).events(0, 0, entries.slice(0, HALF));
    const page = await browser.open();

    await page.preload(makeEditor);
    await page.go(server.url);
    await followsThroughTheEditor(page, () => recording.events(HALF, 100_000, entries.slice(HALF)));
    await saysWhyItEnded(page);
    await same('nothing went wrong in the page', page.problems, []);
    await page.close();
    await server.stop();
}

const missing = whatIsMissing(txtap);
if (missing) {
    skip('a page follows a target inside an editor', missing);
} else {
    const browser = await Browser.start();
    await works(browser);
    await browser.close();
}
end();
