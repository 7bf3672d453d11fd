// SPDX-License-Identifier: MIT
/* The state of the stream from txtap, as text. Pure. */
import { earlierText, lossText, shortGapText } from './loss.js';
import { formatNumber, formatSpan } from './units.js';

/** Minimum speed, relative to the clock, at which the trace advances while history is read. */
const CATCHING_UP_SPEED = 1.5;

/** Minimum lead over the clock, in seconds, while history is read: a burst does not count. */
const CATCHING_UP_SECONDS = 0.5;

/**
 * @typedef {{phase: 'connecting'|'open'|'gone'|'ended'|'loading'|'still', paused: boolean, waitingBytes: number,
 *     catchingUp: boolean, since: string, startedAgain: string, problem: string, part: number, server: ServerCounts}} Link since:
 *     time of day at which the server went away; startedAgain: time of day at which txtap was started again, or ''; part: loaded
 *     part, 0 to 1
 * @typedef {{lost: number, lostExact: boolean, advice: string}} ServerCounts
 *     txtap's own counts; advice: txtap's advice against losses, or ''
 * @typedef {Pick<import('./decoder.js').TraceState, 'gaps'|'lost'|'lostExact'|'earlier'|'earlierExact'|'dropped'|'hz'|'from'|'to'>} Missing
 * @param {Link} link
 * @returns {{text: string, kind: 'good'|'busy'|'bad'|'still'}}
 */
export function linkText(link) {
    if (link.problem)
        return { text: link.problem, kind: 'bad' };
    if (link.phase === 'loading')
        return { text: `reading ${Math.floor(link.part * 100)} %`, kind: 'busy' };
    if (link.phase === 'gone')
        return { text: `disconnected since ${link.since}`, kind: 'bad' };
    if (link.paused)
        return { text: link.waitingBytes ? `paused, ${bytesText(link.waitingBytes)} waiting` : 'paused', kind: 'still' };
    if (link.phase === 'connecting')
        return { text: 'connecting', kind: 'busy' };
    if (link.phase === 'open')
        return openText(link);
    return { text: link.phase === 'ended' ? 'ended' : '', kind: 'still' };
}

/** @param {Link} link @returns {{text: string, kind: 'good'|'busy'}} */
function openText({ catchingUp, waitingBytes, startedAgain }) {
    const busy = catchingUp || waitingBytes > 0;
    const again = startedAgain ? `, a new trace: txtap was started again at ${startedAgain}` : '';

    return { text: (busy ? 'catching up' : 'live') + again, kind: busy ? 'busy' : 'good' };
}

/** Returns "17 kB" or "2.4 MB".
 *  @param {number} bytes */
export function bytesText(bytes) {
    const [size, name] = bytes < 1e6 ? [1e3, 'kB'] : bytes < 1e9 ? [1e6, 'MB'] : [1e9, 'GB'];
    const value = bytes / size;

    return `${formatNumber(value, value < 10 ? 1 : 0)} ${name}`;
}

/** Returns the missing data: lost events, events before the start, dropped events. Empty if nothing is missing.
 *  @param {Missing} state */
export function missingParts(state) {
    const parts = [];

    if (state.gaps)
        parts.push(lossText(state.lost, state.lostExact));
    if (state.earlier || !state.earlierExact)
        parts.push(earlierText(state.earlier, state.earlierExact));
    if (state.dropped) {
        const span = state.hz ? `, showing the last ${formatSpan(state.to - state.from, state.hz)}` : '';

        parts.push(`${formatNumber(state.dropped)} oldest events dropped${span}`);
    }
    return parts;
}

/** Returns the missing data in a few words: the most serious part; '' if nothing is missing.
 *  @param {Missing} state */
export function missingShort(state) {
    if (state.gaps)
        return shortGapText({ lost: state.lost, exact: state.lostExact });
    if (state.earlier || !state.earlierExact)
        return state.earlier ? `${formatNumber(state.earlier)} earlier missing` : 'earlier events missing';
    return state.dropped ? `${formatNumber(state.dropped)} dropped` : '';
}

/** Returns the missing data of a trace without events, by the counts of txtap.
 *  @param {ServerCounts} counts @returns {Missing} */
export function missingOfServer({ lost, lostExact }) {
    return { gaps: lost > 0 ? 1 : 0, lost, lostExact, earlier: 0, earlierExact: true, dropped: 0, hz: 0, from: 0, to: 0 };
}

/**
 * Reports whether the trace advances faster than the clock because history arrives.
 * @param {{seconds: number, ticks: number}} before a second or so ago
 * @param {{seconds: number, ticks: number}} now
 * @param {number} hz 0: not known
 */
export function isCatchingUp(before, now, hz) {
    if (!hz)
        return false;
    const passed = now.seconds - before.seconds;
    const advanced = (now.ticks - before.ticks) / hz;

    return advanced > passed * CATCHING_UP_SPEED + CATCHING_UP_SECONDS;
}
