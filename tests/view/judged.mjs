// SPDX-License-Identifier: MIT
// Checks that the user types into the page or drops on it: they have the verdicts, sentences and exit codes of txtap check.
//   usage: judged.mjs TXTAP DATA
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Browser } from './browser.mjs';
import { check, end, same, skip } from './checks.mjs';
import { madeTrx } from './made_trx.mjs';
import { WORK, file, makePage, whatIsMissing } from './pages.mjs';
import { Recording, readTrace } from './recording.mjs';

const [txtap, data] = process.argv.slice(2).map((path) => resolve(path));
const VERDICTS = ['failed', 'unknown', 'ok'];
const CHECKS = `# limits
lost == 0            # none
wake(alpha).max < 5 us
wake(*).max <= 1s
cpu(alpha) < 99%
deadlock == 0
idle >= 0 %
response(nobody) < 1ms
`;
const words = (page, selector) => page.evaluate((chosen) => document.querySelector(chosen).innerText, selector);

/** Runs txtap check over a trace. Returns its exit status, and the results as it writes them into a page. */
function judgedByProgram(text, trace, ...options) {
    const path = join(WORK, 'judged.html');
    const { status, stderr } = spawnSync(txtap, ['check', '-q', '--checks', file('program.txt', text), '--html', path, ...options, trace], { encoding: 'utf8' });
    if (status !== 0 && status < 6) return { status, stderr };
    const [, setup] = readFileSync(path, 'utf8').match(/id="setup">([^<]*)</);
    const { checks } = JSON.parse(setup);
    return { status, checks: checks.sort((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict)) };
}

/** Returns the exit code and the results that the page shows, as far as it shows them. */
async function judgedByPage(page) {
    const said = await page.until(() => document.querySelector('#judge_said').innerText.match(/exit code (\d)/));
    await page.frame();
    return { status: Number(said[1]), checks: await page.evaluate(() => [...document.querySelectorAll('.checks li')].map((item) => ({
        check: item.querySelector('code').innerText,
        verdict: item.className,
        text: item.querySelector('p:not(.quiet)')?.innerText ?? '',
        event: item.querySelector('a')?.hash,
    }))) };
}

const shown = ({ status, checks }) => ({ status, checks: checks.map(({ check: name, verdict, text, event }) =>
    ({ check: name, verdict, text, event: event === undefined ? undefined : `#e=${event}` })) });

/** Returns the page of the results without the members that are undefined, as JSON has them. */
const plain = (value) => JSON.parse(JSON.stringify(value));

async function drop(page, ...paths) {
    await page.evaluate(() => { document.querySelector('#judge_said').textContent = ''; });
    await page.drop(paths, 640, 360);
}

/** Types checks into the panel and judges them. */
async function typeChecks(page, text) {
    await page.press('#tab_checks');
    await page.press('#judge_text');
    await page.key('a', ['ctrl']);
    await page.type(text.replace(/\n$/, ''));
    await page.evaluate(() => { document.querySelector('#judge_said').textContent = ''; });
    await page.press('#judge');
}

async function judgesDroppedFile(page, trace) {
    await same('the empty text shows one check per line', await page.evaluate(() => document.querySelector('#judge_text')?.placeholder.split('\n').length), 2);
    await drop(page, file('checks.txt', CHECKS));
    await page.until(() => document.querySelector('#judge_said').innerText.includes('wait for a trace'));
    await check('a dropped file of checks waits for a trace', true);
    await drop(page, trace);
    const want = judgedByProgram(CHECKS, trace);
    await same('and is judged with the verdicts, sentences and exit code of txtap check', plain(await judgedByPage(page)), plain(shown(want)));
    await same('of which some fail', want.status, 6);
    await check('the tab counts them', /Checks \(\d+\)/.test(await words(page, '#tab_checks')));
    if (process.env.PICTURES) await page.screenshot(join(process.env.PICTURES, 'judged-dark.png'));
}

async function judgesTypedChecks(page, trace) {
    const cases = [['all checks are ok', 'lost == 0\ndeadlock == 0\n', 0], ['a measured rate leaves a check open', edge(trace), 7],
        ['a name that matches nothing leaves it open, too', 'wake(alhpa).max < 1 s\n', 7]];
    for (const [sentence, text, status] of cases) {
        await typeChecks(page, text);
        const want = judgedByProgram(text, trace);
        await same(`typed: ${sentence}`, plain(await judgedByPage(page)), plain(shown(want)));
        await same('with this exit code', want.status, status);
    }
}

/** Returns a check whose limit is within the bounds of a figure in seconds. */
function edge(trace) {
    const { figures, tick_hz: hz } = JSON.parse(spawnSync(txtap, ['report', '-q', '-f', 'json', trace], { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout);
    const { subject, stats } = figures.find(({ name, subject: of, stats: of_stats }) => name === 'run' && of.name && of_stats.max?.value > 0);
    return `run(${subject.name}).max < ${(stats.max.value / hz * 1e6).toFixed(3)} us\n`;
}

async function saysWhatIsWrong(page) {
    await typeChecks(page, 'lost == 0\nwake(alpha).max < 5\n');
    const said = await page.until(() => document.querySelector('#judge_said.problem')?.innerText);
    const { status, stderr } = judgedByProgram('lost == 0\nwake(alpha).max < 5\n', file('any.trx', madeTrx(2)));
    const [, cause] = stderr.match(/(line 2: [^\n]*)/);
    await same('a text that is no check is refused with the line and the words of txtap', [said.trim(), status], [cause, 2]);
    await same('and has no results', await page.evaluate(() => document.querySelectorAll('.checks li').length), 0);
}

/** Sets the rate in the summary, after the summary of the trace with this number of events is there. */
async function setRate(page, events) {
    await page.press('#tab_summary');
    await page.until((wanted) => document.querySelector('#panel_summary .of')?.innerText.includes(`, ${wanted} events`), events);
    await page.press('#tick_rate');
    await page.type('1M\n');
    await page.until(() => globalThis.txtap.view.trace.state().hz === 1e6);
    await page.press('#tab_checks');
}

async function needsTheRate(page) {
    const trace = file('ticks.trx', madeTrx(20, { lost: 10 }));
    await drop(page, trace);
    await page.until(() => document.getElementById('title').innerText.includes('ticks.trx') && !globalThis.txtap.view.loading);
    await typeChecks(page, 'wake(alpha).max < 5 us\n');
    await check('without a rate, a limit in seconds cannot be judged', await page.until(() => document.querySelector('#judge_said.problem')?.innerText.includes('rate of the time stamps is not known')));
    await setRate(page, 209);
    const want = judgedByProgram('wake(alpha).max < 5 us\n', trace, '--hz', '1M');
    await same('the rate of the user decides it', plain(await judgedByPage(page)), plain(shown(want)));
    await typeChecks(page, 'wake(alpha).max < 9 s\ncpu(*) < 100%\n');
    const open = judgedByProgram('wake(alpha).max < 9 s\ncpu(*) < 100%\n', trace, '--hz', '1M');
    await same('lost events leave checks open, as in txtap check', plain(await judgedByPage(page)), plain(shown(open)));
}

async function namesCauses(page) {
    const trace = join(data, 'deadlock.trx');
    await drop(page, trace, file('deadlock.checks', 'deadlock == 0\nlost == 0\n'));
    const want = judgedByProgram('deadlock == 0\nlost == 0\n', trace, '--hz', '1M');
    await page.until(() => document.getElementById('title').innerText.includes('deadlock.trx') && !globalThis.txtap.view.loading);
    await setRate(page, 9);
    await page.until(() => / at [\d.]+ s/.test(document.querySelector('.checks')?.innerText));
    await same('a trace and checks that are dropped together have the sentences with causes', plain(await judgedByPage(page)), plain(shown(want)));
    await page.press('.checks a');
    await page.until(() => globalThis.txtap.view.selected >= 0);
    await same('a click selects the event on the timeline', await page.evaluate(() => globalThis.txtap.view.trace.seq(globalThis.txtap.view.selected)), 6);
    if (process.env.PICTURES) await page.screenshot(join(process.env.PICTURES, 'judged-light.png'));
}

async function works(browser) {
    const { header, objects, entries } = readTrace(madeTrx(20));
    const recording = new Recording().buffer(header).rate(1e6, 3, 9.9e5, 1.01e6).objects(objects).events(0, 0, entries).end(entries.length);
    const measured = new Recording().buffer(header).rate(1e6, 2, 9.9e5, 1.01e6).objects(objects).events(0, 0, entries).end(entries.length);
    const page = await browser.open(makePage(txtap, 'empty.html'), { offline: true, dark: true });
    await page.evaluate(async () => { await globalThis.txtap.ready; });
    await judgesDroppedFile(page, file('made.rec', recording.bytes()));
    await drop(page, file('measured.rec', measured.bytes()));
    await page.until(() => document.getElementById('title').innerText.includes('measured.rec') && !globalThis.txtap.view.loading);
    await judgesTypedChecks(page, join(WORK, 'measured.rec'));
    await saysWhatIsWrong(page);
    await page.dark(false);
    await needsTheRate(page);
    await namesCauses(page);
    await same('nothing went wrong in the page', page.problems, []);
}

const missing = whatIsMissing(txtap);
if (missing) {
    skip('checks are judged in the page', missing);
} else {
    const browser = await Browser.start();
    await works(browser);
    await browser.close();
}
end();
