// SPDX-License-Identifier: MIT
// The process of a browser: its program, its profile, and its end. A browser ends with this process, however this process ends.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PATIENCE_MS } from './browser_page.mjs';

// Removes the profile even if the test or its process group is killed. The browser has several processes. If one of
// them still writes to the profile, rm fails and is repeated.
const SHELL = `trap : HUP INT TERM; profile=$1; shift; "$@"
    for turn in $(seq ${PATIENCE_MS / 100}); do rm -rf "$profile" && break; sleep 0.1; done`;

/** Returns the first of these programs that is installed, or "". */
export function installed(programs) {
    return programs.find((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0) ?? '';
}

/** Returns the path of a new profile. */
export function newProfile() {
    return mkdtempSync(join(tmpdir(), 'txtap-browser-'));
}

/** Starts a browser. The profile is removed after it has ended. Returns the process, and a promise of its end. */
export function startProcess(profile, program, options) {
    const child = spawn('sh', ['-c', SHELL, 'sh', profile, ...program], options);
    return { child, ended: new Promise((resolve) => { child.once('exit', resolve); }) };
}
