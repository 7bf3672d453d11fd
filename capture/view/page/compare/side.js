// SPDX-License-Identifier: MIT
/*
 * A side of a comparison: a frame with the whole page of one trace. The frame's page is a copy of this page, with another
 * setup; its script, style and decoder are the same, so the page's policy allows them.
 */
import { element } from '../dom.js';

/**
 * @typedef {import('../embedded.js').Setup} Setup
 * @typedef {{view: import('../view_state.js').ViewState, timeline: import('../timeline.js').Timeline,
 *     search: import('../search.js').EventSearch, ready: Promise<void>}} Page the object that main.js offers
 */

/** Returns the text of a page with this setup.
 *  @param {HTMLElement} root a copy of the page, made before the page changed itself @param {Setup} setup */
export function pageWith(root, setup) {
    root.querySelector('#setup').textContent = JSON.stringify(setup).replaceAll('<', '\\u003c');
    return `<!DOCTYPE html>\n${root.outerHTML}`;
}

/** Makes the frames of both sides, which begin to read their traces when they are in the document.
 *  @param {HTMLElement} root a copy of the page as txtap wrote it @param {Setup[]} setups
 *  @returns {HTMLIFrameElement[]} */
export function sideFrames(root, setups) {
    return setups.map((setup) => {
        const name = setup.side.toUpperCase();
        const frame = element('iframe', { class: 'side', id: `side_${setup.side}`, title: `Timeline of ${name}: ${setup.name ?? ''}` });

        frame.srcdoc = pageWith(root, setup);
        return frame;
    });
}

/** Returns the page in a frame when it has read its trace.
 *  @param {HTMLIFrameElement} frame @returns {Promise<Page>} */
export async function sidePage(frame) {
    await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    const page = /** @type {any} */ (frame.contentWindow).txtap;

    await page.ready;
    return page;
}
