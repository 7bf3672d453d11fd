// SPDX-License-Identifier: MIT
/* An extension for the test: the files in its folder "files" are a workspace that cannot be written. */
const vscode = require('vscode');

exports.activate = async ({ extensionUri, subscriptions }) => {
    const read = async (name) => {
        const response = await fetch(vscode.Uri.joinPath(extensionUri, 'files', name).toString(true));

        if (!response.ok)
            throw vscode.FileSystemError.FileNotFound(name);
        return new Uint8Array(await response.arrayBuffer());
    };
    const names = JSON.parse(new TextDecoder().decode(await read('list.json')));
    const refuse = () => {
        throw vscode.FileSystemError.NoPermissions();
    };

    subscriptions.push(vscode.workspace.registerFileSystemProvider('workspace', {
        onDidChangeFile: new vscode.EventEmitter().event,
        watch: () => ({ dispose() {} }),
        readDirectory: () => Object.keys(names).map((name) => [name, vscode.FileType.File]),
        readFile: ({ path }) => read(path.slice(1)),
        stat({ path }) {
            const name = path.slice(1);

            if (name && !(name in names))
                throw vscode.FileSystemError.FileNotFound(name);
            return { type: name ? vscode.FileType.File : vscode.FileType.Directory, ctime: 0, mtime: 0, size: names[name] ?? 0 };
        },
        writeFile: refuse, delete: refuse, rename: refuse, createDirectory: refuse,
    }, { isReadonly: true }));
};
