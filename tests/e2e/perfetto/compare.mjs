// SPDX-License-Identifier: MIT
// compare.mjs ENGINE_DIRECTORY TRACE REPORT.json: fails unless Perfetto's trace processor imports TRACE without an error,
// and its sums of each thread's states and waits, and of interrupts, equal those of the report, to the tick.
// A tick of TRACE is one microsecond.
import {readFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
import vm from 'node:vm';

const [engines, trace, reportFile] = process.argv.slice(2);
console.warn = () => {}; // "unsupported syscall" is harmless

// The engine is made for a worker of a browser.
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
const bytes = new Uint8Array(readFileSync(trace));
for (let at = 0; at < bytes.length; at += 1 << 20) await engine.parse(bytes.slice(at, at + (1 << 20)));
await engine.notifyEof();

async function rows(sql) {
    const result = await engine.query(sql), found = [];
    for (const it = result.iter({}); it.valid(); it.next()) found.push(result.columns().map((name) => it.get(name)));
    return found;
}

const TICKS = 'sum((s.ts + s.dur) / 1000 - s.ts / 1000)';
const errors = await rows("select name, value from stats where severity in ('error', 'data_loss') and value > 0");
const states = await rows(`select t.name, s.state, ${TICKS} from thread_state s join thread t using (utid)
    where s.dur >= 0 and s.state != 'T' and t.name is not null and t.tid > 0 and t.name != '(lost events)' group by 1, 2`);
const waits = await rows(`select t.name, s.name, ${TICKS} from slice s join thread_track k on s.track_id = k.id
    join thread t using (utid) where s.name glob 'blocked: *' and s.dur >= 0 group by 1, 2`);
const interrupts = await rows(`select s.name, 'all', ${TICKS} from slice s where s.name glob 'ISR *' and s.dur >= 0
    group by 1`);

const report = JSON.parse(readFileSync(reportFile));
const expected = new Map(), found = new Map();
const add = (sums, who, what, ticks) => ticks && sums.set(`${who}: ${what}`, (sums.get(`${who}: ${what}`) ?? 0) + ticks);
for (const [who, what, ticks] of states) add(found, who, what, Number(ticks));
for (const [who, what, ticks] of waits) add(found, who, what.split(' ')[1], Number(ticks));
for (const [who, what, ticks] of interrupts) add(found, who, what, Number(ticks));
for (const figure of report.figures) {
    const who = figure.subject.name ?? figure.subject.address;
    const ticks = Math.round(figure.stats.value?.value * report.observed_ticks / 100);
    if (figure.name === 'isr' && figure.censored === 0)
        add(expected, `ISR ${figure.subject.number}`, 'all', figure.stats.sum.value);
    if (figure.name !== 'time' || figure.detail === 'unknown') continue;
    const state = {running: 'Running', interrupted: 'Running', ready: 'R'}[figure.detail];
    add(expected, who, state ?? 'S', ticks);
    if (!state) add(expected, who, figure.detail, ticks);
}
let failed = errors.length;
for (const [name, value] of errors) console.log(`import: ${name} ${value}`);
for (const sum of new Set([...expected.keys(), ...found.keys()])) {
    if (expected.get(sum) === found.get(sum)) continue;
    failed++;
    console.log(`${sum}: report ${expected.get(sum)}, Perfetto ${found.get(sum)}`);
}
console.log(`${expected.size} sums`);
process.exit(failed > 0 ? 1 : 0);
