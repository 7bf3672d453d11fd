// SPDX-License-Identifier: MIT
// A client of WebSocket (RFC 6455) for texts, for a server on this machine: Debian's node has no such client.
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';

const [CONTINUED, TEXT, CLOSE, PING, PONG] = [0, 1, 8, 9, 10];
const END = 0x80; // of a message, in the first byte
const MASKED = 0x80; // in the second byte; a client must mask its frames

/** Returns a frame with a whole message. */
function frame(kind, bytes) {
    const size = bytes.length;
    const head = size < 126 ? Buffer.from([END | kind, MASKED | size]) : Buffer.alloc(size < 65536 ? 4 : 10);
    const mask = randomBytes(4);
    if (size >= 126) {
        head[0] = END | kind;
        head[1] = MASKED | (size < 65536 ? 126 : 127);
        if (size < 65536) head.writeUInt16BE(size, 2);
        else head.writeBigUInt64BE(BigInt(size), 2);
    }
    return Buffer.concat([head, mask, bytes.map((byte, at) => byte ^ mask[at % 4])]);
}

export class WebSocketClient {
    #socket;
    #unread = [];
    #unreadBytes = 0;
    #parts = [];
    #wanted = 0; // bytes of the frame that arrives

    /** Connects. take: gets the text of each message. closed: is called once, after the connection has ended. */
    static connect(url, take, closed) {
        const headers = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': 13, 'Sec-WebSocket-Key': randomBytes(16).toString('base64') };
        return new Promise((resolve, reject) => {
            const asked = request(url.replace(/^ws/, 'http'), { headers });
            asked.on('upgrade', (answer, socket, head) => resolve(new WebSocketClient(socket, head, take, closed)));
            asked.on('response', ({ statusCode }) => reject(new Error(`${url}: status ${statusCode}`)));
            asked.on('error', reject).end();
        });
    }

    constructor(socket, head, take, closed) {
        this.#socket = socket.setNoDelay();
        socket.on('data', (bytes) => this.#read(bytes, take)).on('error', () => {}).on('close', closed);
        this.#read(head, take);
    }

    send(text) {
        this.#socket.write(frame(TEXT, Buffer.from(text)));
    }

    close() {
        this.#socket.destroy();
    }

    #read(bytes, take) {
        this.#unread.push(bytes);
        this.#unreadBytes += bytes.length;
        for (let next = this.#next(); next; next = this.#next()) this.#take(next, take);
    }

    /** Returns the next frame that has arrived whole: {kind, last, bytes}. */
    #next() {
        const at = this.#unread.length > 1 && this.#unreadBytes < this.#wanted ? null : this.#joined();
        if (!at || at.length < 2) return null;
        const short = at[1] & 0x7f;
        const begin = short < 126 ? 2 : short === 126 ? 4 : 10;
        if (at.length < begin) return null;
        const size = short < 126 ? short : short === 126 ? at.readUInt16BE(2) : Number(at.readBigUInt64BE(2));
        this.#wanted = begin + size;
        if (at.length < begin + size) return null;
        this.#wanted = 0;
        this.#unread = [at.subarray(begin + size)];
        this.#unreadBytes = at.length - begin - size;
        return { kind: at[0] & 0x0f, last: (at[0] & END) !== 0, bytes: at.subarray(begin, begin + size) };
    }

    /** Joins the pieces that have arrived, once for each frame: an answer may have megabytes. */
    #joined() {
        if (this.#unread.length > 1) this.#unread = [Buffer.concat(this.#unread)];
        return this.#unread[0];
    }

    #take({ kind, last, bytes }, take) {
        if (kind === PING) this.#socket.write(frame(PONG, bytes));
        if (kind === CLOSE) this.close();
        if (kind !== TEXT && kind !== CONTINUED) return;
        this.#parts.push(bytes);
        if (!last) return;
        const text = Buffer.concat(this.#parts).toString();
        this.#parts = [];
        take(text);
    }
}
