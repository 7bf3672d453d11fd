// SPDX-License-Identifier: MIT
// Tests the panel of the profile on the page of txtap view: functions by thread, with their shares, in a range.
// usage: profile.mjs TXTAP [FOLDER]    FOLDER: receives pictures of the pages
import { join } from 'node:path';
import { Browser } from './browser.mjs';
import { check, end, same, skip } from './checks.mjs';
import { ENDS, sampleRecording } from './made_samples.mjs';
import { file, makePage, openPage, whatIsMissing } from './pages.mjs';
import { madeTrx } from './made_trx.mjs';

const [txtap, pictures] = process.argv.slice(2);

/** Returns the tables of the panel: rows of cells. */
const tables = (page) => page.evaluate(() => [...document.querySelectorAll('#panel_profile table')].map((table) =>
    [...table.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))));
const settled = (page, text) => page.until((wanted) => document.getElementById('panel_profile').innerText.replaceAll(/[\u2009\u202f]/g, '').includes(wanted), text);

async function wholeTrace(page, theme) {
    await page.press('#tab_profile');
    await settled(page, '4700 samples');
    const [threads, functions] = await tables(page);

    if (pictures) await page.screenshot(join(pictures, `profile-${theme}.png`));
    await same(`${theme}: threads with their shares`, threads.map(([name, , share]) => [name, share]), [['control', '80.0 %'], ['logger', '20.0 %']]);
    await same(`${theme}: functions with their shares`, functions.map(([name, , share]) => [name, share]),
        [['control_loop', '60.0 %'], ['filter', '30.0 %'], ['main', '10.0 %']]);
    const bounds = /^(\d+\.\d) … (\d+\.\d) %$/.exec(functions[0][3]);
    await check(`${theme}: the interval contains the share`, bounds && Number(bounds[1]) <= 60 && Number(bounds[2]) >= 60 && bounds[1] !== bounds[2]);
}

async function oneThread(page) {
    await page.evaluate(() => {
        const select = document.querySelector('#panel_profile select');
        select.value = 'logger';
        select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    const [, functions] = await tables(page);
    await same('the functions of a thread', functions.map(([name, , share]) => [name, share]), [['filter', '10.0 %'], ['main', '10.0 %']]);
}

async function range(page) {
    await page.evaluate(() => globalThis.txtap.view.set({ range: { from: 20000, to: 29999 } }));
    await settled(page, '500 samples');
    const counts = await page.evaluate(() => globalThis.txtap.view.trace.profile(20000, 29999).functions.map((row) => row.samples));
    await same('only samples of the range are counted', counts, [300, 150, 50]);
    await same('a range without samples', await page.evaluate(() => globalThis.txtap.view.trace.profile(61000, 65000).samples), 0);
    await same('all samples', await page.evaluate((to) => globalThis.txtap.view.trace.profile(0, to).samples, ENDS), 4700);
}

const missing = whatIsMissing(txtap);
if (missing) {
    skip('the panel of the profile', missing);
} else {
    const browser = await Browser.start();
    const url = makePage(txtap, 'profile.html', '--hz', '1M', file('profile.rec', sampleRecording()));
    for (const theme of ['light', 'dark']) {
        const page = await openPage(browser, url, { dark: theme === 'dark' });
        await wholeTrace(page, theme);
        if (theme === 'light') {
            await oneThread(page);
            await range(page);
        }
        await same(`${theme}: no problem`, page.problems, []);
        await page.close();
    }
    const none = await openPage(browser, makePage(txtap, 'none.html', file('none.trx', madeTrx(3))));
    await check('a trace without program counters has no such panel', await none.evaluate(() => document.getElementById('tab_profile').hidden));
    await browser.close();
}
end();
