// SPDX-License-Identifier: MIT
/* The arguments of txtap for a debug configuration. Pure. */

/** A configuration of launch.json, as far as it matters here. */
export interface Configuration {
    name?: string;
    type?: string;
    executable?: string;
    servertype?: string;
}

/** Options of txtap for the servers of cortex-debug: docs/user/cortex-debug.md. */
const SERVERS = new Map([
    ['openocd', ['--tcl', '50001']],
    ['jlink', ['--gdb', '50000']],
    ['stlink', ['--gdb', '50000', '--trust-gdb']],
]);

/**
 * Returns the arguments of txtap for a configuration of cortex-debug, or the reason why there are none.
 * options: by the name of a configuration, in place of the options for its server: the setting txtap.options
 */
export function viewArguments({ name = '', executable = '', servertype = '' }: Configuration, folder: string,
    options: { [name: string]: string[] } = {}): string[] | string {
    const elf = executable.replace(/\$\{workspace(Folder|Root)\}/g, folder);
    const own = Object.hasOwn(options, name) ? options[name] : SERVERS.get(servertype);

    if (!executable)
        return `${name}: the configuration has no "executable"`;
    if (elf.includes('${'))
        return `${name}: txtap does not know the variable in "executable": ${executable}`;
    return own ? ['view', ...own, elf] : `${name}: with the server '${servertype}', txtap cannot read beside the debugger`;
}
