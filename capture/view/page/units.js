// SPDX-License-Identifier: MIT
/*
 * Formats ticks as text. Times are in ticks everywhere else. hz is the number of ticks per second; 0: not known, the text has
 * ticks.
 */

/** Units of time, smallest first: length in seconds, name. */
export const TIME_UNITS = [
    { seconds: 1e-9, name: 'ns' },
    { seconds: 1e-6, name: 'µs' },
    { seconds: 1e-3, name: 'ms' },
    { seconds: 1, name: 's' },
];

/** Returns the largest unit that is not longer than `seconds`.
 *  @param {number} seconds */
export function unitOf(seconds) {
    const size = Math.abs(seconds);

    return TIME_UNITS.findLast((unit) => size >= unit.seconds) ?? TIME_UNITS[0];
}

/** Formats 1234567.5 as "1 234 567.50", with narrow no-break spaces.
 *  @param {number} value @param {number} [digits] */
export function formatNumber(value, digits = 0) {
    const [whole, part] = value.toFixed(digits).split('.');
    const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');

    return part === undefined ? grouped : `${grouped}.${part}`;
}

/** Formats a duration with four significant digits: "418 µs", "1.234 s", "17 ticks".
 *  @param {number} ticks @param {number} hz */
export function formatSpan(ticks, hz) {
    if (!hz)
        return `${formatNumber(ticks)} ${ticks === 1 ? 'tick' : 'ticks'}`;
    const seconds = ticks / hz;
    const unit = unitOf(seconds);
    const value = seconds / unit.seconds;
    const digits = seconds === 0 || unit.name === 'ns' ? 0 : value < 10 ? 3 : value < 100 ? 2 : value < 1000 ? 1 : 3;

    return `${formatNumber(value, digits)} ${unit.name}`;
}

/** Formats a moment, to the tick: "3.522 541 s".
 *  @param {number} ticks since the start of the trace
 *  @param {number} hz */
export function formatMoment(ticks, hz) {
    if (!hz)
        return `${formatNumber(ticks)}`;
    const digits = Math.min(9, Math.max(3, Math.ceil(Math.log10(hz))));
    const [whole, part] = (ticks / hz).toFixed(digits).split('.');

    return `${formatNumber(Number(whole))}.${part.replace(/(\d{3})(?=\d)/g, '$1\u202f')} s`;
}

/** Formats a share of 1: "17 %", "0.4 %", "<0.1 %".
 *  @param {number} share */
export function formatShare(share) {
    const percent = share * 100;

    if (percent > 0 && percent < 0.1)
        return '<0.1 %';
    return `${percent.toFixed(percent < 10 && percent > 0 ? 1 : 0)} %`;
}

/** Formats a short part of the time, with the digits that tell its ends apart: "4.82 – 4.83 s".
 *  @param {number} from ticks @param {number} to ticks @param {number} hz */
export function formatBetween(from, to, hz) {
    if (!hz)
        return `${formatNumber(from)} – ${formatNumber(to)} ticks`;
    const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(Math.max(to - from, 1) / hz))) + 1);

    return `${formatNumber(from / hz, digits)} – ${formatNumber(to / hz, digits)} s`;
}

/** Formats a share of 1 with two digits if it is small: "0.012 %".
 *  @param {number} share */
export function formatSmallShare(share) {
    const percent = share * 100;

    return percent > 0 && percent < 0.1 ? `${percent < 0.0001 ? '<0.0001' : Number(percent.toPrecision(2))} %` : formatShare(share);
}
