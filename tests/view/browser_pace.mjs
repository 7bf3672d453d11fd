// SPDX-License-Identifier: MIT
// Other paces of a page, to find tests that depend on it. PAGE_PACE in the environment has pairs such as "slower:20,timers:300":
//   slower:N   the page's processor is N times slower (chromium only)
//   timers:MS  timers and pictures of the page are MS milliseconds late
//   wasm:MS    the page gets its decoder MS milliseconds late
//   hand:MS    the test waits MS milliseconds before each input, as a slow user does
// No pace is a reason to fail.

const NAMES = ['slower', 'timers', 'wasm', 'hand'];

/** Returns the paces of a text as {name: number}. */
export function pacesOf(text) {
    const pairs = text.split(',').filter(Boolean).map((each) => each.match(/^(\w+):(\d{1,6})$/)?.slice(1) ?? [each]);
    const wrong = pairs.find(([name, number]) => !NAMES.includes(name) || number === undefined);
    if (wrong) throw new Error(`PAGE_PACE: '${wrong[0]}' is none of ${NAMES.map((name) => `${name}:NUMBER`).join(', ')}`);
    return Object.fromEntries(pairs.map(([name, number]) => [name, Number(number)]));
}

const PACE = pacesOf(process.env.PAGE_PACE ?? '');

/** Delays timers and pictures of the page. A timer without a delay is on time: with it the page only lets the browser work. */
function delayTimers(late) {
    const { setTimeout: setReal, setInterval: repeatReal, requestAnimationFrame: drawReal } = globalThis;
    globalThis.setTimeout = (run, ms = 0, ...args) => setReal(run, ms > 0 ? ms + late : ms, ...args);
    globalThis.setInterval = (run, ms = 0, ...args) => repeatReal(run, ms + late, ...args);
    globalThis.requestAnimationFrame = (run) => drawReal(() => setReal(() => drawReal(run), late));
}

/** Delays the decoder. */
function delayDecoder(late) {
    const compile = WebAssembly.compile.bind(WebAssembly);
    const { setTimeout: wait } = globalThis;
    WebAssembly.compile = (bytes) => new Promise((resolve) => { wait(resolve, late); }).then(() => compile(bytes));
}

/** Gives a new page these paces. */
export async function setPace(page, { slower, timers, wasm } = PACE) {
    if (slower && page.slow) await page.slow(slower);
    if (timers) await page.preload(`() => (${delayTimers})(${timers})`);
    if (wasm) await page.preload(`() => (${delayDecoder})(${wasm})`);
}

/** Waits before an input. */
export const rest = () => PACE.hand && new Promise((resolve) => { setTimeout(resolve, PACE.hand); });
