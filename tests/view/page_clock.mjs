// SPDX-License-Identifier: MIT
// The clock of a page under the control of a test: its time stands still until the test lets some pass. Then a result does not
// depend on how fast the page, the browser or the test is.

function stop() {
    const { setTimeout: setReal, clearTimeout: clearReal, performance } = globalThis;
    const timers = new Map();
    let now = performance.now();
    let last = 1e9; // beyond the numbers of timers that were set before

    Object.defineProperty(performance, 'now', { value: () => now, configurable: true });
    globalThis.setTimeout = (run, ms = 0, ...args) => {
        if (!(ms > 0)) return setReal(run, 0, ...args); // the page only lets the browser work: no time passes
        timers.set(++last, { due: now + ms, run: () => run(...args) });
        return last;
    };
    globalThis.clearTimeout = (id) => timers.delete(id) || clearReal(id);
    globalThis.stoppedClock = {
        pass(ms) {
            const end = now + ms;
            const next = () => [...timers].filter(([, { due }]) => due <= end).sort(([, a], [, b]) => a.due - b.due)[0];

            for (let timer = next(); timer; timer = next()) {
                timers.delete(timer[0]);
                now = timer[1].due;
                timer[1].run();
            }
            now = end;
        },
        start() {
            delete performance.now;
            Object.assign(globalThis, { setTimeout: setReal, clearTimeout: clearReal });
            for (const { run } of timers.values()) setReal(run, 0);
            delete globalThis.stoppedClock;
        },
    };
}

/** Stops performance.now(), setTimeout() and clearTimeout() of the page. Timers that were set before still run. */
export const stopClock = (page) => page.evaluate(stop);

/** Stops the clock of the next page before its scripts run, so no timer runs by itself. */
export const beginStopped = (page) => page.preload(stop);

/** Lets `ms` of the page's time pass, and runs the timers that are due in the order of their times. */
export const passTime = (page, ms) => page.evaluate((time) => globalThis.stoppedClock.pass(time), ms);

/** Lets the page's time run again. Timers that are not due yet run at once. */
export const startClock = (page) => page.evaluate(() => globalThis.stoppedClock.start());
