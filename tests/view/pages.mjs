// SPDX-License-Identifier: MIT
// Pages of txtap view in a browser, for tests: makes them with txtap, finds places on the timeline, and measures their colours.
// Tests act on a page through real input only.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserName, browserProgram } from './browser.mjs';

export const WORK = mkdtempSync(join(tmpdir(), 'txtap-view-'));
process.on('exit', () => rmSync(WORK, { recursive: true, force: true }));

/** Returns the reason why no page can be opened on this machine, or ''. */
export function whatIsMissing(txtap) {
    if (!browserProgram()) return `${browserName} is not installed`;
    const { status } = spawnSync(txtap, ['view', '-o', '-'], { maxBuffer: 1 << 28 });
    return status === 0 ? '' : 'this txtap was built without view';
}

/** Returns the path of a file in WORK. */
export function file(name, bytes) {
    writeFileSync(join(WORK, name), bytes);
    return join(WORK, name);
}

/** Runs `txtap view -o` with the arguments `args`; returns the address of the page. */
export function makePage(txtap, name, ...args) {
    execFileSync(txtap, ['view', '--force', '-o', join(WORK, name), ...args], { stdio: 'inherit' });
    return `file://${join(WORK, name)}`;
}

/** Returns the figures of a trace from `txtap report`. */
export function figuresOf(txtap, ...args) {
    const text = execFileSync(txtap, ['report', '-q', '-f', 'json', ...args], { maxBuffer: 1 << 28 });
    return JSON.parse(text).figures;
}

/** Returns the figures of the page without histograms, for a range of ticks or for the whole trace. */
export function figuresIn(page, ...range) {
    return page.evaluate((...edges) => globalThis.txtap.view.trace.report(...edges).figures
        .map((figure) => ({ ...figure, bars: undefined })), ...range);
}

/** Opens a page and waits until its trace is read and drawn. */
export async function openPage(browser, url, options = {}) {
    const page = await browser.open(url, options);
    await page.evaluate(async () => { await globalThis.txtap.ready; });
    await page.frame();
    return page;
}

/** Types a search, and waits until the page has searched all events for the whole text. */
export async function typeSearch(page, words) {
    await page.key('/');
    await page.type(words);
    await page.until((typed) => {
        const { search, view } = globalThis.txtap;
        return search.query() === typed && view.search?.isDone();
    }, words);
    await page.frame();
}

/** Shows a range of ticks, and waits until it is drawn. */
export async function show(page, from, to) {
    await page.evaluate((...edges) => globalThis.txtap.view.show(...edges), from, to);
    await page.frame();
}

/**
 * Returns the position {x, y} in the page of a moment of a row, at half the height of the row's bar. name: the name
 * of the row; '': the axis.
 */
export function place(page, name, ticks) {
    return page.evaluate((wanted, moment) => {
        const { timeline } = globalThis.txtap;
        const { frame, layout } = timeline;
        const scene = timeline.sceneCanvas.getBoundingClientRect();
        const box = wanted ? frame.boxOf(layout.names.indexOf(wanted)) : { y: 0, height: frame.top };
        const at = timeline.view.position(moment);
        const x = frame.left + (at - frame.from) * frame.width / (frame.to - frame.from);
        return { x: scene.x + x / frame.d, y: scene.y + (box.y + box.height / 2) / frame.d };
    }, name, ticks);
}

/** Returns the share of each colour in a row's bar at a moment: { '#0b8f6c': 0.8, ... }. */
export function colours(page, name, ticks) {
    return page.evaluate((wanted, moment) => {
        const { timeline } = globalThis.txtap;
        const { frame, layout } = timeline;
        const box = frame.boxOf(layout.names.indexOf(wanted));
        const x = Math.floor(frame.left + (moment - frame.from) * frame.width / (frame.to - frame.from));
        const { data } = frame.ctx.getImageData(x, box.y, 1, box.height);
        const shares = {};
        for (let at = 0; at < data.length; at += 4) {
            const parts = [...data.subarray(at, at + 3)].map((part) => part.toString(16).padStart(2, '0'));
            const colour = `#${parts.join('')}`;
            shares[colour] = (shares[colour] ?? 0) + 1 / box.height;
        }
        return shares;
    }, name, ticks);
}
