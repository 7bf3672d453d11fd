// SPDX-License-Identifier: MIT
/* Checks that the user types or drops on the page: judges them over the whole trace, as `txtap check` does. */
import { checkResults } from '../checks_model.js';
import { element, fill } from '../dom.js';
import { errorText } from '../plain_text.js';
import { inSlices } from '../report_slices.js';
import { EXIT_WORDS } from './check_text.js';

/**
 * @typedef {import('../checks_model.js').CheckResult} CheckResult
 * @typedef {{exit: number, checks: (CheckResult & {line: number})[]}|{problem: string, line: number}} Judged
 */

export class Judge {
    /**
     * @param {import('../view_state.js').ViewState} view
     * @param {(results: CheckResult[]) => void} show shows the results; empty: no results
     */
    constructor(view, show) {
        this.view = view;
        this.show = show;
        /** Gets each answer of the decoder, with the judged text.
         *  @type {(answer: Judged, text: string) => void} */
        this.tell = () => {};
        /** Checks that were judged, or wait for a trace. */
        this.text = '';
        /** The judging that goes on. Starting another one abandons it. */
        this.run = null;
        this.box = element('textarea', { id: 'judge_text', rows: '5', spellcheck: 'false', autocomplete: 'off', 'aria-label': 'Checks, one per line' });
        this.box.placeholder = 'wake(control).max < 1 ms\nlost == 0'; // element() would replace the line end
        this.said = element('p', { id: 'judge_said', role: 'status' });
        this.form = element('form', { class: 'judge' }, this.box,
            element('p', {}, element('button', { type: 'submit', id: 'judge', title: 'Ctrl+Enter' }, 'Judge'),
                ' One check per line, or drop a file of checks.'), this.said);
        this.form.addEventListener('submit', (event) => {
            event.preventDefault();
            this.begin(this.box.value);
        });
        this.box.addEventListener('keydown', (event) => {
            if (event.key === 'Enter' && event.ctrlKey)
                this.begin(this.box.value);
        });
        view.on((changed) => this.text && ['trace', 'hz', 'loading'].some((name) => changed.has(name)) && this.begin(this.text));
    }

    /** Takes the text of a file of checks: shows its checks and judges them.
     *  @param {string} text @param {boolean} [open] open the panel */
    take(text, open = true) {
        this.box.value = text;
        if (open)
            this.view.set({ panel: 'checks' });
        this.begin(text);
    }

    /** @param {string} text */
    async begin(text) {
        const { view } = this;
        const { trace } = view;
        const run = (this.run = {});

        this.text = text;
        if (!text.trim())
            this.say('Type a check, such as lost == 0.');
        else if (!trace || view.loading)
            this.say(trace ? 'Waiting for the end of the trace…' : 'The checks wait for a trace: open or drop it.');
        else
            await this.judge(text, trace, () => this.run === run && trace === view.trace);
    }

    /** @param {string} text @param {import('../decoder.js').Trace} trace @param {() => boolean} isWanted */
    async judge(text, trace, isWanted) {
        this.say('Judging…');
        try {
            const done = await inSlices(trace, () => trace.beginReport(), () => trace.endChecks(text), isWanted);

            if (done)
                this.answer(done.report, text, trace.state().ended);
        } catch (error) {
            this.say(errorText(error), [], true);
        }
    }

    /** @param {Judged} answer @param {string} text @param {boolean} ended no events follow */
    answer(answer, text, ended) {
        this.tell(answer, text);
        if ('problem' in answer)
            this.say(answer.problem, [], true);
        else
            this.say(`${EXIT_WORDS[answer.exit]}${ended ? '' : ' So far: more events may follow.'}`, checkResults(answer.checks));
    }

    /** @param {string} words @param {CheckResult[]} results @param {boolean} isProblem */
    say(words, results = [], isProblem = false) {
        this.said.classList.toggle('problem', isProblem);
        fill(this.said, words);
        this.show(results);
    }
}
