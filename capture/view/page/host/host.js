// SPDX-License-Identifier: MIT
/* The page inside an editor, such as VS Code, which shows it in a frame: the editor hands over the file as a message, and its
 * theme is the theme of the page. */
import { chooseTheme } from '../colours.js';

/** @type {{postMessage: (message: any) => void}|null} */
let editor = null;

/** Returns the editor, which a page may ask for only once. */
export function theEditor() {
    editor ??= acquireVsCodeApi();
    return editor;
}

/**
 * Judges the checks that the editor sends, {checks: text}, now and after each change of their file. Answers {judged, text}.
 * @param {import('../checks/judge.js').Judge} judge
 */
export function followHostChecks(judge) {
    judge.tell = (judged, text) => theEditor().postMessage({ judged, text });
    addEventListener('message', ({ data }) => {
        if (typeof data?.checks === 'string')
            judge.take(data.checks, false);
    });
}

/**
 * Asks the editor for the file, and waits for it. The editor answers {name, bytes} or {problem}, a line.
 * @returns {Promise<File>}
 */
export function hostFile() {
    return new Promise((resolve, reject) => {
        addEventListener('message', ({ data }) => {
            if (data?.bytes instanceof Uint8Array)
                resolve(new File([data.bytes], String(data.name)));
            else if (data?.problem)
                reject(new Error(String(data.problem)));
        });
        theEditor().postMessage('ready');
    });
}

/** Follows the theme of the editor, which is an attribute of the body. */
export function followHostTheme() {
    const { body } = document;
    const follow = () => chooseTheme(body.dataset.vscodeThemeKind?.endsWith('light') ? 'light' : 'dark');

    new MutationObserver(follow).observe(body, { attributeFilter: ['data-vscode-theme-kind'] });
    follow();
}
