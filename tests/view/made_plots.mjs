// SPDX-License-Identifier: MIT
// Makes a large recording of sampled variables, block by block.
import { closeSync, openSync, writeSync } from 'node:fs';
import { TYPE, trx } from './made_trx.mjs';
import { readTrace, Recording } from './recording.mjs';

const SAMPLE_BYTES = 2 + 2 + 8 + 8 + 4 + 4 + 8 + 8 + 4 + 1;
const PER_BLOCK = 1000; // samples of each block; an event follows each block

/** Writes a sample at place `at` of the bytes; its other bytes are 0. */
function putSample(bytes, at, channel, seq, ticks, value) {
    bytes.writeUInt16LE(channel, at);
    bytes.writeUInt32LE(seq, at + 4);
    bytes.writeUInt32LE(ticks, at + 12);
    bytes.writeDoubleLE(value, at + 36);
}

/** Writes a recording of `plots` variables with `count` samples each to a file. */
export function plotRecording(path, plots, count) {
    const thread = 0x20001000;
    const { header, objects, entries: [entry] } = readTrace(trx([{ type: TYPE.thread, address: thread, name: 'control' }],
        [[0, thread, 0x80040004, 4096]]));
    const file = openSync(path, 'w');
    const recording = new Recording((bytes) => writeSync(file, bytes)).buffer(header).objects(objects);
    const payload = Buffer.alloc(4 + PER_BLOCK * SAMPLE_BYTES);
    const perVariable = PER_BLOCK / plots;

    payload.writeUInt32LE(PER_BLOCK, 0);
    for (let plot = 0; plot < plots; plot++)
        recording.channel(plot, `variable ${plot}`, { form: 2, unit: 'V' });
    for (let seq = 0, ticks = 0; ticks < count; seq++, ticks += perVariable) {
        const event = Buffer.from(entry);

        for (let i = 0; i < PER_BLOCK; i++) {
            const [plot, at] = [i % plots, ticks + Math.floor(i / plots)];

            putSample(payload, 4 + i * SAMPLE_BYTES, plot, seq, at, Math.sin(at / (1000 * (plot + 1))) + (at * 7919 % 100) / 1000);
        }
        event.writeUInt32LE(ticks + perVariable, 12);
        recording.block(17, payload).events(seq, ticks + perVariable, [event]);
    }
    recording.end();
    closeSync(file);
}
