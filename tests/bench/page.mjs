// SPDX-License-Identifier: MIT
// Measures the page of txtap view with many events, in chromium: a .trx of 1 million events and a recording of 10
// million, each as one file that is opened from disk; with `samples`, a recording of 10 variables with a million samples each.
// It checks nothing: the status is always 0.
// With `two`, a page that compares two traces of 1 million events, beside the pages of each trace.
//   usage: node tests/bench/page.mjs BUILD_DIRECTORY [MILLIONS|samples|two]...   (default: 1 10)
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser } from '../view/browser.mjs';
import { longRecording, longTrx } from '../view/long_trace.mjs';
import { plotRecording } from '../view/made_plots.mjs';

const [build, ...wanted] = process.argv.slice(2);
const AIMS = { 1: { picture: 0.8, redraw: 25 }, 10: { picture: 5, redraw: 35, eventBytes: 50 } };
const RANGE_EVENTS = 100_000;
const RANGE_MS = 100; // limit in ms of the time until the range's report is shown
const PLOT_MS = 100; // limit in ms of the plot of all instances
const CALL_MS = 16; // maximum time of a frame
const TRX_MILLIONS = 2; // with more million events, a recording is made instead of a .trx
const MEBIBYTE = 1 << 20;

const row = (name, value, aim) => {
    const verdict = aim === undefined ? '' : `aim: at most ${aim}${value <= aim ? '' : '   MISSED'}`;
    console.log(`  ${name.padEnd(50)} ${Number(value.toPrecision(3)).toString().padStart(9)}   ${verdict}`.trimEnd());
};
const sorted = (list) => [...list].sort((a, b) => a - b);
const median = (list) => sorted(list)[list.length >> 1];
const p95 = (list) => sorted(list)[Math.floor(list.length * 0.95)];

/** Makes the trace as a file, and its page; returns their paths. */
function makePage(work, millions) {
    const sample = readFileSync(join(build, 'tests/data/demo_rec.trx'));
    const trace = join(work, millions > TRX_MILLIONS ? 'long.rec' : 'long.trx');
    if (millions > TRX_MILLIONS) longRecording(sample, millions * 1e6, trace);
    else writeFileSync(trace, longTrx(sample, millions * 1e6));
    const page = join(work, 'page.html');
    const begin = performance.now();
    execFileSync(join(build, 'capture/txtap'), ['view', '--force', '--hz', '1M', '-o', page, trace], { stdio: 'inherit' });
    row('txtap view -o, s', (performance.now() - begin) / 1000);
    row('size of the page, MiB', statSync(page).size / MEBIBYTE);
    return page;
}

/** Stores the times of the first picture with events and of the first picture with all events. Runs before the page's
 * script. */
function watch() {
    const look = () => {
        const { view, timeline } = globalThis.txtap ?? {};
        const state = timeline?.drawn > 0 && view.trace?.state();
        if (state?.events > 0) globalThis.firstPicture ??= performance.now();
        if (state?.ended) globalThis.wholePicture = performance.now();
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}

/**
 * Returns the ms of a full redraw of a part of the trace. Reads pixels back, so that the time includes rasterization.
 */
function redraw(part, times) {
    const { view, timeline } = globalThis.txtap;
    const all = view.extent();
    const middle = (all.from + all.to) / 2;
    const span = (all.to - all.from) * part;
    const spent = [];
    for (let turn = 0; turn < times; turn++) {
        const shift = turn * span * 0.001;
        view.show(middle - span / 2 + shift, middle + span / 2 + shift);
        const begin = performance.now();
        timeline.drawScene(begin);
        timeline.sceneCanvas.getContext('2d').getImageData(0, 0, 1, 1);
        spent.push(performance.now() - begin);
    }
    return spent;
}

/** Returns the intervals between frames while the mouse drags the timeline. */
async function dragged(page) {
    const place = await page.where('#overlay');
    await page.evaluate(() => {
        globalThis.frames = [];
        const next = (now) => { globalThis.frames.push(now); requestAnimationFrame(next); };
        requestAnimationFrame(next);
    });
    for (let turn = 0; turn < 4; turn++)
        await page.drag(place.x, place.y, place.x + (turn % 2 ? 300 : -300), place.y, [], 60);
    return page.evaluate(() => globalThis.frames.slice(1).map((now, i) => now - globalThis.frames[i]));
}

/**
 * Selects events near the end. Returns three times in ms: until the report of these events is shown, until the shares
 * from the rows are shown, and the duration of the longest call.
 */
function reportRange(count) {
    const { view } = globalThis.txtap;
    const { trace } = view;
    const { first, events } = trace.state();
    const at = Math.floor(first + events * 0.9);
    const calls = [];
    for (const name of ['beginReport', 'stepReport', 'endReport', 'sums'])
        trace[name] = (...values) => {
            const begin = performance.now();
            const answer = Object.getPrototypeOf(trace)[name].apply(trace, values);
            calls.push(performance.now() - begin);
            return answer;
        };
    const begin = performance.now();
    view.set({ panel: 'range', range: { from: trace.ticks(at), to: trace.ticks(at + count) } });
    return new Promise((done) => {
        let shares = 0;
        const look = () => {
            const panel = document.getElementById('panel_range');
            shares ||= panel.querySelector('.states') ? performance.now() - begin : 0;
            if (!panel.querySelector('.span, .worst')) return requestAnimationFrame(look);
            for (const name of ['beginReport', 'stepReport', 'endReport', 'sums']) delete trace[name];
            return done({ report: performance.now() - begin, shares, call: Math.max(...calls) });
        };
        requestAnimationFrame(look);
    });
}

async function reports(page) {
    const { report, shares, call } = await page.evaluate(reportRange, RANGE_EVENTS);
    row('report of 100 000 events, ms', report, RANGE_MS);
    row('and until their shares are shown', shares);
    row('and its longest call', call, CALL_MS);
    await page.evaluate(() => {
        const { view } = globalThis.txtap;
        const { from, to } = view.trace.state();
        view.set({ panel: 'range', range: { from, to } });
    });
    const frames = await dragged(page);
    row('between frames, dragging beside a report of all, 95 %', p95(frames));
    row('the longest of them', Math.max(...frames));
}

/** Makes the instances of a figure of the whole trace and draws them. Returns their number, the ms until they are made, and the
 * ms of each plot; a plot reads pixels back. */
async function plotInstances(figure, times) {
    const { instances, view } = globalThis.txtap;
    const begin = performance.now();
    view.set({ panel: 'instances' });
    instances.figures.value = figure;
    instances.chooseFigure();
    while (instances.list?.figure !== figure) await new Promise((done) => requestAnimationFrame(done));
    const made = performance.now() - begin;
    const spent = [];
    for (let turn = 0; turn < times; turn++) {
        const start = performance.now();
        instances.paint();
        instances.canvas.getContext('2d').getImageData(0, 0, 1, 1);
        spent.push(performance.now() - start);
    }
    return { count: instances.list.series.reduce((sum, { n }) => sum + n, 0), made, spent };
}

async function instances(page) {
    for (const figure of ['response', 'ready', 'hold']) {
        const { count, made, spent } = await page.evaluate(plotInstances, figure, 15);
        row(`instances of ${figure}`, count);
        row('until they are made, ms', made);
        row('their plot, ms, median', median(spent), PLOT_MS);
        row('and of 95 % of the plots', p95(spent), PLOT_MS);
    }
}

async function memory(page, events) {
    await page.send('HeapProfiler.collectGarbage');
    const { usedSize } = await page.send('Runtime.getHeapUsage');
    const wasm = await page.evaluate(() => globalThis.txtap.view.trace.wasm.memory.buffer.byteLength);
    row('JavaScript heap, MiB', usedSize / MEBIBYTE);
    row('memory of the decoder, MiB', wasm / MEBIBYTE);
    return wasm / events;
}

async function measure(browser, work, millions) {
    const aim = AIMS[millions] ?? {};
    console.log(`\n${millions} million events${millions > TRX_MILLIONS ? ', a recording' : ', a .trx'}`);
    const path = makePage(work, millions);
    const page = await browser.open('', { offline: true });
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${watch})()` });
    await page.go(`file://${path}`);
    const whole = await page.until(() => globalThis.wholePicture) / 1000;
    row('from opening to the first picture, s', await page.evaluate(() => globalThis.firstPicture) / 1000, aim.picture);
    row('from opening to the picture of all events, s', whole);
    const spent = await browser.processes('renderer');
    row('CPU time of the page until then, s', Math.max(...spent.map(({ cpuTime }) => cpuTime)));
    const { events } = await page.evaluate(() => globalThis.txtap.view.trace.state());
    row('events', events);
    row('bytes of memory for an event', await memory(page, events), aim.eventBytes);
    for (const [part, name] of [[1, 'all'], [0.1, '10 %'], [0.001, '0.1 %']])
        row(`full redraw of ${name}, ms, median`, median(await page.evaluate(redraw, part, 15)), aim.redraw);
    const frames = await dragged(page);
    row('between two frames while dragging, ms, median', median(frames));
    row('and of 95 % of them', p95(frames));
    await reports(page);
    await instances(page);
    for (const problem of page.problems) console.log(`  the page: ${problem}`);
    await page.close();
}

/** Measures the redraw of 10 plots with a million samples each. */
async function measurePlots(browser, work) {
    console.log('\n10 plots with 1 million samples each');
    const [trace, path] = ['plots.rec', 'plots.html'].map((name) => join(work, name));
    plotRecording(trace, 10, 1e6);
    execFileSync(join(build, 'capture/txtap'), ['view', '--force', '--hz', '1M', '-o', path, trace], { stdio: 'inherit' });
    const page = await browser.open('', { offline: true, height: 900 });
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${watch})()` });
    await page.go(`file://${path}`);
    row('from opening to the picture of all samples, s', await page.until(() => globalThis.wholePicture) / 1000);
    row('bytes of memory for a sample', await memory(page, 1e7));
    for (const [part, name] of [[1, 'all'], [0.1, '10 %'], [0.001, '0.1 %']])
        row(`full redraw of ${name}, ms, median`, median(await page.evaluate(redraw, part, 15)), AIMS[10].redraw);
    row('between frames while dragging, 95 %', p95(await dragged(page)));
    for (const problem of page.problems) console.log(`  the page: ${problem}`);
    await page.close();
}

/** Returns the seconds from opening a page until `ready` is true in it. */
async function opening(browser, path, ready) {
    const page = await browser.open('', { offline: true, width: 1500, height: 860 });
    const begin = performance.now();
    await page.go(`file://${path}`);
    await page.until(ready);
    const seconds = (performance.now() - begin) / 1000;
    for (const problem of page.problems) console.log(`  the page: ${problem}`);
    await page.close();
    return seconds;
}

/** Measures a page of two traces, and the pages of each trace. */
async function measureTwo(browser, work) {
    console.log('\ntwo traces of 1 million events each, a .trx');
    const sample = readFileSync(join(build, 'tests/data/demo_rec.trx'));
    const traces = [1e6, 1.01e6].map((events, i) => {
        const path = join(work, `${'ab'[i]}.trx`);
        writeFileSync(path, longTrx(sample, events));
        return path;
    });
    const write = (command, path, ...files) => {
        execFileSync(join(build, 'capture/txtap'), [...command, '--force', '--hz', '1M', '-o', path, ...files], { stdio: 'inherit' });
        return path;
    };
    const alone = [];
    for (const trace of traces)
        alone.push(await opening(browser, write(['view'], `${trace}.html`, trace), () => globalThis.txtap?.view?.trace?.state().ended && globalThis.txtap.timeline.drawn > 0));
    const begin = performance.now();
    const path = write(['compare', '-f', 'html'], join(work, 'both.html'), ...traces);
    row('txtap compare -f html, s', (performance.now() - begin) / 1000);
    row('size of the page, MiB', statSync(path).size / MEBIBYTE);
    row('from opening to all events of A alone, s', alone[0]);
    row('of B alone, s', alone[1]);
    row('from opening to both, aligned, with figures, s', await opening(browser, path, () => document.getElementById('aligned')?.textContent.startsWith('aligned')), Number((alone[0] + alone[1]).toPrecision(3)));
}

console.log(`load of this machine ${loadavg()[0].toFixed(1)}`);
const work = mkdtempSync(join(tmpdir(), 'txtap-page-'));
const browser = await Browser.start();
try {
    for (const what of wanted.length ? wanted : [1, 10])
        await ({ samples: measurePlots, two: measureTwo }[what] ?? measure)(browser, work, Number(what));
} finally {
    await browser.close();
    rmSync(work, { recursive: true });
}
