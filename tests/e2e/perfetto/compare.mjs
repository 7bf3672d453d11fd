// SPDX-License-Identifier: MIT
// compare.mjs ENGINE_DIRECTORY LIST: gives Perfetto's trace processor each trace of a list. A line of the list has a
// name, the trace, and optionally a report in JSON, separated by tabs. Prints "ok NAME" if the trace is imported
// without an error and its sums equal the report's sums, to the tick (one microsecond): the sums of each thread's
// states and waits, and of interrupts. Otherwise prints lines "NAME: WHY".
import {readFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
import vm from 'node:vm';

const [engines, list] = process.argv.slice(2);
console.warn = () => {}; // suppresses the harmless warning "unsupported syscall"

// Opens the engine. It is made for a browser's worker, so the globals of a worker are imitated.
async function openEngine() {
    globalThis.self = globalThis;
    globalThis.WorkerGlobalScope = function () {};
    globalThis.location = {href: pathToFileURL(engines).href + '/'};
    globalThis.wasm = new Uint8Array(readFileSync(`${engines}/trace_processor.wasm`));
    vm.runInThisContext(readFileSync(`${engines}/engine_bundle.node.js`, 'utf8')
        .replace('locateFile: (s) => s,', '$& wasmBinary: globalThis.wasm,')
        .replace('new wasm_bridge_1.WasmBridge();', '$& globalThis.bridge = wasmBridge;'));
    const {EngineBase} = await import(pathToFileURL(`${engines}/engine.mjs`).href);
    class Engine extends EngineBase {
        constructor(port) {
            super();
            this.port = port;
            port.onmessage = (message) => this.onRpcResponseBytes(message.data);
        }
        rpcSendRequestBytes(bytes) { this.port.postMessage(bytes); }
    }
    const channel = new MessageChannel();
    globalThis.bridge.initialize(channel.port1);
    while (!globalThis.bridge.reqBufferAddr) await new Promise((done) => setTimeout(done, 20));
    return new Engine(channel.port2);
}

const engine = await openEngine();

async function open(trace) {
    const bytes = new Uint8Array(readFileSync(trace));
    await engine.resetTraceProcessor({
        cropTrackEvents: false, ingestFtraceInRawTable: false, analyzeTraceProtoContent: false,
        ftraceDropUntilAllCpusValid: false});
    for (let at = 0; at < bytes.length; at += 1 << 20) await engine.parse(bytes.slice(at, at + (1 << 20)));
    await engine.notifyEof();
}

async function rows(sql) {
    const result = await engine.query(sql), found = [];
    for (const it = result.iter({}); it.valid(); it.next()) found.push(result.columns().map((name) => it.get(name)));
    return found;
}

const TICKS = 'sum((s.ts + s.dur) / 1000 - s.ts / 1000)';
const add = (sums, who, what, ticks) => ticks && sums.set(`${who}: ${what}`, (sums.get(`${who}: ${what}`) ?? 0) + ticks);

async function sumsOfTrace() {
    const sums = new Map();
    const states = await rows(`select t.name, s.state, ${TICKS} from thread_state s join thread t using (utid)
        where s.dur >= 0 and s.state != 'T' and t.name is not null and t.tid > 0 and t.name != '(lost events)'
        group by 1, 2`);
    const waits = await rows(`select t.name, s.name, ${TICKS} from slice s join thread_track k on s.track_id = k.id
        join thread t using (utid) where s.name glob 'blocked: *' and s.dur >= 0 group by 1, 2`);
    const interrupts = await rows(`select s.name, 'all', ${TICKS} from slice s where s.name glob 'ISR *' and s.dur >= 0
        group by 1`);
    for (const [who, what, ticks] of states) add(sums, who, what, Number(ticks));
    // "ISR 22 NAME": the name is known only with the firmware's ELF file
    for (const [who, what, ticks] of interrupts) add(sums, who.split(' ', 2).join(' '), what, Number(ticks));
    for (const [who, what, ticks] of waits) add(sums, who, what.split(' ')[1], Number(ticks));
    return sums;
}

// Returns a name as txtap writes it for Perfetto: control characters and bytes that are not UTF-8 become U+FFFD.
const clean = (name) => name.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');

// Renames the sums of the trace to the report's names. The report uses a thread's newest name. The trace uses a name
// that is certain for one of the thread's events, or the thread's address.
function withNamesOf(report, sums) {
    const names = new Map(), renamed = new Map();
    for (const {subject} of report.figures)
        if (subject.name && subject.address) names.set(subject.address, clean(subject.name));
    for (const [sum, ticks] of sums) {
        const end = sum.indexOf(': ');
        add(renamed, names.get(sum.slice(0, end)) ?? sum.slice(0, end), sum.slice(end + 2), ticks);
    }
    return renamed;
}

function sumsOfReport(report) {
    const sums = new Map(), cut = new Set();
    for (const figure of report.figures)
        if (figure.name === 'isr' && figure.censored !== 0) cut.add(`ISR ${figure.subject.number}: all`);
    for (const figure of report.figures) {
        const who = clean(figure.subject.name ?? figure.subject.address ?? '');
        const ticks = Math.round(figure.stats.value?.value * report.observed_ticks / 100);
        if (figure.name === 'isr' && figure.censored === 0)
            add(sums, `ISR ${figure.subject.number}`, 'all', figure.stats.sum.value);
        if (figure.name !== 'time' || figure.detail === 'unknown') continue;
        const state = {running: 'Running', interrupted: 'Running', ready: 'R'}[figure.detail];
        add(sums, who, state ?? 'S', ticks);
        if (!state) add(sums, who, figure.detail, ticks);
    }
    return {sums, cut}; // cut: interrupts that a gap hides in part, so that the report has no sum for them
}

async function differences(trace, reportFile) {
    await open(trace);
    const errors = await rows("select name, value from stats where severity in ('error', 'data_loss') and value > 0");
    const found = errors.map(([name, value]) => `import: ${name} ${value}`);
    const threads = await rows("select count(*) from thread_state");
    if (Number(threads[0][0]) === 0) found.push('no thread has a state');
    if (!reportFile) return found;
    const report = JSON.parse(readFileSync(reportFile));
    const got = withNamesOf(report, await sumsOfTrace()), {sums, cut} = sumsOfReport(report);
    for (const sum of new Set([...sums.keys(), ...got.keys()]))
        if (sums.get(sum) !== got.get(sum) && !cut.has(sum))
            found.push(`${sum}: report ${sums.get(sum)}, Perfetto ${got.get(sum)}`);
    return found;
}

let failed = 0;
for (const line of readFileSync(list, 'utf8').split('\n').filter((text) => text !== '')) {
    const [name, trace, reportFile] = line.split('\t');
    const found = await differences(trace, reportFile);
    for (const text of found) console.log(`${name}: ${text}`);
    if (found.length === 0) console.log(`ok ${name}`);
    failed += found.length;
}
process.exit(failed > 0 ? 1 : 0);
