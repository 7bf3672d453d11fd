// SPDX-License-Identifier: MIT
// Links to a place in a long recording, opened on a slow computer: the page shows the place, and the address keeps it, however
// much of the trace each picture has.   usage: slow_link.mjs TXTAP      (TXTAP_RUNS: number of loads, 4)
import { join } from 'node:path';
import { Browser } from './browser.mjs';
import { end, note, same, skip } from './checks.mjs';
import { longRecording } from './long_trace.mjs';
import { CYCLE_TICKS, madeTrx } from './made_trx.mjs';
import { WORK, makePage, whatIsMissing } from './pages.mjs';

const [txtap] = process.argv.slice(2);
const EVENTS = 150_000;
const SLOWER = 6;
const LOADS = Number(process.env.TXTAP_RUNS ?? 4);

/** Returns the pictures that the page showed while it read the trace, and the place that it shows at last. */
async function shownBy(browser, url) {
    const page = await browser.open(undefined, { offline: true });
    await page.slow(SLOWER);
    await page.go(url);
    const pictures = await page.evaluate(async () => {
        const { view, ready } = globalThis.txtap;
        let many = 0;
        view.on((changed) => { many += changed.has('data') ? 1 : 0; });
        await ready;
        return many;
    });
    const place = await page.evaluate(() => {
        const { view, places } = globalThis.txtap;
        places.write(); // the page does this when the view has rested
        return { shown: [view.from, view.to], selected: view.selected < 0 ? -1 : view.trace.seq(view.selected), hash: location.hash };
    });
    await page.close();
    return { pictures, place, problems: page.problems };
}

async function works(browser) {
    const path = join(WORK, 'long.rec');
    longRecording(madeTrx(20), EVENTS, path);
    const url = makePage(txtap, 'long.html', '--hz', '1M', path);
    const middle = 5 * CYCLE_TICKS;
    const far = 12_000 * CYCLE_TICKS;
    const links = [[middle, middle + 1000, 55], [far, far + 1000, 132_005]];
    let kept = 0;
    let pictures = 0;

    for (let turn = 0; turn < LOADS; turn++) {
        const [from, to, event] = links[turn % links.length];
        const hash = `#v=${from}-${to}&e=${event}`;
        const shown = await shownBy(browser, url + hash);
        const want = { shown: [from, to], selected: event, hash };
        kept += JSON.stringify(shown.place) === JSON.stringify(want) ? 1 : 0;
        pictures = Math.max(pictures, shown.pictures);
        if (JSON.stringify(shown.place) !== JSON.stringify(want)) note(JSON.stringify(shown));
    }
    note(`up to ${pictures} pictures of a trace that is being read`);
    await same(`a link keeps its place in ${LOADS} of ${LOADS} loads, ${SLOWER} times slower`, kept, LOADS);
}

const missing = whatIsMissing(txtap);
if (missing) {
    skip('a link is opened on a slow computer', missing);
} else {
    const browser = await Browser.start();
    await works(browser);
    await browser.close();
}
end();
