// SPDX-License-Identifier: MIT
// Opens a page as a new user does, and ends when it has drawn a trace: drops FILE on the page, clicks on SELECTOR, or only
// waits. PAGE is a file or an address. For scripts/first_event.
// usage: first_picture.mjs PAGE drop FILE | first_picture.mjs PAGE click SELECTOR | first_picture.mjs PAGE open
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser } from './browser.mjs';

const [place, action, what] = process.argv.slice(2);
const browser = await Browser.start();
const page = await browser.open(place.startsWith('http://') ? place : pathToFileURL(resolve(place)).href);
await page.evaluate(async () => { await globalThis.txtap?.ready; });
if (action === 'drop') await page.drop([resolve(what)], 640, 360);
else if (action === 'click') await page.becomesLoaded(() => page.press(what));
await page.until(() => globalThis.txtap?.view.trace?.state().events > 0);
await page.frame();
await browser.close();
