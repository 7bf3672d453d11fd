// SPDX-License-Identifier: MIT
/*
 * The panel that explains one span of a thread: the cause, the span, and its pieces, with the words of `txtap why`. The answer
 * covers the events that the trace had when the user asked. The picture shows the same pieces (paint_path.js).
 */
import { element, fill } from '../dom.js';
import { errorText } from '../plain_text.js';
import { inSlices } from '../report_slices.js';
import { formatNumber, formatSpan } from '../units.js';
import { formatQuestion } from './question.js';

/**
 * @typedef {import('../view_state.js').ViewState} ViewState
 * @typedef {import('./question.js').Question} Question
 * @typedef {import('./question.js').Answer} Answer
 * @typedef {import('./question.js').Piece} Piece
 * @typedef {{question: Question, answer: Answer|null, piece: number, problem: string}} Why answer: null: not computed yet, or
 *     `problem` has the reason why there is no answer; piece: index of the highlighted piece, or -1
 */

/** If there are more pieces, the panel shows their groups first, as `txtap why` does. */
const PIECES_SHOWN = 40;

/** Room beside the path on each side when the picture shows it, as a part of its length. */
const AROUND = 0.15;

/** Asks a question, and opens the panel. Stops following a live target, so that the path stays in sight.
 *  @param {ViewState} view @param {Question} question */
export function askWhy(view, question) {
    view.set({ why: { question, answer: null, piece: -1, problem: '' }, panel: 'why', follow: false });
}

/** Asks for the job or the wait at the selected state of a thread's row, or else at the selected event. Uses the middle of a
 *  state, because two spans share their common end.
 *  @param {ViewState} view */
export function askSelected(view) {
    const { trace, selected, selectedRow } = view;

    if (!trace || selected < 0)
        return;
    const row = trace.rows()[selectedRow];
    const step = row?.kind === 'thread' ? trace.step(selectedRow, trace.ticks(selected)) : null;

    if (step)
        askWhy(view, { select: 'time', address: row.address, isThread: true, ticks: Math.floor((step.from + step.to) / 2) });
    else
        askWhy(view, { select: 'event', event: trace.seq(selected) });
}

export class WhyPanel {
    /** @param {ViewState} view @param {HTMLElement} panel */
    constructor(view, panel) {
        this.view = view;
        this.panel = panel;
        /** The question that is being computed.
         *  @type {Question|null} */
        this.run = null;
        panel.addEventListener('pointerover', (event) => this.point(event));
        panel.addEventListener('pointerleave', () => this.highlight(-1));
        panel.addEventListener('focusin', (event) => this.point(event));
        panel.addEventListener('click', (event) => this.click(event));
        view.on((changed) => this.changed(changed));
        this.show();
    }

    /** @param {Set<string>} changed */
    changed(changed) {
        const { why } = this.view;

        if (changed.has('hz') && why) { // the sentences have times
            this.view.set({ why: { ...why, answer: null, problem: '' } });
            return;
        }
        if (changed.has('why') && why?.answer && why.question === this.shown) {
            this.showHighlight();
            return;
        }
        if (changed.has('why') || changed.has('trace'))
            this.show();
        if (['why', 'panel', 'loading', 'trace'].some((name) => changed.has(name)))
            this.begin();
    }

    /** Computes the answer, unless it is there already. */
    async begin() {
        const { view } = this;
        const { trace, why } = view;

        if (!trace || !why || why.answer || why.problem || view.panel !== 'why' || view.loading || this.run === why.question)
            return;
        this.run = why.question;
        /** Reports whether nobody has asked another question. */
        const isAsked = () => view.trace === trace && view.why?.question === why.question && !view.why.answer;
        let answer = null;
        let problem = 'The trace does not show a whole job or wait there.';

        try {
            const done = await inSlices(trace, () => trace.beginWhy(why.question), () => trace.endWhy(), () => isAsked() && view.panel === 'why');

            answer = done?.report ?? null;
            if (!done)
                problem = '';
        } catch (error) {
            problem = errorText(error);
        }
        this.run = this.run === why.question ? null : this.run;
        if (!isAsked() || (!answer && !problem))
            return;
        view.set({ why: { question: why.question, answer, piece: -1, problem: answer ? '' : problem } });
        if (answer)
            this.showPath(answer);
    }

    /** Moves and zooms the picture so that the whole path is in it, if a part of the path is outside or the path is small.
     *  @param {Answer} answer */
    showPath(answer) {
        const { view } = this;
        const from = view.position(answer.start.ticks - (answer.before ?? 0));
        const to = Math.max(view.position(answer.end.ticks), from + 1);
        const room = (to - from) * AROUND;

        if (from < view.from || to > view.to || (to - from) * 8 < view.to - view.from)
            view.show(from - room, to + room);
    }

    show() {
        const { why } = this.view;

        this.shown = why?.answer ? why.question : null;
        if (!why)
            fill(this.panel, element('p', { class: 'hint' }, 'Click a state of a thread, or an event, and press ', element('kbd', {}, 'W'),
                ': why did this job, or this wait, take so long? ', element('kbd', {}, 'why'), ' beside a figure explains its maximum.'));
        else if (why.answer)
            fill(this.panel, ...this.parts(why.answer));
        else
            fill(this.panel, why.problem ? element('p', { class: 'hint', role: 'alert' }, why.problem) : element('p', { class: 'hint', role: 'status' }, 'Looking for the cause…'));
    }

    /** @param {Answer} answer */
    parts(answer) {
        const { hz } = this.view.trace.state();
        const grouped = answer.pieces.length > PIECES_SHOWN;
        const rows = answer.pieces.map((piece, index) => pieceRow(piece, answer, hz, index));
        const groups = grouped ? answer.groups.map((group) => pieceRow(group, answer, hz, -1)) : [];
        const sum = `${formatSpan(answer.total + (answer.before ?? 0), hz)} in all${answer.before ? ', with the time before' : ''}`;
        /** @param {string} place @param {HTMLElement[]} body */
        const table = (place, body) => element('table', { class: 'why' },
            element('thead', {}, element('tr', {}, ...['Time', '%', place, 'What'].map((text) => element('th', { scope: 'col' }, text)))),
            element('tbody', {}, ...body));

        return [
            element('p', { class: 'cause' }, answer.cause),
            element('p', { class: 'of' }, answer.span),
            answer.notes.length ? element('ul', { class: 'notes', role: 'note' }, ...answer.notes.map((note) => element('li', {}, note))) : null,
            element('div', { class: 'line' }, element('button', { type: 'button', 'data-do': 'path', title: 'Show the whole path' }, 'Show path'),
                element('button', { type: 'button', 'data-do': 'close', title: 'Remove the path from the picture ( Esc )' }, 'Close')),
            grouped ? element('section', { class: 'block' }, element('h3', {}, 'By cause'), table('Pieces', groups)) : null,
            element('section', { class: 'block' }, element('h3', {}, 'Pieces'), table('Event', rows), element('p', { class: 'quiet' }, sum)),
        ];
    }

    /** @param {number} piece */
    highlight(piece) {
        const { why } = this.view;

        if (why?.answer && why.piece !== piece)
            this.view.set({ why: { ...why, piece } });
    }

    showHighlight() {
        for (const row of /** @type {NodeListOf<HTMLElement>} */ (this.panel.querySelectorAll('tr[data-piece]')))
            row.classList.toggle('chosen', Number(row.dataset.piece) === this.view.why.piece);
    }

    /** @param {Event} event */
    point(event) {
        const row = /** @type {HTMLElement|null} */ (/** @type {HTMLElement} */ (event.target).closest('tr[data-piece]'));

        this.highlight(row ? Number(row.dataset.piece) : -1);
    }

    /** @param {Event} event */
    click(event) {
        const target = /** @type {HTMLElement} */ (event.target);
        const { why } = this.view;
        const action = /** @type {HTMLElement|null} */ (target.closest('[data-do]'))?.dataset.do;
        const row = /** @type {HTMLElement|null} */ (target.closest('tr[data-piece]'));

        if (action === 'close')
            this.view.set({ why: null });
        else if (why?.answer && action === 'path')
            this.showPath(why.answer);
        else if (why?.answer && row)
            this.go(why.answer.pieces[Number(row.dataset.piece)]);
    }

    /** Shows a piece.
     *  @param {Piece} piece */
    go(piece) {
        const { view } = this;
        const from = view.position(piece.from);
        const to = Math.max(view.position(piece.to), from + 1);
        const index = view.trace.indexOfSeq(piece.event ?? Infinity);

        if (view.trace.seq(index) === piece.event)
            view.select(index, { row: view.trace.event(index)?.row ?? -1 });
        if (from < view.from || to > view.to || (to - from) * 20 < view.to - view.from)
            view.show(from - (to - from), to + (to - from));
    }
}

/** @param {Piece & {count?: number}} piece @param {Answer} answer @param {number} hz @param {number} index -1: a group */
function pieceRow(piece, answer, hz, index) {
    const share = piece.before || !answer.total ? '' : (100 * piece.ticks / answer.total).toFixed(1);
    const place = index < 0 ? formatNumber(piece.count) : piece.event === undefined ? ''
        : element('button', { type: 'button', class: 'link', title: `Shows this piece, event #${piece.event}` }, piece.event);

    return element('tr', { 'data-piece': index < 0 ? null : index, class: piece.before ? 'quiet' : null },
        element('td', { title: `${formatNumber(piece.ticks)} ticks` }, formatSpan(piece.ticks, hz)), element('td', {}, share),
        element('td', {}, place), element('td', {}, piece.line));
}

/** Returns the part of the URL for the question of a view.
 *  @param {ViewState} view */
export function whyText(view) {
    return formatQuestion(view.why?.question);
}
