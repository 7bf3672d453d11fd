// SPDX-License-Identifier: MIT
/* The sources of a trace: the page itself, txtap's server, a live target, or files of the user. */
import { takeChecks } from './checks/check_text.js';
import { Decoder } from './decoder.js';
import { FileDrop, filesName } from './drop.js';
import { embeddedDecoder, embeddedStream } from './embedded.js';
import { filesInOrder } from './file_order.js';
import { showTitle } from './header.js';
import { hostFile } from './host/host.js';
import { HostServer } from './host/host_live.js';
import { LiveLine } from './live_line.js';
import { LiveStream } from './live.js';
import { errorText } from './plain_text.js';
import { rateNote } from './tick_rate.js';
import { readTrace } from './trace_reader.js';

/**
 * @typedef {import('./view_state.js').ViewState} ViewState
 * @typedef {import('./decoder.js').Trace} Trace
 * @typedef {import('./embedded.js').Setup} Setup
 * @typedef {{judge: (text: string) => void, compare: ((files: File[]) => void)|null}} Uses judge: judges the checks of a text;
 *     compare: compares two traces; null: this page cannot
 */

/** Maximum number of events of a live target that the page holds; the oldest are dropped. */
const LIVE_EVENTS_KEPT = 4_000_000;

/** Progress is reported in steps of this part of the whole. */
const PROGRESS_STEP = 0.01;

/**
 * Opens the trace of the page.
 * @param {Setup} setup of readSetup()
 * @param {ViewState} view
 * @param {(opened: {line: LiveLine, files: FileDrop}) => void} opened called at once, with the controls of the trace
 * @param {Uses} uses of files that the user drops or chooses
 * @returns {Promise<void>} resolves when the trace is read, or when its stream begins. The page shows errors
 */
export async function openData(setup, view, opened, uses) {
    const line = new LiveLine(view, document.querySelector('#header .live'));
    const source = new Source(setup, view, line, uses);
    const files = new FileDrop(view, (list) => source.dropped(list));

    opened({ line, files });
    try {
        await source.open(files);
    } catch (error) {
        line.set({ phase: 'still', problem: errorText(error) });
    }
}

class Source {
    /** @param {Setup} setup @param {ViewState} view @param {LiveLine} line @param {Uses} uses */
    constructor(setup, view, line, uses) {
        this.setup = setup;
        this.view = view;
        this.line = line;
        this.uses = uses;
        /** @type {WebAssembly.Module|null} */
        this.module = null;
        const host = setup.relayed ? new HostServer() : null;

        /** Requests a part of txtap's server.
         *  @type {(path: string) => Promise<Response>} */
        this.get = (path) => (host ? host.get(path) : fetch(path, { cache: 'no-store' }));
    }

    /** @param {FileDrop} files */
    async open(files) {
        showTitle(this.setup.name || 'no trace');
        this.module = await embeddedDecoder();
        if (this.setup.mode === 'live')
            new LiveStream(this.view, this.line, this).run();
        else if (this.setup.mode === 'file')
            await this.openStream(await this.fetched('data'), this.setup.bytes);
        else if (this.setup.mode === 'embedded')
            await this.openStream(this.setup.holder ? embeddedStream(this.setup.holder, parent.document) : embeddedStream('data'), this.setup.bytes);
        else if (this.setup.mode === 'hosted')
            await this.openFiles([await hostFile()]);
        else if (this.setup.mode === 'dropped')
            await this.openFiles(/** @type {any} */ (frameElement).files);
        else
            files.showWelcome(true);
    }

    /** Opens files that the user drops on the page or chooses: two different traces are compared, and checks are judged.
     *  @param {File[]} files */
    async dropped(files) {
        const { text, rest: list } = await takeChecks(files);

        if (text)
            this.uses.judge(text);
        if (!list.length)
            return;
        if (this.setup.side)
            throw new Error('this page compares two traces; open files in another page (txtap view FILE)');
        if (list.length !== 2 || !this.uses.compare || await this.isOneTrace(list))
            await this.openFiles(list);
        else
            this.uses.compare(list);
    }

    /** Reports whether the files are of one recording.
     *  @param {File[]} list */
    async isOneTrace(list) {
        const trace = await this.newTrace();

        try {
            return (await filesInOrder(list, trace)).length === list.length;
        } catch {
            return false;
        } finally {
            trace.close();
        }
    }

    /** Creates a new trace in a decoder of its own. */
    async newTrace(options = {}) {
        const { name = '', hz = 0, hz_found: hzFound = false, profile = 0, definitions = [], interrupts = '', functions = '' } = this.setup;
        const decoder = await Decoder.load(this.module);

        return decoder.open({ name, hz, hzFound, profile, definitions, firmware: [interrupts, functions], keep: Infinity, ...options });
    }

    /** Asks the server, which may know more now than when it made the page. */
    async openLiveTrace() {
        try {
            const response = await this.get('state');

            if (response.ok)
                await this.learn(await response.json());
        } catch {
            // the stream detects whether the server is gone
        }
        showTitle(this.setup.name || 'no trace');
        this.view.set({ rateNote: rateNote({ hz: 0, ...this.setup }) });
        return this.newTrace({ keep: LIVE_EVENTS_KEPT });
    }

    /** Loads the page of txtap again if another txtap is running now, and its page differs from this page. The page inside an editor is
     *  the editor's own, so it stays.
     *  @param {Setup} setup */
    async learn(setup) {
        if (!this.setup.relayed && (setup.mode !== this.setup.mode || setup.version !== this.setup.version)) {
            location.reload();
            await new Promise(() => {});
        }
        Object.assign(this.setup, setup);
    }

    async askState() {
        const response = await this.get('state');
        const state = response.ok ? await response.json() : { hz: 0 };
        const { lost = 0, lost_exact: lostExact = true, advice = '' } = state;

        return { hz: state.hz, note: rateNote(state), server: { lost, lostExact, advice } };
    }

    /** @param {string} path */
    async fetched(path) {
        const response = await this.get(path);

        if (!response.ok || !response.body)
            throw new Error(`txtap no longer serves the trace (${response.status})`);
        return response.body;
    }

    /** @param {ReadableStream<Uint8Array>|null} stream @param {number} bytes */
    async openStream(stream, bytes) {
        if (!stream)
            throw new Error('the page has no trace');
        const trace = await this.newTrace();

        await this.read([stream], bytes, trace);
    }

    /** Opens files of the user as one trace.
     *  @param {File[]} list */
    async openFiles(list) {
        if (this.setup.mode === 'live')
            throw new Error('this page follows a target; open files in another page (txtap view FILE)');
        const trace = await this.newTrace({ name: filesName(list), hz: ['empty', 'dropped', 'hosted'].includes(this.setup.mode) ? this.setup.hz ?? 0 : 0,
            hzFound: false, profile: 0, definitions: [], interrupts: '', functions: '' });

        const files = list.length > 1 ? await filesInOrder(list, trace) : list;

        await this.read(files.map((file) => file.stream()), files.reduce((sum, file) => sum + file.size, 0), trace);
        showTitle(filesName(list));
    }

    /** Reads streams into a trace. The trace is shown as soon as it has events.
     *  @param {ReadableStream<Uint8Array>[]} streams @param {number} bytesInAll @param {Trace} trace */
    async read(streams, bytesInAll, trace) {
        let before = 0;
        let part = 0;
        /** @param {number} bytes @param {boolean} more */
        const progress = (bytes, more) => {
            const now = bytesInAll > 0 ? Math.min((before + bytes) / bytesInAll, 1) : 0;

            if (now - part >= PROGRESS_STEP)
                this.line.set({ phase: 'loading', part: (part = now) });
            if (more)
                this.showMore(trace);
        };

        this.view.set({ loading: true });
        try {
            for (const [number, stream] of streams.entries()) {
                let last = 0;

                if (number > 0)
                    trace.nextFile();
                await readTrace(stream, trace, (bytes, more) => progress(last = bytes, more));
                before += last;
            }
            this.finish(trace); // before loading ends, because the last events become known only here
        } finally {
            this.view.set({ loading: false });
        }
    }

    /** Shows the events that were read so far.
     *  @param {Trace} trace */
    showMore(trace) {
        const { view } = this;

        if (!trace.state().events)
            return;
        if (view.trace === trace)
            view.grown();
        else
            this.show(trace);
    }

    /** @param {Trace} trace */
    show(trace) {
        const before = this.view.trace;

        this.view.open(trace);
        before?.close?.();
    }

    /** @param {Trace} trace */
    finish(trace) {
        trace.end();
        const { events, lacks } = trace.state();

        if (!events && trace.problem) {
            this.line.set({ phase: 'still' });
            throw new Error(trace.problem);
        }
        this.showMore(trace);
        if (!events)
            this.show(trace);
        this.line.set({ phase: 'still', problem: trace.problem || (events ? '' : lacks || 'the trace has no events') });
    }
}
