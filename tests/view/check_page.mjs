// SPDX-License-Identifier: MIT
// The page that txtap check writes: it opens with its checks, and the sentence of a failed check leads to its event.
//   usage: check_page.mjs TXTAP DATA
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Browser } from './browser.mjs';
import { check, end, same, skip } from './checks.mjs';
import { openPage, whatIsMissing, WORK } from './pages.mjs';

const [txtap, data] = process.argv.slice(2);
const DEADLOCK = "1: b waits for mutex m1, held by a since event 2; a waits for mutex m2, held by b since event 0; they wait for ever; closed by event 6 at 0.000052 s";

/** Runs txtap check; returns its exit status and the address of its page. */
function checkedPage(name, ...args) {
    const path = join(WORK, name);
    const { status } = spawnSync(txtap, ['check', '-q', '--hz', '1M', '--html', path, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });

    return { status, url: `file://${path}` };
}

const list = (page) => page.evaluate(() => [...document.querySelectorAll('.checks li')].map((each) => each.innerText.replaceAll(/\s+/g, ' ').trim()));
const isOpen = (page) => page.evaluate(() => !document.getElementById('panel_checks').hidden);

async function showsAFailure(browser) {
    const { status, url } = checkedPage('failed.html', '--check', 'lost == 0', '--check', 'deadlock == 0', join(data, 'deadlock.trx'));
    const page = await openPage(browser, url, { offline: true });

    await same('a deadlock fails', status, 6);
    await check('the page opens with its checks', await isOpen(page));
    await same('it has the sentence of the log, failed checks first', await list(page),
        [`FAIL deadlock == 0 ${DEADLOCK} Show event #6`, 'ok lost == 0 0']);
    await page.press('.checks a');
    await page.until(() => globalThis.txtap.view.selected >= 0);
    await same('a click selects the event on the timeline', await page.evaluate(() => globalThis.txtap.view.trace.seq(globalThis.txtap.view.selected)), 6);
    await same('nothing went wrong in the page', page.problems, []);
    await page.close();
}

async function showsSuccess(browser) {
    const { status, url } = checkedPage('fine.html', join(data, 'demo_live.trx'));
    const page = await openPage(browser, url, { offline: true });

    await same('a sound trace passes', status, 0);
    await check('its page opens with its checks, too', await isOpen(page));
    await same('with all of them', (await list(page)).map((each) => each.split(' ')[0]), ['ok', 'ok', 'ok', 'ok', 'ok']);
    await page.close();
}

const missing = whatIsMissing(txtap);
if (missing) {
    skip('the page of txtap check is used', missing);
} else {
    const browser = await Browser.start();
    await showsAFailure(browser);
    await showsSuccess(browser);
    await browser.close();
}
end();
