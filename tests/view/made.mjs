// SPDX-License-Identifier: MIT
// Checks the traces that other tests make: txtap must find the facts that these traces were made to contain.
//   usage: made.mjs TXTAP
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, end, same } from './checks.mjs';
import { longRecording, longTrx } from './long_trace.mjs';
import { CYCLE, CYCLE_TICKS, EVENTS_PER_CYCLE, madeTrx } from './made_trx.mjs';

const [txtap] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'txtap-made-'));
const report = (file) => JSON.parse(execFileSync(txtap, ['report', '-q', '-f', 'json', file]));
const file = (name, bytes) => {
    writeFileSync(join(work, name), bytes);
    return join(work, name);
};

/** Returns the ticks that a thread ran in `cycles` cycles. The last cycle ends at its last event. */
function ran(name, cycles) {
    const last = 5000;
    const within = (most) => CYCLE[name].filter(([state]) => state === 'running')
        .reduce((sum, [, from, to]) => sum + Math.max(0, Math.min(to, most) - from), 0);
    return within(CYCLE_TICKS) * (cycles - 1) + within(last);
}

const ofThread = ({ name, subject }) => name === 'cpu_ticks' && subject.kind === 'thread';
const shares = (of) => Object.fromEntries(of.figures.filter(ofThread)
    .map(({ subject, stats }) => [subject.name, stats.value.value]));
const want = (cycles) => Object.fromEntries(Object.keys(CYCLE).map((name) => [name, ran(name, cycles)]));
const sorted = (object) => Object.entries(object).sort();

try {
    const short = madeTrx(20);
    const whole = report(file('whole.trx', short));
    await same('a made trace has its events', [whole.events, whole.gaps], [20 * EVENTS_PER_CYCLE, 0]);
    await same('and its threads run for the expected times', sorted(shares(whole)), sorted(want(20)));
    const gap = report(file('gap.trx', madeTrx(20, { lost: 10 })));
    await same('one cycle can be missing', [gap.events, gap.gaps, gap.lost],
        [19 * EVENTS_PER_CYCLE, 1, EVENTS_PER_CYCLE]);
    const long = report(file('long.trx', longTrx(short, 5000)));
    await same('a long trace has the wanted number of events', [long.events, long.gaps], [5000, 0]);
    longRecording(short, 5000, join(work, 'long.rec'));
    const recording = report(join(work, 'long.rec'));
    await same('and has the same figures as a recording', recording.figures, long.figures);
    await check('with its names', Object.keys(shares(recording)).includes('alpha'));
} finally {
    rmSync(work, { recursive: true });
}
end();
