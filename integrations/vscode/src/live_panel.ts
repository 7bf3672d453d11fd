// SPDX-License-Identifier: MIT
/* The page of txtap view that follows a target, as an editor. The page gets the answers of txtap's server as messages, which
 * capture/view/page/host/host_live.js describes. So the page needs no connection, and the server's address does not leave run.ts. */
import * as vscode from 'vscode';
import { WEBVIEW_OPTIONS, showPage } from './extension';
import { type Answer, type Run } from './run';

/** The parts of the server that a live page requests. */
const PATHS = ['stream', 'state'];

/** A message of the page. */
type Message = 'ready' | { request: number; path: string } | { more: number } | { cancel: number } | { start: true };

export class LivePanel {
    private readonly panel: vscode.WebviewPanel;
    private readonly answers = new Map<number, Answer>();
    /** The run of txtap that goes on; null: it has ended. */
    private run: Run | null = null;
    /** The last line of the run that has ended. */
    private lastLine = '';
    /** Counts how often the page was loaded: an answer for the page before is of no use. */
    private loads = 0;
    private closed = false;

    /** Shows a panel, and starts txtap. start: makes another run of it. */
    constructor(private readonly name: string, private readonly start: () => Run) {
        this.panel = vscode.window.createWebviewPanel('txtap.live', '', vscode.ViewColumn.Beside, WEBVIEW_OPTIONS);
        this.panel.webview.onDidReceiveMessage((message: Message) => this.take(message));
        this.panel.onDidDispose(() => this.close());
        this.begin();
    }

    show(extension: vscode.Uri): Promise<void> {
        return showPage(this.panel.webview, extension, '"mode":"live","relayed":true');
    }

    /** Calls `listener` when the panel is closed. */
    onClosed(listener: () => void): void {
        this.panel.onDidDispose(listener);
    }

    /** Ends txtap. */
    async close(): Promise<void> {
        this.closed = true;
        this.forget();
        await this.run?.stop();
    }

    /** Starts txtap, if it does not run. */
    private begin(): void {
        if (this.run)
            return;
        const run = this.start();

        this.run = run;
        this.tell();
        run.ended.then((line) => {
            this.run = null;
            this.lastLine = line;
            this.tell();
        });
    }

    /** Shows whether txtap runs. */
    private tell(): void {
        if (!this.closed)
            this.panel.title = `txtap: ${this.name} (${this.run ? 'live' : 'ended'})`;
        this.send({ ended: this.run ? '' : this.lastLine });
    }

    private send(message: object): void {
        if (!this.closed)
            this.panel.webview.postMessage(message);
    }

    private take(message: Message): void {
        if (message === 'ready') {
            this.loads++;
            this.forget();
            this.tell();
        } else if ('request' in message) {
            this.answer(Number(message.request), String(message.path));
        } else if ('more' in message) {
            this.sendPiece(Number(message.more));
        } else if ('cancel' in message) {
            this.answers.get(Number(message.cancel))?.close();
            this.answers.delete(Number(message.cancel));
        } else if ('start' in message) {
            this.begin();
        }
    }

    private async answer(request: number, path: string): Promise<void> {
        const { loads } = this;

        try {
            if (!this.run || !PATHS.includes(path))
                throw new Error('there is no such part');
            const answer = await this.run.request(path);

            if (this.closed || loads !== this.loads) {
                answer.close();
                return;
            }
            this.answers.set(request, answer);
            this.send({ answer: request, status: answer.status, run: answer.run });
        } catch {
            if (loads === this.loads)
                this.send({ failed: request });
        }
    }

    private async sendPiece(request: number): Promise<void> {
        const answer = this.answers.get(request);
        const bytes = await answer?.next().catch(() => undefined);

        if (!answer || this.answers.get(request) !== answer)
            return; // the page was loaded again, or needs no more
        if (!bytes)
            this.answers.delete(request);
        this.send(bytes ? { piece: request, bytes } : bytes === null ? { end: request } : { failed: request });
    }

    /** Closes all answers. */
    private forget(): void {
        for (const answer of this.answers.values())
            answer.close();
        this.answers.clear();
    }
}
