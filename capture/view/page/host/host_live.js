// SPDX-License-Identifier: MIT
/*
 * The page inside an editor that follows a target. The page cannot reach the server of txtap view, so the editor makes the page's
 * requests and hands the answers over as messages, each with the number of its request:
 *
 *   page to editor   {request, path}    asks for a part of the server
 *                    {more}             is ready for another piece of this answer
 *                    {cancel}           needs no more of this answer
 *                    {start}            the user wants to start txtap again
 *   editor to page   {answer, status, run}   the answer has begun: its HTTP status and its header Txtap-Run
 *                    {piece, bytes}, {end}   a piece of the answer; its end
 *                    {failed}                there is no server, or it went away
 *                    {ended}                 the last line of txtap, which has ended; '' while txtap runs
 *
 * The editor sends a piece only after {more}, so a slow page does not fill the editor's memory.
 */
import { element, setText } from '../dom.js';
import { theEditor } from './host.js';

/** A request that the editor has not answered completely. */
class HostRequest {
    /** @param {number} number @param {(response: Response) => void} resolve @param {(error: Error) => void} reject */
    constructor(number, resolve, reject) {
        this.number = number;
        this.resolve = resolve;
        this.reject = reject;
        /** @type {ReadableStreamDefaultController<Uint8Array>|null} */
        this.pieces = null;
        /** Called with the next piece. */
        this.pulled = () => {};
    }

    /** @param {number} status @param {string} run @param {() => void} forget called if the page cancels the answer */
    begin(status, run, forget) {
        const body = new ReadableStream({
            start: (pieces) => {
                this.pieces = pieces;
            },
            pull: () => new Promise((resolve) => {
                this.pulled = () => resolve();
                theEditor().postMessage({ more: this.number });
            }),
            cancel: () => {
                forget();
                theEditor().postMessage({ cancel: this.number });
            },
        }, { highWaterMark: 0 });

        this.resolve(new Response(status === 200 ? body : null, { status, headers: { 'Txtap-Run': run } }));
    }

    /** @param {Uint8Array} bytes */
    take(bytes) {
        this.pieces?.enqueue(bytes);
        this.pulled();
    }

    end() {
        this.pieces?.close();
        this.pulled();
    }

    fail() {
        const error = new Error('the editor has no connection to txtap');

        this.reject(error);
        this.pieces?.error(error);
        this.pulled();
    }
}

/** The server of txtap view, as the editor shows it. */
export class HostServer {
    constructor() {
        /** @type {Map<number, HostRequest>} */
        this.requests = new Map();
        this.count = 0;
        addEventListener('message', ({ data }) => this.take(data));
        startAgainStrip();
        theEditor().postMessage('ready');
    }

    /** Requests a part of the server, like fetch().
     *  @param {string} path @returns {Promise<Response>} */
    get(path) {
        return new Promise((resolve, reject) => {
            const request = ++this.count;

            this.requests.set(request, new HostRequest(request, resolve, reject));
            theEditor().postMessage({ request, path });
        });
    }

    /** @param {any} message */
    take(message) {
        const number = message?.answer ?? message?.piece ?? message?.end ?? message?.failed;
        const request = this.requests.get(number);

        if (!request)
            return;
        if ('answer' in message)
            request.begin(Number(message.status), String(message.run), () => this.requests.delete(number));
        else if ('piece' in message)
            request.take(message.bytes);
        else {
            this.requests.delete(number);
            if ('end' in message)
                request.end();
            else
                request.fail();
        }
    }
}

/** Builds the strip above the timeline that shows why txtap has ended, with a button that starts it again. */
function startAgainStrip() {
    const text = element('span');
    const again = element('button', { type: 'button', id: 'start_again' }, 'Start again');
    const strip = element('p', { id: 'run_ended', role: 'alert', hidden: true }, text, again);

    again.addEventListener('click', () => theEditor().postMessage({ start: true }));
    document.getElementById('notice').before(strip);
    addEventListener('message', ({ data }) => {
        if (typeof data?.ended !== 'string')
            return;
        setText(text, data.ended);
        strip.hidden = data.ended === '';
    });
}
