// SPDX-License-Identifier: MIT
// Drives a browser for shell scripts. Reads one command per line and answers each command with one line: the result
// as JSON, or "error: WHY". Ends at the end of standard input. Commands act on the page that was opened or used last:
//
//     open URL          another page            use N           brings the N-th opened page to the front, from 0
//     elsewhere         an empty page of another server on this machine
//     eval EXPRESSION   its value               until EXPRESSION  its value as soon as it is true
//     press SELECTOR    clicks an element       key NAME        presses a key
//     disconnect        closes all connections  screenshot FILE
//     sleep, wake       stops all pages, like a laptop that sleeps; resumes them
//     usage             {heap: bytes of JavaScript, pages: s of CPU of all pages, browser: s of CPU of all else}
//     problems          things that the page should not have done
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { Browser } from './browser.mjs';

const browser = await Browser.start();
const pages = [];
let page = null;

async function usage() {
    await page.send('HeapProfiler.collectGarbage');
    const { usedSize: heap } = await page.send('Runtime.getHeapUsage');
    const sum = (list) => list.reduce((all, { cpuTime }) => all + cpuTime, 0);
    const pages = sum(await browser.processes('renderer'));
    return { heap, pages, browser: sum(await browser.processes('')) - pages };
}

const COMMANDS = {
    async open(url) {
        page = await browser.open(url);
        return pages.push(page) - 1;
    },
    async elsewhere() {
        const server = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<p>elsewhere'));

        await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
        server.unref();
        return COMMANDS.open(`http://127.0.0.1:${server.address().port}/`);
    },
    async use(number) {
        page = pages[Number(number)];
        await page.front();
    },
    eval: (expression) => page.evaluate(expression),
    until: (expression) => page.until(expression),
    press: (selector) => page.press(selector),
    key: (name) => page.key(name),
    disconnect: () => browser.signal('network.mojom.NetworkService', 'SIGKILL'),
    screenshot: (file) => page.screenshot(file),
    sleep: () => browser.signal('renderer', 'SIGSTOP'),
    wake: () => browser.signal('renderer', 'SIGCONT'),
    usage,
    problems: () => page.problems,
};

async function answer(line) {
    const [, name, rest] = line.match(/^(\S+) ?(.*)$/) ?? [];
    if (!Object.hasOwn(COMMANDS, name ?? '')) return `error: no command ${name}`;
    try {
        return JSON.stringify(await COMMANDS[name](rest)) ?? 'null';
    } catch (error) {
        return `error: ${String(error.message).replaceAll('\n', ' ')}`;
    }
}

for await (const line of createInterface({ input: process.stdin })) process.stdout.write(`${await answer(line)}\n`);
await browser.close();
