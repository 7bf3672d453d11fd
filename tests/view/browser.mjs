// SPDX-License-Identifier: MIT
// The driver of a headless browser: starts it, opens pages, and sends real input events to them. Collects the problems of a page:
// errors, violations of its policy, dialogs. Knows nothing of txtap. With BROWSER=firefox in the environment, tests run in Debian's
// Firefox, otherwise in Debian's chromium. Chromium has more than the common interface: frames(), processes(), signal(), send(), slow().
import { Firefox, firefoxProgram } from './browser_bidi.mjs';
import { Chromium, chromiumProgram } from './browser_cdp.mjs';

export { PATIENCE_MS } from './browser_page.mjs';

/** The name of the tests' browser. */
export const browserName = process.env.BROWSER || 'chromium';
const KINDS = { chromium: [Chromium, chromiumProgram], firefox: [Firefox, firefoxProgram] };
if (!Object.hasOwn(KINDS, browserName)) throw new Error(`BROWSER=${browserName}: chromium or firefox`);

/** Starts a browser: `await Browser.start()`. */
export const [Browser, browserProgram] = KINDS[browserName];
