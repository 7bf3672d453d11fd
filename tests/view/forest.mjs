// SPDX-License-Identifier: MIT
// The page with forty threads, sixty objects and an hour, opened from disk: rows, overview and drawing. The trace is made, so the
// load of each thread is known.   usage: forest.mjs TXTAP
import { Browser } from './browser.mjs';
import { check, end, note, same, skip } from './checks.mjs';
import { FOREST_BURST, FOREST_HZ, forestThreads, forestTrx } from './forest_trx.mjs';
import { file, makePage, openPage, place, show, typeSearch, whatIsMissing } from './pages.mjs';

const [txtap] = process.argv.slice(2);
const THREADS = forestThreads();
const SECOND = FOREST_HZ;
const HOUR = 3600 * SECOND;
const named = (name) => THREADS.find((thread) => thread.name === name);

/** Returns, for each column of a row's bar in a part of the trace, the number of pixels in the thread's colour. */
function ink(page, name, from, to) {
    return page.evaluate((wanted, ...edges) => {
        const { timeline } = globalThis.txtap;
        const { frame, layout, colours } = timeline;
        const row = layout.names.indexOf(wanted);
        const box = frame.boxOf(row);
        const colour = colours.threads[layout.threadColours[row] % colours.threads.length];
        const rgb = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
        const [x0, x1] = edges.map((ticks) => Math.round(frame.left + (ticks - frame.from) * frame.width / (frame.to - frame.from)));
        const { data, width } = frame.ctx.getImageData(x0, box.y, x1 - x0, box.height);
        const found = new Array(width).fill(0);
        for (let at = 0; at < data.length; at += 4)
            if (rgb.every((part, i) => data[at + i] === part)) found[(at / 4) % width]++;
        return found;
    }, name, from, to);
}

/** Returns the number of pixels of a colour of the page in a part of a canvas, in CSS px relative to the canvas. */
function pixels(page, canvas, colour, box) {
    return page.evaluate((id, name, { x, y, width, height }) => {
        const { timeline } = globalThis.txtap;
        const rgb = [1, 3, 5].map((at) => parseInt(timeline.colours[name].slice(at, at + 2), 16));
        const { data } = document.getElementById(id).getContext('2d').getImageData(x, y, width, height);
        let found = 0;
        for (let at = 0; at < data.length; at += 4)
            found += rgb.every((part, i) => data[at + i] === part) && data[at + 3] === 255 ? 1 : 0;
        return found;
    }, canvas, colour, box);
}

const sum = (list) => list.reduce((a, b) => a + b, 0);
const mean = (list) => sum(list) / list.length;
const rowsShown = (page) => page.evaluate(() => globalThis.txtap.timeline.layout.lanes.filter(({ row }) => row?.kind === 'thread')
    .map(({ title }) => title));
const choice = (page) => page.evaluate(() => globalThis.txtap.view.rows);
const choose = (page, part) => page.evaluate((values) => {
    const { view } = globalThis.txtap;
    view.set({ rows: { ...view.rows, ...values } });
}, part).then(() => page.frame());

async function rowsDiffer(page) {
    await choose(page, { density: 34 });
    await page.key('0');
    await page.frame();
    const [idle, busy] = [THREADS.filter(({ load }) => load === 0.001)[0], THREADS.filter(({ load }) => load === 0.015)[0]];
    const inks = {};
    for (const { name } of [idle, busy]) inks[name] = sum(await ink(page, name, 0, HOUR));
    note(JSON.stringify(inks));
    await check(`at full zoom a thread of 1.5 % (${busy.name}) has far more ink than one of 0.1 % (${idle.name})`,
        inks[busy.name] > 1.6 * inks[idle.name] && inks[idle.name] > 0);
    const columns = await ink(page, FOREST_BURST.name, 0, HOUR);
    const at = (second) => Math.floor(second / 3600 * columns.length);
    const [first, last] = [at(FOREST_BURST.from) + 1, at(FOREST_BURST.to) - 1];
    const within = mean(columns.slice(first, last));
    const rest = mean([...columns.slice(0, first - 2), ...columns.slice(last + 2)]);
    note(`${last - first} columns of the burst: ${within} pixels, the others ${rest}`);
    await check('the burst in minute 31 of the hour is seen', last - first > 5 && within > 1.5 * rest);
    await check('its columns are the highest of the row', Math.max(...columns.slice(0, first - 2), ...columns.slice(last + 2)) < within);
}

async function coloursAgree(page) {
    const found = await page.evaluate((burst, hour) => {
        const { timeline } = globalThis.txtap;
        const { frame, layout, colours } = timeline;
        const row = layout.names.indexOf(burst.name);
        const colour = colours.threads[layout.threadColours[row] % colours.threads.length];
        const x = Math.round(frame.left + (burst.from + burst.to) / 2 * 1e6 / hour * frame.width);
        const columnOf = (canvas, top, height) => {
            const { data } = canvas.getContext('2d').getImageData(x, top, 1, height);
            return Array.from({ length: height }, (_, y) => `#${[0, 1, 2].map((i) => data[y * 4 + i].toString(16).padStart(2, '0')).join('')}`);
        };
        const core = frame.boxOf(layout.rows.findIndex(({ kind }) => kind === 'core'));
        const box = frame.boxOf(row);
        return {
            row: columnOf(timeline.sceneCanvas, box.y, box.height).includes(colour),
            cpu: columnOf(timeline.sceneCanvas, core.y, core.height).filter((each) => each === colour).length / core.height,
            minimap: columnOf(timeline.minimapCanvas, 0, timeline.minimapCanvas.height).includes(colour),
            summary: colour,
        };
    }, FOREST_BURST, HOUR);
    await check('the busy thread has the same colour in its row, in the minimap', found.row && found.minimap);
    note(`part of the CPU: ${found.cpu}`);
    await check('and in the CPU row, as high as its load', Math.abs(found.cpu - FOREST_BURST.load) < 0.08);
    await page.evaluate(() => globalThis.txtap.view.set({ panel: 'summary' }));
    await page.until(() => document.querySelector('#panel_summary .share.thread'));
    const bar = await page.evaluate((name) => [...document.querySelectorAll('#panel_summary .share.thread')]
        .filter((each) => each.querySelector('.name').textContent === name)
        .map((each) => getComputedStyle(each.querySelector('.bar i')).backgroundColor)[0], FOREST_BURST.name);
    const rgb = [1, 3, 5].map((at) => parseInt(found.summary.slice(at, at + 2), 16)).join(', ');
    await same('and in the summary', bar, `rgb(${rgb})`);
}

async function cardShowsShares(page) {
    const middle = (FOREST_BURST.from + FOREST_BURST.to) / 2 * SECOND;
    const card = async (name) => {
        const at = await place(page, name, middle);
        await page.move(at.x, at.y);
        await page.until(() => !document.getElementById('card').hidden && document.querySelector('#card .shares'));
        return page.evaluate(() => document.getElementById('card').innerText.replaceAll(/\s+/g, ' '));
    };
    const cpu = await card('CPU');
    note(cpu);
    await check('over the CPU the card has the load of each thread and of interrupts', /ota_rx 4\d %/.test(cpu) && /interrupts 0\.0\d+ %/.test(cpu));
    await check('and the time of the column', /18\d\d\.\d – 18\d\d\.\d s/.test(cpu.replaceAll(/(?<=\d) (?=\d)/g, '')));
    const row = await card('ota_rx');
    note(row);
    await check('over a row it has the share of each state', /running 4\d %/.test(row) && /waits 5\d %|waits 6\d %/.test(row));
    await check('and the scale', /height: 0 to 100 %/.test(cpu) && /1 % half/.test(row));
    await page.move(5, 5);
}

async function peakIsFixed(page) {
    const text = () => page.evaluate(async () => {
        const { timeline } = globalThis.txtap;
        await new Promise((resolve) => { setTimeout(resolve, 0); });
        const { cores } = timeline.peak;
        return [...cores.values()].every(({ done }) => done) && JSON.stringify(timeline.peak.highest());
    });
    const found = [];
    for (const width of [800, 1350, 2560]) {
        await page.resize(width, 900);
        await page.frame();
        found.push(await page.until(`(${() => {
            const { peak } = globalThis.txtap.timeline;
            return [...peak.cores.values()].every(({ done }) => done) && JSON.stringify(peak.highest());
        }})()`));
    }
    note(found[0] ?? await text());
    await check('the peak does not depend on the width of the page', new Set(found).size === 1);
    const { load, window } = JSON.parse(found[0]);
    await same('it is that of 10 ms', [load, window], [1, FOREST_HZ / 100]);
    await page.resize(1350, 900);
    await page.frame();
}

async function changesRows(page) {
    await page.evaluate(() => document.activeElement.blur());
    await choose(page, { density: 34 });
    const seen = async () => page.evaluate(() => {
        const { frame, layout } = globalThis.txtap.timeline;
        return layout.lanes.filter(({ row }) => row && frame.boxOf(row.row).y + frame.boxOf(row.row).height <= frame.height).length;
    });
    const tall = await seen();
    await page.key('y');
    await page.frame();
    const medium = await seen();
    await page.press('#row_density');
    await page.frame();
    const small = await seen();
    note(`rows on screen: ${tall}, ${medium}, ${small}`);
    await check('the key y and a button make rows smaller, so that more are on screen', tall < medium && medium < small);
    await page.until(() => location.hash.includes('d=10'));
    await page.reload();
    await page.evaluate(async () => { await globalThis.txtap.ready; });
    await page.frame();
    await same('a reload keeps the height', (await choice(page)).density, 10);
    await choose(page, { density: 18 });
    await page.key('i');
    await page.type('_rx');
    await page.frame();
    const filtered = await rowsShown(page);
    await check('typing a part of the names shows only these rows', filtered.length === 20 && filtered.every((name) => name.includes('_rx')));
    const hidden = await page.evaluate(() => document.getElementById('rows_hidden').innerText);
    await check('a button has the number of hidden rows', /^\d+ rows hidden: show$/.test(hidden));
    await page.press('#rows_hidden');
    await page.frame();
    await same('and shows them again', [(await rowsShown(page)).length, (await choice(page)).filter], [40, '']);
    await page.evaluate(() => document.activeElement.blur());
    await page.evaluate(() => globalThis.txtap.timeline.setScroll(0));
    await page.frame();
    const first = (await rowsShown(page))[0];
    const at = await page.evaluate((name) => {
        const { timeline } = globalThis.txtap;
        const lane = timeline.layout.lanes.find(({ title }) => title === name);
        const box = timeline.overlayCanvas.getBoundingClientRect();
        return { x: box.x + 60, y: box.y + 46 + 26 + lane.y - timeline.scroll + lane.height / 2 };
    }, first);
    await page.move(at.x, at.y);
    await page.press('#name_tools .hide');
    await page.frame();
    await check('a button beside the name hides the row', !(await rowsShown(page)).includes(first));
    await page.move(at.x, at.y + 1);
    const second = (await rowsShown(page))[0];
    await page.press('#name_tools .solo');
    await page.frame();
    await same('another shows only this row', await rowsShown(page), [second]);
    await page.until(() => location.hash.includes('u=thread:'));
    await page.key('l');
    await page.frame();
    await same('the key l shows the others again', (await rowsShown(page)).length, 39);
    await page.key('u');
    await page.frame();
    await same('the key u shows all rows', (await rowsShown(page)).length, 40);
    await page.key('ArrowDown');
    await page.key('ArrowDown');
    const current = await page.evaluate(() => globalThis.txtap.timeline.layout.names[globalThis.txtap.timeline.row]);
    await page.key('k');
    await page.frame();
    await check('the key k hides the current row', await page.evaluate((name) => !globalThis.txtap.timeline.layout.lanes.some(({ title }) => title === name), current));
    await page.key('u');
    const orders = {
        name: THREADS.map(({ name }) => name).sort(),
        recorded: THREADS.map(({ name }) => name),
    };
    for (const [order, want] of Object.entries(orders)) {
        await page.evaluate((value) => {
            const select = document.getElementById('row_order');
            select.value = value;
            select.dispatchEvent(new Event('change'));
        }, order);
        await page.frame();
        if (order === 'name') await same('rows are sorted by name', await rowsShown(page), want);
    }
    await page.evaluate(() => { globalThis.txtap.view.set({ rows: { ...globalThis.txtap.view.rows, order: 'cpu' } }); });
    await page.frame();
    const ran = await page.evaluate(() => {
        const { view, timeline } = globalThis.txtap;
        const { from, to } = view.trace.state();
        return timeline.layout.lanes.filter(({ row }) => row?.kind === 'thread').map(({ row }) => view.trace.sums(row.row, from, to).running);
    });
    await same('rows are sorted by CPU time', ran, [...ran].sort((a, b) => b - a));
    await choose(page, { order: 'priority' });
}

/** Returns the number of columns of the picture that have an arrow in the colour of the selection, between two rows. */
const columnsWithArrows = (page, one, other) => page.evaluate((names) => {
    const { frame, layout, colours } = globalThis.txtap.timeline;
    const [above, below] = names.map((name) => frame.boxOf(layout.names.indexOf(name))).sort((a, b) => a.y - b.y);
    const rgb = [1, 3, 5].map((at) => parseInt(colours.accent.slice(at, at + 2), 16));
    const { data, width, height } = frame.ctx.getImageData(frame.left, above.y + above.height, frame.width, below.y - above.y - above.height);
    const near = (at) => rgb.every((part, i) => Math.abs(data[at + i] - part) < 90);
    return Array.from({ length: width }, (_, x) => Array.from({ length: height }, (_, y) => near((y * width + x) * 4)).filter(Boolean).length > height / 2)
        .filter(Boolean).length;
}, [one, other]);

async function selectionIsNoWall(page) {
    const [thread, interrupt] = [FOREST_BURST.name, `ISR ${named(FOREST_BURST.name).wait.isr}`];
    const select = async (from, to) => {
        await show(page, from * SECOND, to * SECOND);
        const at = await place(page, thread, (from + to) / 2 * SECOND);
        await page.click(at.x, at.y);
        await page.until(() => globalThis.txtap.view.selectedRow >= 0);
        await page.frame();
        return columnsWithArrows(page, interrupt, thread);
    };
    await choose(page, { density: 34 });
    const many = await select(FOREST_BURST.from, FOREST_BURST.to);
    const few = await select(FOREST_BURST.from + 2, FOREST_BURST.from + 4);
    note(`columns with arrows: ${many} of 600 wake-ups, ${few} of 20`);
    await check('many wake-ups of the selected row are no wall of arrows', many <= 2);
    await check('a few are arrows', few >= 18);
    await page.key('Escape');
    await page.evaluate(() => globalThis.txtap.view.set({ panel: '' }));
}

async function hitsAreTicks(page) {
    await page.key('0');
    await typeSearch(page, 'thread:usb_rx');
    await page.evaluate(() => document.activeElement.blur());
    await page.frame();
    const boxes = await page.evaluate(() => {
        const { frame, layout } = globalThis.txtap.timeline;
        const box = (name) => {
            const { y, height } = frame.boxOf(layout.names.indexOf(name));
            return { x: frame.left, y: y + 46 - 8, width: frame.width, height: height + 8 };
        };
        return { axis: { x: frame.left, y: 46, width: frame.width, height: 26 }, usb: box('usb_rx'), other: box('can_rx') };
    });
    const hits = {};
    for (const [name, box] of Object.entries(boxes)) hits[name] = await pixels(page, 'overlay', 'hit', box);
    note(JSON.stringify(hits));
    await check('hits are ticks on the axis and in the lane of their event', hits.axis > 100 && hits.usb > 100 && hits.other === 0);
    await check('and leave the lane readable', hits.usb < 0.45 * boxes.usb.width * boxes.usb.height);
    await page.key('/');
    for (let i = 0; i < 13; i++) await page.key('Backspace');
    await page.evaluate(() => document.activeElement.blur());
}

async function edgesLead(page) {
    const quiet = await page.evaluate(() => {
        const { trace } = globalThis.txtap.view;
        for (let index = 2000; ; index++)
            if (trace.ticks(index + 1) - trace.ticks(index) > 4000) return { index, from: trace.ticks(index), to: trace.ticks(index + 1) };
    });
    await page.evaluate(() => { globalThis.txtap.timeline.row = -1; });
    await show(page, quiet.from + 1000, quiet.to - 1000);
    const marks = await page.evaluate(() => globalThis.txtap.timeline.frame.edgeMarks);
    await same('a picture without events says how far away the next are', marks.map(({ text }) => text), ['◂ 1.00 ms', '1.00 ms ▸']);
    const canvas = await page.where('#scene');
    for (const [mark, index] of [[marks[1], quiet.index + 1], [marks[0], quiet.index]]) {
        await show(page, quiet.from + 1000, quiet.to - 1000);
        await page.click(canvas.left + mark.x + mark.width / 2, canvas.top + mark.y + mark.height / 2);
        await page.until((wanted) => globalThis.txtap.view.selected === wanted, index);
    }
    await check('and a click goes there', true);
    await page.key('Escape');
    const { address } = named('can_tx');
    const row = await page.evaluate((wanted) => globalThis.txtap.timeline.layout.rows.find((each) => each.address === wanted).row, address);
    const span = await page.evaluate((of) => {
        const { view, timeline } = globalThis.txtap;
        const { trace } = view;
        const before = trace.near(of, 2e9, false);
        const next = trace.near(of, 2e9, true);
        timeline.row = of;
        timeline.revealLane(timeline.layout.laneOf(of));
        return { from: trace.ticks(before) + 100000, to: trace.ticks(next) - 300000 };
    }, row);
    await show(page, span.from, span.to);
    const ofRow = await page.evaluate((of) => globalThis.txtap.timeline.frame.edgeMarks.filter(({ row: each }) => each === of).map(({ text }) => text), row);
    await same('so does a selected row without events', ofRow, ['◂ 100.0 ms', '300.0 ms ▸']);
}

async function minimapHasHandles(page) {
    await page.key('0');
    await page.frame();
    const { left, width } = await page.evaluate(() => ({ left: globalThis.txtap.timeline.frame.left, width: globalThis.txtap.timeline.frame.width }));
    const top = (await page.where('#minimap')).top;
    const shown = () => page.evaluate(() => [globalThis.txtap.view.from, globalThis.txtap.view.to].map((at) => Math.round(at / 1e6)));
    await page.move(left + 1, top + 23);
    await page.until(() => document.getElementById('overlay').style.cursor === 'ew-resize');
    await page.drag(left + 1, top + 23, left + width / 2, top + 23);
    await page.frame();
    const [from, to] = await shown();
    await check('the left handle of the minimap shows less', Math.abs(from - 1800) < 15 && Math.abs(to - 3600) < 15);
    await page.drag(left + width * 0.75, top + 23, left + width * 0.5, top + 23);
    await page.frame();
    const [moved, end_] = await shown();
    await check('between the handles the window moves with the pointer', Math.abs(moved - 900) < 25 && Math.abs(end_ - 2700) < 25);
    await page.key('0');
}

async function redraws(page) {
    for (const density of [34, 18, 10]) {
        await choose(page, { density });
        const spent = await page.evaluate(() => {
            const { timeline } = globalThis.txtap;
            const times = [];
            for (let turn = 0; turn < 15; turn++) {
                const begin = performance.now();
                timeline.drawScene(begin);
                timeline.sceneCanvas.getContext('2d').getImageData(0, 0, 1, 1);
                times.push(performance.now() - begin);
            }
            return times.sort((a, b) => a - b)[7];
        });
        note(`rows of ${density} px: a redraw of the hour takes ${spent.toFixed(1)} ms`);
    }
}

async function fitsSmallWindows(browser, url) {
    const page = await openPage(browser, url, { width: 800, height: 600, offline: true });
    await choose(page, { density: 18 });
    const found = await page.evaluate(() => {
        const { frame, layout, height } = globalThis.txtap.timeline;
        const legend = document.getElementById('legend');
        return {
            panel: document.getElementById('panel').hidden,
            rows: layout.lanes.filter(({ row }) => row && frame.boxOf(row.row).y + frame.boxOf(row.row).height <= frame.height).length,
            legend: legend.offsetHeight, cut: legend.scrollWidth > legend.clientWidth, height,
        };
    });
    note(JSON.stringify(found));
    await check('in a window of 800 x 600 the panel is closed, and at least 8 rows are on screen', found.panel && found.rows >= 8);
    await check('the legend has one line', found.legend < 30 && !found.cut);
    await page.resize(700, 600);
    await page.frame();
    const filter = await page.where('#row_filter');
    await check('the filter has room beside narrow names', filter.width >= 50);
    for (const width of [1000, 760, 700, 480, 320]) {
        await page.resize(width, 600);
        await page.frame();
        const cut = await page.evaluate(() => [...document.querySelectorAll('#legend span')].filter((each) => {
            const { left, right, bottom } = each.getBoundingClientRect();
            const legend = document.getElementById('legend').getBoundingClientRect();
            return left < 0 || right > innerWidth || bottom > legend.bottom || legend.bottom > innerHeight;
        }).map((each) => each.textContent));
        await same(`${width} px wide, the whole legend is shown`, cut, []);
    }
    await page.close();
}

async function emptyViewer(browser) {
    const page = await openPage(browser, makePage(txtap, 'empty.html'), { offline: true });
    const found = await page.evaluate(() => {
        const header = document.getElementById('header').getBoundingClientRect();
        const under = document.elementFromPoint(300, header.bottom + 2);
        const off = (id) => document.getElementById(id).disabled;
        return { covers: under?.closest('#welcome') !== null, off: ['show_all', 'by_event', 'copy_link', 'search_box'].map(off), open: off('open_button') };
    });
    await check('the sheet of an empty viewer covers everything below the header', found.covers);
    await same('and the buttons that need a trace are inactive', [...found.off, found.open], [true, true, true, true, false]);
    await page.drop([file('short.trx', forestTrx({ seconds: 60 }))], 400, 400);
    await page.until(() => globalThis.txtap.view.trace?.state().events > 0);
    await check('until there is one', await page.evaluate(() => !document.getElementById('show_all').disabled));
    await page.close();
}

const missing = whatIsMissing(txtap);
if (missing) {
    skip('the page is opened', missing);
} else {
    const browser = await Browser.start();
    const url = makePage(txtap, 'forest.html', '--hz', '1M', file('forest.trx', forestTrx()));
    const page = await openPage(browser, url, { width: 1350, height: 900, offline: true });
    await same('forty threads have rows of medium height', await page.evaluate(() => globalThis.txtap.timeline.layout.density), 18);
    await rowsDiffer(page);
    await coloursAgree(page);
    await cardShowsShares(page);
    await peakIsFixed(page);
    await changesRows(page);
    await selectionIsNoWall(page);
    await hitsAreTicks(page);
    await edgesLead(page);
    await minimapHasHandles(page);
    await redraws(page);
    await same('nothing went wrong in the page', page.problems, []);
    await page.close();
    await fitsSmallWindows(browser, url);
    await emptyViewer(browser);
    await browser.close();
}
end();
