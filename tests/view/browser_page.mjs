// SPDX-License-Identifier: MIT
// The parts of a driven page that do not depend on the browser's protocol: waits, places and composed input. browser_cdp.mjs and
// browser_bidi.mjs add the rest: evaluate(), click() and so on. Knows nothing of txtap.

export const PATIENCE_MS = 240000; // the time limit of all waits: the last resort, for a page that hangs

export class Page {
    /** Problems of the page, one line each. */
    problems = [];
    /** The address of each request of the page; the first is its own document. */
    requests = [];

    /** Opens an address, and waits until its document is loaded. */
    go(url) {
        return this.becomesLoaded(() => this.navigate(url));
    }

    reload() {
        return this.becomesLoaded(() => this.navigate());
    }

    /** Calls `act`, and waits until the browser calls loaded(). */
    async becomesLoaded(act) {
        const loaded = new Promise((resolve) => { this.loaded = resolve; });
        await act();
        await loaded;
    }

    /** Waits until the condition is true in the page, and returns its value. */
    async until(what, ...args) {
        const end = performance.now() + PATIENCE_MS;
        for (;;) {
            const value = await this.evaluate(what, ...args);
            if (value) return value;
            if (performance.now() > end) throw new Error(`never true: ${what} for ${JSON.stringify(args)}\n${await this.log()}`);
            await new Promise((resolve) => setTimeout(resolve, 20));
        }
    }

    /** Returns the state of the page for a failed wait: its address, the element with the focus, its text, its problems. */
    async log() {
        const read = () => [location.hash, document.activeElement?.id, document.body.innerText.slice(0, 2000)];
        const state = await this.evaluate(read).catch(({ message }) => [message]);
        return [...state, ...this.problems].join('\n');
    }

    /** Waits for two frames. Then everything that was requested before is drawn. */
    frame() {
        const next = () => this.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => resolve(true)); }));
        return next().then(next);
    }

    /**
     * Returns the middle of an element and its rectangle, in the page's pixels; null if the element is missing or
     * hidden.
     */
    where(selector) {
        return this.evaluate((chosen) => {
            const box = document.querySelector(chosen)?.getBoundingClientRect();
            if (!box || box.width === 0 || box.height === 0) return null;
            const { x: left, y: top, width, height } = box;
            return { x: left + width / 2, y: top + height / 2, left, top, width, height };
        }, selector);
    }

    /** Clicks the middle of an element, when the element has stayed at its place for a frame and nothing covers it. */
    async press(selector, clickCount = 1) {
        const { x, y } = await this.until(async (chosen) => {
            const find = () => {
                const element = document.querySelector(chosen);
                element?.scrollIntoView({ block: 'nearest' });
                const box = element?.getBoundingClientRect();
                const at = box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
                return at && box.width > 0 && element.contains(document.elementFromPoint(at.x, at.y)) && { element, ...at };
            };
            const before = find();
            await new Promise((resolve) => { requestAnimationFrame(resolve); });
            const now = find();
            return before && now && now.element === before.element && now.x === before.x && now.y === before.y && { x: now.x, y: now.y };
        }, selector);
        await this.click(x, y, [], clickCount);
    }

    async type(text) {
        for (const character of text) await this.key(character === '\n' ? 'Enter' : character);
    }
}
