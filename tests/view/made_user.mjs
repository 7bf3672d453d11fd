// SPDX-License-Identifier: MIT
// Makes a recording with user values whose picture is known: a control loop that measures a temperature, has a state, and does
// jobs that nest. Events are lost in one place.
import { TYPE, trx } from './made_trx.mjs';
import { readTrace, Recording } from './recording.mjs';

export const [LEVEL, SPEED, GAIN, MODE, JOB, JOB_DONE, FLAGS, ODD] = [4096, 4097, 4098, 4099, 4100, 4101, 4102, 4103];

/** A name that would do harm if a page took it for HTML. */
export const ODD_NAME = '<img src=x onerror=alert(1)>&amp;';

export const DEFINITIONS = `enum mode 0=idle 1=heating 2=holding 3="out of order"
flags alarm 1=hot 2=slow 4=door
event ${LEVEL} "temperature" "oven {0=oven} at {1=degrees:d/10 C}"
event ${SPEED} "speed" "{0=speed:u rpm}"
event ${GAIN} "gain" "{2=gain:f}"
event ${MODE} "mode" "{0=mode:enum mode}"
event ${JOB} "job begins" "job {0=number} of {1=ovens}"
event ${JOB_DONE} "job ends"
event ${FLAGS} "alarms" "{0=alarms:flags alarm}"
event ${ODD} "odd"
counter ${LEVEL} 1 "temperature"
counter ${SPEED} 0 "fan speed"
counter ${GAIN} 2 "gain"
counter ${MODE} 0 "oven mode"
counter ${FLAGS} 0 "alarms"
counter ${ODD} 0 "${ODD_NAME}"
slice ${JOB} ${JOB_DONE} "bake"
`;

export const ENDS = 100000; // ticks
export const LOST = { from: 60000, to: 66000, events: 40 };

const bits = (number) => new Uint32Array(new Float32Array([number]).buffer)[0];

/** Returns the temperature at a time, in tenths of a degree: it rises to a peak, and then falls below zero. */
export const temperatureAt = (ticks) => Math.round(800 * Math.sin((ticks / ENDS) * 5) + 120);

/** Values at the given times: [ticks, value]. */
export const MODES = [[2000, 0], [10000, 1], [35000, 2], [52000, 3], [70000, 1], [90000, 0], [95000, 7]];
/** A state that is shorter than a column of the picture: mode 2 in mode 1. */
export const SHORT = { mode: 2, from: 20040, to: 20050 };
export const SPEEDS = [[1000, 0], [20000, 1200], [40000, 4294967295], [40100, 900], [75000, 600]];
export const GAINS = [[5000, 1.5], [15000, -0.25], [25000, NaN], [30000, 3e38], [45000, -3e38], [80000, 0]];
export const ALARMS = [[3000, 0], [33000, 1], [50000, 5], [72000, 0]];

/** Begins (1) and ends (-1) of jobs. The first end has no begin, and the second end neither; the last job does not end. */
export const JOBS = [
    [4000, -1], [6000, -1], [8000, 1], [20000, 1], [26000, -1], [28000, 1], [31000, 1], [32000, -1], [36000, -1], [44000, -1],
    [56000, 1], [78000, -1], [84000, 1],
];

/** Returns all events, [ticks, id, words...], in the order of time. */
function events() {
    const all = [];

    for (let at = 0; at < ENDS; at += 250) all.push([at, LEVEL, 7, temperatureAt(at)]);
    for (const [at, mode] of MODES) all.push([at, MODE, mode]);
    all.push([SHORT.from, MODE, SHORT.mode], [SHORT.to, MODE, 1]);
    for (const [at, speed] of SPEEDS) all.push([at, SPEED, speed]);
    for (const [at, gain] of GAINS) all.push([at, GAIN, 0, 0, bits(gain)]);
    for (const [at, flags] of ALARMS) all.push([at, FLAGS, flags]);
    for (const [number, [at, step]] of JOBS.entries()) all.push(step > 0 ? [at, JOB, number, 2] : [at, JOB_DONE]);
    all.push([500, ODD, 1], [ENDS, ODD, 2]);
    return all.sort((a, b) => a[0] - b[0]).filter(([at]) => at <= LOST.from || at > LOST.to);
}

/** Returns the recording. stored: the recording has the definitions. */
export function userRecording(stored = false) {
    const thread = 0x20001000;
    const all = events();
    const bytes = trx([{ type: TYPE.thread, address: thread, name: 'control', priority: 4 }],
        all.map(([at, id, ...words]) => [at, thread, 0x80040004, id, ...words]));
    const { header, objects, entries } = readTrace(bytes);
    const ticks = all.map(([at]) => at);
    const before = ticks.filter((at) => at <= LOST.from).length;
    const recording = new Recording().buffer(header).objects(objects);

    if (stored) recording.meaning(DEFINITIONS, true);
    recording.events(0, ticks[0], entries.slice(0, before));
    recording.gap(before, LOST.events);
    recording.events(before + LOST.events, ticks[before], entries.slice(before));
    return recording.end().bytes();
}

/** Returns a recording with one value of each of `count` counters, and their definitions. */
export function manyCounters(count) {
    const thread = 0x20001000;
    const ids = Array.from({ length: count }, (_, i) => 5000 + i);
    const bytes = trx([{ type: TYPE.thread, address: thread, name: 'control', priority: 4 }],
        ids.map((id, i) => [i * 10, thread, 0x80040004, id, i]));
    const { header, objects, entries } = readTrace(bytes);

    return {
        recording: new Recording().buffer(header).objects(objects).events(0, 0, entries).end().bytes(),
        definitions: ids.map((id) => `event ${id} "e${id}"\ncounter ${id} 0 "c${id}"\n`).join(''),
    };
}
