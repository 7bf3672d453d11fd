// SPDX-License-Identifier: MIT
/* The length of a tick, given by the user if the trace does not know it. Without a rate, times are in ticks. */
import { RATE_LEAST, RATE_MOST } from './abi.js';
import { element, setText } from './dom.js';

const RATE_UNITS = new Map([['', 1], ['k', 1e3], ['m', 1e6], ['g', 1e9]]);

/** @param {unknown} hz of a server, or of the user @returns {number} hz; 0: not a valid rate */
export function possibleRate(hz) {
    return Number(hz) >= RATE_LEAST && Number(hz) <= RATE_MOST ? Number(hz) : 0;
}

/**
 * @param {string} text such as 168M, 32768, 1 MHz, 16.5k
 * @returns {number} ticks in a second; 0: not a valid rate
 */
export function parseRate(text) {
    const [, number, unit] = /^(\d{1,12}(?:\.\d{1,9})?)([kmg]?)(?:hz)?$/.exec(text.replace(/[\s_]/gu, '').toLowerCase()) ?? [];
    const rate = number === undefined ? 0 : Number(number) * RATE_UNITS.get(unit);

    return possibleRate(rate);
}

/** Formats a rate: "168 MHz", "32.768 kHz", "999.93 Hz", at most six digits.
 *  @param {number} hz */
export function formatRate(hz) {
    const [size, name] = hz < 1e3 ? [1, 'Hz'] : hz < 1e6 ? [1e3, 'kHz'] : [1e6, 'MHz'];

    return `${Number((hz / size).toPrecision(6))} ${name}`;
}

/**
 * Returns the precision of the times if txtap measured the rate; '' if the rate was given, or is not known.
 * @param {{hz: number, hz_measured?: boolean, hz_low?: number, hz_high?: number}} state of the server
 */
export function rateNote({ hz, hz_measured: measured, hz_low: low, hz_high: high }) {
    if (!measured || !possibleRate(hz) || !possibleRate(low) || !possibleRate(high))
        return '';
    const percent = Math.max(hz - low, high - hz) / hz * 100;

    return `Times use a measured rate: ${formatRate(hz)} ± ${Number(percent.toPrecision(1))} %.`;
}

/**
 * @param {import('./view_state.js').ViewState} view of a trace whose rate is not known
 * @returns {HTMLElement} a form that sets it
 */
export function rateForm(view) {
    const box = element('input', { type: 'text', id: 'tick_rate', placeholder: '168M', autocomplete: 'off', spellcheck: 'false',
        maxlength: '20', 'aria-label': 'Ticks per second', 'aria-describedby': 'tick_rate_said' });
    const said = element('p', { id: 'tick_rate_said', class: 'problem', role: 'status' });
    const form = element('form', { class: 'rate' }, element('div', { class: 'line' }, 'Ticks per second', box,
        element('button', { type: 'submit' }, 'Set')), said);

    form.addEventListener('submit', (event) => {
        const hz = parseRate(box.value);

        event.preventDefault();
        box.setAttribute('aria-invalid', String(hz === 0));
        if (hz === 0) {
            setText(said, 'a rate is a number such as 168M, 32768 or 1.5 MHz');
            return;
        }
        view.trace.setHz(hz);
        view.rateChanged();
    });
    return form;
}
