// SPDX-License-Identifier: MIT
/* Shared by the tests of the decoder: the decoder itself, sample traces, and txtap for comparison. Arguments of the script:
 * the build directory, and decoder.wasm ("" if it was not built). */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { Decoder } from '../../capture/view/page/decoder.js';

const [, , build, wasmFile] = process.argv;

if (!wasmFile || !existsSync(wasmFile)) {
    console.log('# SKIP decoder.wasm was not built: it needs clang, lld, wasi-libc and libclang-rt-dev-wasm32');
    process.exit(77);
}

const module = await WebAssembly.compile(readFileSync(wasmFile));
const work = mkdtempSync(join(tmpdir(), 'txtap-view-'));

process.on('exit', () => rmSync(work, { recursive: true, force: true }));

/** Returns a decoder with an empty memory. */
export const newDecoder = () => Decoder.load(module);

const data = new URL('../data/', import.meta.url).pathname;

/** [{name, path, bytes}] of all sample traces. */
export const samples = [data, join(data, 'analysis'), join(build, 'tests/data')].flatMap((folder) =>
    readdirSync(folder).filter((file) => file.endsWith('.trx'))
        .map((file) => ({ name: basename(file, '.trx'), path: join(folder, file), bytes: readFileSync(join(folder, file)) })));

/** Runs txtap and returns its standard output. */
export function txtap(...words) {
    return execFileSync(join(build, 'capture/txtap'), words, { encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Writes bytes to a file and returns the path. The file is removed when the script ends. */
export function fileOf(name, bytes) {
    const path = join(work, name);

    writeFileSync(path, bytes);
    return path;
}

/** Writes a directory with the files `files` and returns its path. The directory is removed when the script ends. */
export function directoryOf(name, files) {
    const path = join(work, name);

    mkdirSync(path);
    for (const [file, content] of Object.entries(files)) writeFileSync(join(path, file), content);
    return path;
}

/** Runs txtap, which must fail, and returns its standard error. */
export function txtapFails(...words) {
    const { status, stderr } = spawnSync(join(build, 'capture/txtap'), words, { encoding: 'utf8' });

    if (status === 0) throw new Error(`txtap ${words.join(' ')} does not fail`);
    return stderr;
}

/** Opens a whole file as a trace. */
export async function loaded(bytes, options = {}) {
    const trace = (await newDecoder()).open({ name: 'test', ...options });

    trace.load(bytes);
    trace.end();
    return trace;
}

/** Returns a generator of pseudo-random numbers from 0 to below - 1, with a fixed seed. */
export function randomOf(seed) {
    let state = seed >>> 0 || 1;

    return (below) => {
        state ^= state << 13;
        state ^= state >>> 17;
        state = (state ^ (state << 5)) >>> 0;
        return state % below;
    };
}
