// SPDX-License-Identifier: MIT
/* Features of browsers that TypeScript 4.8 does not know. */

interface Uint8ArrayConstructor {
    fromBase64?(text: string): Uint8Array;
}

interface Array<T> {
    findLast(predicate: (value: T) => unknown): T | undefined;
}

interface CanvasPath {
    roundRect(x: number, y: number, width: number, height: number, radius: number): void;
}

interface OffscreenCanvas extends HTMLCanvasElement {}
declare const OffscreenCanvas: { new (width: number, height: number): OffscreenCanvas };

declare class DecompressionStream {
    constructor(format: 'deflate-raw');
    readable: ReadableStream<Uint8Array>;
    writable: WritableStream<Uint8Array>;
}

/* main.js sets it, for tests. */
declare var txtap: any;

/* compare.js sets it before it starts the page again. */
declare var comparedFiles: File[] | undefined;

/* The editor of ./host provides it. */
declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

// Elements with the attribute popover
interface HTMLElement {
    hidePopover(): void;
}

interface ToggleEvent extends Event {
    readonly newState: 'open' | 'closed';
}
