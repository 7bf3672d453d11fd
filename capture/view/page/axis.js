// SPDX-License-Identifier: MIT
/* The marks of the time axis: their positions and labels. The whole view has one unit and round steps, and each label has
 * room. */
import { TIME_UNITS, formatNumber, unitOf } from './units.js';

/** Upper limit of the number of marks, for any screen width. */
const AXIS_MARKS_MOST = 100;

/** Returns the smallest number of the form 1, 2 or 5 times a power of ten that is at least `least`.
 *  @param {number} least */
export function roundStep(least) {
    const power = 10 ** Math.floor(Math.log10(least));

    return power * ([1, 2, 5, 10].find((factor) => power * factor >= least * (1 - 1e-9)) ?? 10);
}

/**
 * Returns the marks of a view. A label has enough digits to differ from its neighbours.
 * @param {{from: number, to: number, width: number, hz: number, byEvent: boolean, apart?: number}} shown width, and
 *     apart (minimum room of a label), are in px; hz 0: the axis is in ticks
 * @returns {{unit: string, step: number, small: number, marks: {at: number, text: string}[]}} at, step, and small
 *     (the distance of lines without a label) are in units of the axis
 */
export function axisMarks({ from, to, width, hz, byEvent, apart = 110 }) {
    const span = to - from;

    if (!(span > 0) || !(width > 0))
        return { unit: '', step: 1, small: 1, marks: [] };
    const counted = byEvent || !hz;
    const unit = counted ? { seconds: 1, name: byEvent ? 'events' : 'ticks' } : axisUnit(from, to, hz);
    const size = counted ? 1 : unit.seconds * hz;
    const least = (span / Math.max(1, width / apart)) / size;
    const step = counted ? Math.max(1, roundStep(least)) : roundStep(least);
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const marks = [];

    for (let n = Math.ceil(from / size / step - 1e-9); marks.length < AXIS_MARKS_MOST; n++) {
        const at = n * step * size;

        if (at > to)
            break;
        marks.push({ at, text: markText(n * step, digits, unit.name, byEvent) });
    }
    return { unit: unit.name, step: step * size, small: smallStep(step, counted) * size, marks };
}

/** Chooses the unit by the larger end of the view, so that all labels of a view have the same unit. Chooses a smaller
 *  unit if the step is tiny in that unit.
 *  @param {number} from @param {number} to @param {number} hz */
function axisUnit(from, to, hz) {
    const unit = unitOf(Math.max(Math.abs(from), Math.abs(to)) / hz);
    const place = TIME_UNITS.indexOf(unit);
    const span = (to - from) / hz;

    return place > 0 && span < unit.seconds * 1e-2 ? TIME_UNITS[place - 1] : unit;
}

/** @param {number} step @param {boolean} counted */
function smallStep(step, counted) {
    const small = step / (String(step.toExponential())[0] === '2' ? 4 : 5);

    return counted ? Math.max(1, Math.round(small)) : small;
}

/** @param {number} value @param {number} digits @param {string} unit @param {boolean} byEvent */
function markText(value, digits, unit, byEvent) {
    const number = formatNumber(Math.abs(value) < 1e-12 ? 0 : value, digits);

    if (byEvent)
        return `#${number}`;
    return unit === 'ticks' ? number : `${number} ${unit}`;
}
