// SPDX-License-Identifier: MIT
/* A run of txtap view, and requests to its server. Knows nothing of VS Code. Whoever knows the server's address sees the trace, so
 * the address stays in this file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { type IncomingMessage, get } from 'node:http';
import { createInterface } from 'node:readline';
import { PassThrough, pipeline } from 'node:stream';

/** The server is on this machine only, and its browser is this extension. */
const OWN_OPTIONS = ['--listen', '127.0.0.1', '--port', '0', '--no-open'];

const ADDRESS = /^http:\/\/127\.0\.0\.1:\d+\/([0-9a-f]{16,})\/$/;

/** Bytes of an answer that wait for a page that is slow or far away. */
const WAITING_BYTES = 1024 * 1024;

/** Time from the signal that ends txtap normally to the signal that it cannot refuse. */
const END_MS = 5000;

/** An answer of the server: its status, its header Txtap-Run, and its body in pieces. */
export interface Answer {
    status: number;
    run: string;
    /** Returns the bytes that have arrived, or waits for some. null: the body has ended. */
    next(): Promise<Uint8Array | null>;
    close(): void;
}

function answerOf(response: IncomingMessage): Answer {
    const body = new PassThrough({ readableHighWaterMark: WAITING_BYTES });
    const pieces = body[Symbol.asyncIterator]();

    pipeline(response, body, () => {}); // if the server goes away, next() fails
    return {
        status: response.statusCode ?? 0,
        run: String(response.headers['txtap-run'] ?? ''),
        next: async () => {
            const { done, value } = await pieces.next();

            return done ? null : new Uint8Array(value); // VS Code does not send a Buffer as bytes
        },
        close: () => {
            response.destroy();
        },
    };
}

export class Run {
    /** Resolves when txtap has ended, to the reason: its last line. */
    readonly ended: Promise<string>;
    private lastLine = '';
    private readonly child: ChildProcess;
    private readonly address: Promise<string>;

    /** Starts txtap. say: gets each line that txtap prints for the user. */
    constructor(program: string, args: string[], cwd: string, say: (line: string) => void) {
        this.child = spawn(program, [...args, ...OWN_OPTIONS], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
        this.address = new Promise((resolve, reject) => {
            createInterface(this.child.stdout!).once('line', (line) => (ADDRESS.test(line) ? resolve(line)
                : reject(new Error('txtap printed no address')))).once('close', () => reject(new Error('txtap has ended')));
        });
        this.address.catch(() => {}); // request() reports it
        createInterface(this.child.stderr!).on('line', (line) => {
            this.lastLine = line || this.lastLine;
            say(line);
        });
        this.ended = new Promise((resolve) => {
            this.child.once('error', ({ message }) => {
                say(`${program} cannot be started: ${message}`);
                resolve(`${program} cannot be started (${message}): the setting txtap.program has its path`);
            });
            this.child.once('close', (code, signal) => {
                resolve(signal ? `txtap was ended by ${signal}` : this.lastLine || `txtap has ended with exit code ${code}`);
            });
        });
    }

    /** Requests a part of the server, when txtap has started it. */
    async request(path: string): Promise<Answer> {
        const address = new URL(path, await this.address);

        return new Promise((resolve, reject) => {
            get(address, (response) => resolve(answerOf(response))).on('error', () => reject(new Error('txtap does not answer')));
        });
    }

    /** Ends txtap as Ctrl-C does. */
    async stop(): Promise<void> {
        const timer = setTimeout(() => this.child.kill('SIGKILL'), END_MS);

        this.child.kill('SIGINT');
        await this.ended;
        clearTimeout(timer);
    }
}
