// SPDX-License-Identifier: MIT
/* The extension where it may start programs: on the desktop, and on the host of a remote window. Adds the live view, which starts
 * txtap where the workspace is. */
import * as vscode from 'vscode';
import { activate as activateEditor } from './extension';
import { type Configuration, viewArguments } from './launch';
import { LivePanel } from './live_panel';
import { Run } from './run';

/** Returns the configuration of cortex-debug that the user chooses in launch.json; null: none. */
async function chooseConfiguration(folder: vscode.WorkspaceFolder | undefined): Promise<Configuration | null> {
    const all = vscode.workspace.getConfiguration('launch', folder).get<Configuration[]>('configurations', []);
    const known = all.filter(({ type }) => type === 'cortex-debug');

    if (!folder || !known.length) {
        await vscode.window.showErrorMessage('launch.json has no configuration of cortex-debug');
        return null;
    }
    if (known.length === 1)
        return known[0];
    const items = known.map((configuration) => ({ label: configuration.name ?? '', configuration }));
    const chosen = await vscode.window.showQuickPick(items, { placeHolder: 'The firmware to follow' });

    return chosen?.configuration ?? null;
}

export function activate(context: vscode.ExtensionContext): void {
    const log = vscode.window.createOutputChannel('txtap');
    const panels = new Set<LivePanel>();

    /** Follows a target in a panel of its own. */
    async function live(): Promise<void> {
        const [folder] = vscode.workspace.workspaceFolders ?? [];

        if (!vscode.workspace.isTrusted) {
            await vscode.window.showErrorMessage('txtap starts no program in a workspace that you do not trust');
            return;
        }
        const chosen = await chooseConfiguration(folder);
        const settings = vscode.workspace.getConfiguration('txtap', folder);
        const args = chosen && viewArguments(chosen, folder.uri.fsPath, settings.get('options'));

        if (typeof args === 'string')
            await vscode.window.showErrorMessage(args);
        if (!chosen || !Array.isArray(args))
            return;
        const panel = new LivePanel(chosen.name ?? '', () => {
            const program = vscode.workspace.getConfiguration('txtap').get('program', 'txtap');

            log.appendLine(`$ ${[program, ...args].join(' ')}`);
            return new Run(program, args, folder.uri.fsPath, (line) => log.appendLine(line));
        });

        panels.add(panel);
        panel.onClosed(() => panels.delete(panel));
        await panel.show(context.extensionUri);
    }

    activateEditor(context);
    context.subscriptions.push(log, vscode.commands.registerCommand('txtap.live', live),
        { dispose: () => Promise.all([...panels].map((panel) => panel.close())) });
}
