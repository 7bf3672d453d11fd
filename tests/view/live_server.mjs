// SPDX-License-Identifier: MIT
// A server of txtap view that a test controls: it serves txtap's own page, and a stream and a state that the test makes. So a
// test decides when events arrive, which of them are lost, and what txtap says about it.
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';

/** Returns txtap's page as a live page with this setup. */
function livePage(txtap, setup) {
    const html = execFileSync(txtap, ['view', '-o', '-'], { maxBuffer: 1 << 28 }).toString();
    const policy = /(<meta http-equiv="Content-Security-Policy" content="[^"]*)"/;
    const empty = /(<script type="application\/json" id="setup">)[^<]*(<\/script>)/;

    if (!policy.test(html) || !empty.test(html)) throw new Error('the page has no policy or no setup');
    return html.replace(policy, '$1; connect-src \'self\'"').replace(empty, (_, begin, end) => begin + JSON.stringify(setup) + end);
}

export class LiveServer {
    #sent = [];
    #streams = new Set();

    /** Starts a server. setup: further members of the page's setup. */
    static async start(txtap, setup = {}) {
        const server = new LiveServer();
        server.state = { mode: 'live', name: 'made.elf', version: '', hz: 0, ...setup };
        server.page = livePage(txtap, server.state);
        server.http = createServer((request, answer) => server.#answer(request, answer));
        await new Promise((resolve) => server.http.listen(0, '127.0.0.1', resolve));
        server.url = `http://127.0.0.1:${server.http.address().port}/`;
        return server;
    }

    #answer({ url }, answer) {
        if (url === '/stream') {
            answer.writeHead(200, { 'content-type': 'application/octet-stream', 'txtap-run': '1' });
            answer.write(Buffer.concat(this.#sent));
            this.#streams.add(answer);
            answer.on('close', () => this.#streams.delete(answer));
        } else if (url === '/state') {
            answer.setHeader('content-type', 'application/json').end(JSON.stringify(this.state));
        } else if (url === '/') {
            answer.setHeader('content-type', 'text/html').end(this.page);
        } else {
            answer.writeHead(204).end();
        }
    }

    /** Sends bytes of a recording to the pages; a page that opens later gets them, too. */
    send(bytes) {
        this.#sent.push(bytes);
        for (const stream of this.#streams) stream.write(bytes);
    }

    async stop() {
        this.http.closeAllConnections();
        await new Promise((resolve) => this.http.close(resolve));
    }
}
