// SPDX-License-Identifier: MIT
/* Sets the colours of colours.js as variables of the style sheet: --state-NAME, --class-NAME and --thread-PLACE, for the
 * page's theme, light or dark. */
import { coloursOf, systemTheme, watchTheme, CLASS_COLOURS, STATE_COLOURS, THREAD_COLOURS } from './colours.js';

function setThemeVariables() {
    const theme = systemTheme();
    const style = document.documentElement.style;

    for (const [name, colour] of Object.entries(STATE_COLOURS[theme]))
        style.setProperty(`--state-${name}`, colour);
    for (const [name, colour] of Object.entries(CLASS_COLOURS[theme]))
        style.setProperty(`--class-${name}`, colour);
    for (const [place, colour] of THREAD_COLOURS[theme].entries())
        style.setProperty(`--thread-${place}`, colour);
    for (const name of /** @type {const} */ (['idle', 'init', 'interrupted']))
        style.setProperty(`--state-${name}`, coloursOf(theme)[name]);
}

/** Sets the colours now, and again when the theme changes. */
export function startTheme() {
    watchTheme(setThemeVariables);
    setThemeVariables();
}
