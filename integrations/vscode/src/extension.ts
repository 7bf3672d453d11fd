// SPDX-License-Identifier: MIT
/* Shows a trace in the page of txtap view, as an editor that cannot write, and makes problems from checks that fail in the trace. Runs
 * in VS Code on the desktop and in the browser, so it uses no interface of node and no other file. It sends nothing. */
import * as vscode from 'vscode';

/** The largest file that is opened: its bytes are in memory twice for a moment. */
const FILE_BYTES_MAX = 256 * 1024 * 1024;

/** An answer to the page, which waits for one of them: capture/view/page/host/host.js. */
type Answer = { name: string; bytes: Uint8Array } | { problem: string };

function nameOf(uri: vscode.Uri): string {
    return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}

async function readTrace(uri: vscode.Uri): Promise<Answer> {
    const name = nameOf(uri);

    try {
        const { size } = await vscode.workspace.fs.stat(uri);

        if (size > FILE_BYTES_MAX)
            return { problem: `${name}: the file is larger than 256 MiB: open it with 'txtap view'` };
        return { name, bytes: await vscode.workspace.fs.readFile(uri) };
    } catch (error) {
        return { problem: `${name}: ${error instanceof Error ? error.message : String(error)}` };
    }
}

/* ---- checks ---- */

/** The page's answer to checks: capture/view/page/checks/judge.js. Lines count from 1; line 0: not a single line. */
type Judged = { exit: number; checks: { check: string; verdict: string; text: string; line: number }[] } | { problem: string; line: number };

/** Returns [line from 0, severity, message] of each problem of a trace. */
export function problemsOf(judged: Judged, trace: string): [number, 'error' | 'warning', string][] {
    if ('problem' in judged)
        return [[Math.max(judged.line - 1, 0), judged.line ? 'error' : 'warning', `${judged.problem} (${trace})`]];
    return judged.checks.filter(({ verdict }) => verdict !== 'ok').map(({ verdict, text, check, line }) =>
        [line - 1, verdict === 'failed' ? 'error' : 'warning', `${verdict === 'failed' ? 'FAIL' : 'unknown'}: ${check}: ${text} (${trace})`]);
}

/** Judges the checks of a file in each open trace, and shows the checks that are not ok as problems of this file. */
class Checks {
    private readonly problems = vscode.languages.createDiagnosticCollection('txtap');
    /** Problems by the address of the trace, for each file of checks. */
    private readonly found = new Map<string, { file: vscode.Uri; list: vscode.Diagnostic[] }>();

    /** Returns the file of checks for a trace: the setting txtap.checks, in the folder of the workspace. */
    private fileFor(trace: vscode.Uri): vscode.Uri | null {
        const name = vscode.workspace.getConfiguration('txtap', trace).get<string>('checks', '');
        const folder = vscode.workspace.getWorkspaceFolder(trace);

        return name && folder ? vscode.Uri.joinPath(folder.uri, name) : null;
    }

    /** Sends the checks for a trace to its page, now and after each change of the file. */
    async follow(trace: vscode.Uri, panel: vscode.WebviewPanel): Promise<void> {
        const file = this.fileFor(trace);

        if (!file)
            return;
        const send = (checks: string) => panel.webview.postMessage({ checks });
        const saved = vscode.workspace.onDidSaveTextDocument((document) => document.uri.toString() === file.toString() && send(document.getText()));

        panel.onDidDispose(() => {
            saved.dispose();
            this.show(trace, file, []);
        });
        try {
            await send(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
        } catch {
            // there is no such file, so nothing is judged
        }
    }

    /** Shows what the page has found. text: the checks that it judged. */
    take(trace: vscode.Uri, judged: Judged, text: string): void {
        const file = this.fileFor(trace);
        const lines = text.split('\n');
        const severities = { error: vscode.DiagnosticSeverity.Error, warning: vscode.DiagnosticSeverity.Warning };

        if (!file)
            return;
        this.show(trace, file, problemsOf(judged, nameOf(trace)).map(([line, severity, message]) => {
            const problem = new vscode.Diagnostic(new vscode.Range(line, 0, line, lines[line]?.length ?? 0), message, severities[severity]);

            problem.source = 'txtap';
            return problem;
        }));
    }

    private show(trace: vscode.Uri, file: vscode.Uri, list: vscode.Diagnostic[]): void {
        this.found.set(trace.toString(), { file, list });
        const all = [...this.found.values()].filter((found) => found.file.toString() === file.toString());

        this.problems.set(file, all.flatMap((found) => found.list));
    }
}

/* ---- the editor ---- */

/** The page needs its state while another editor covers it. */
export const WEBVIEW_OPTIONS = { retainContextWhenHidden: true, enableFindWidget: false };

/** Shows the page of txtap view, with these members of its setup in place of the mode. */
export async function showPage(webview: vscode.Webview, extension: vscode.Uri, setup: string): Promise<void> {
    const page = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension, 'out', 'viewer.html'));

    webview.options = { enableScripts: true, localResourceRoots: [] };
    webview.html = new TextDecoder().decode(page).replace('"mode":"empty"', setup);
}

class TraceEditor implements vscode.CustomReadonlyEditorProvider {
    constructor(private readonly extension: vscode.Uri, private readonly checks: Checks) {}

    openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
        return { uri, dispose() {} };
    }

    async resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
        const { webview } = panel;

        webview.onDidReceiveMessage(async (message) => {
            if (message === 'ready') {
                await webview.postMessage(await readTrace(uri));
                await this.checks.follow(uri, panel);
            } else if (message?.judged) {
                this.checks.take(uri, message.judged, String(message.text));
            }
        });
        await showPage(webview, this.extension, '"mode":"hosted"');
    }
}

export function activate({ extensionUri, subscriptions }: vscode.ExtensionContext): void {
    const editor = new TraceEditor(extensionUri, new Checks());
    const options = { supportsMultipleEditorsPerDocument: true, webviewOptions: WEBVIEW_OPTIONS };

    subscriptions.push(vscode.window.registerCustomEditorProvider('txtap.trace', editor, options));
}
