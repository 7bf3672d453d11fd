// SPDX-License-Identifier: MIT
// Fetches packages of npm's registry for tests, and builds the extension for VS Code.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { note } from '../../view/checks.mjs';
import { WORK } from '../../view/pages.mjs';

const RUN_MS = 900_000;

/** Runs a program in a folder. Returns 0, or the cause of the failure after it printed the last lines of the output. */
export function run(program, args, { cwd = WORK, ...options } = {}) {
    const { status, signal, error, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: RUN_MS, ...options });
    if (status === 0) return 0;
    const cause = status ?? error?.code ?? signal;
    note(`${program} ${args.join(' ')}: ${Number.isInteger(cause) ? `status ${cause}` : cause}`);
    for (const line of `${stdout ?? ''}${stderr ?? ''}`.trim().split('\n').slice(-12)) note(`  ${line}`);
    return cause;
}

/** Returns the reason why nothing can be fetched, or ''. */
export function registryIsMissing() {
    if (run('npm', ['--version'])) return 'npm is not installed';
    return run('npm', ['ping']) ? 'the registry of npm cannot be reached' : '';
}

/** Fetches a package without its dependencies, and unpacks it to FOLDER/package. sum: SHA-512 of its archive, in base64. */
export function fetchPackage(name, version, sum, folder) {
    const archive = join(folder, `${name}-${version}.tgz`);
    if (run('npm', ['pack', `${name}@${version}`, '--ignore-scripts', '--silent'], { cwd: folder })) return `npm cannot fetch ${name}`;
    if (createHash('sha512').update(readFileSync(archive)).digest('base64') !== sum) throw new Error(`${name}: another archive`);
    execFileSync('tar', ['xzf', archive], { cwd: folder });
    return '';
}

/** Builds the extension into FILE. Returns '', or the reason why npm cannot fetch the packages for it. */
export function buildExtension(txtap, root, file) {
    const status = run(join(root, 'integrations/vscode/build'), [txtap, file]);
    if (status && status !== 3) throw new Error(`integrations/vscode/build: ${status}`);
    return status ? 'npm cannot fetch the packages of the build' : '';
}
