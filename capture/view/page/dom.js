// SPDX-License-Identifier: MIT
/*
 * Creates elements without parsing HTML. Texts from a target stay text, and invisible characters in them are shown.
 */
import { plainText } from './plain_text.js';

/**
 * Makes an element: element('button', { class: 'link', title: 'Copy', onclick: copy }, 'Copy link')
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Object<string, unknown>} [attributes] functions become listeners, `true` an attribute without a value; false, null
 * and undefined are left out
 * @param {...(Node|string|number|null|undefined|false)} children texts pass through plainText(); null is left out
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);

    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === 'function')
            made.addEventListener(name.replace(/^on/, ''), /** @type {EventListener} */ (value));
        else if (value !== false && value !== null && value !== undefined)
            made.setAttribute(name, value === true ? '' : plainText(value));
    }
    fill(made, ...children);
    return made;
}

/**
 * Replaces all children of an element.
 * @template {Element} T
 * @param {T} parent
 * @param {...(Node|string|number|null|undefined|false)} children as for element()
 * @returns {T}
 */
export function fill(parent, ...children) {
    parent.replaceChildren(...children.filter((child) => child !== null && child !== undefined && child !== false)
        .map((child) => (child instanceof Node ? child : document.createTextNode(plainText(child)))));
    return parent;
}

/** Sets an element's text if it differs: a screen reader does not announce a known text again.
 *  @param {Node} of @param {unknown} text */
export function setText(of, text) {
    const plain = plainText(text);

    if (of.textContent !== plain)
        of.textContent = plain;
}

/** Reports whether the element accepts typed text. If so, no key is a command.
 *  @param {EventTarget|null} target */
export function takesText(target) {
    return target instanceof HTMLElement &&
        (target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox]):not([type=button])'));
}

/** Copies text to the clipboard.
 *  @param {string} text @returns {Promise<boolean>} false: the browser refused */
export async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return copyBySelection(text);
    }
}

/** Copies text on pages that are not "secure": file:, and http: on another address.
 *  @param {string} text */
function copyBySelection(text) {
    const box = element('textarea', { class: 'unseen', 'aria-hidden': 'true' });
    const focused = document.activeElement;

    box.value = text;
    document.body.append(box);
    box.select();
    const copied = document.execCommand('copy');

    box.remove();
    if (focused instanceof HTMLElement)
        focused.focus();
    return copied;
}
