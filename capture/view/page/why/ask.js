// SPDX-License-Identifier: MIT
/* Buttons in reports that ask why a figure has its maximum. */
import { element } from '../dom.js';
import { askWhy } from './panel_why.js';
import { questionOf } from './question.js';

/** Returns the cause of a response's maximum, if it is the longest job of its thread; '': not known.
 *  @param {import('../report_model.js').Report} report @param {import('../report_model.js').Figure} figure */
function causeOf(report, { name, subject, max_at }) {
    const job = name === 'response' ? report.jobs?.find(({ thread, end }) => thread.number === Number(subject.address) && end.event === max_at?.event) : null;

    return job?.cause ?? '';
}

/**
 * Returns a function that makes the button for a figure, or null if `txtap why` does not explain it. says: the button has the
 * cause itself, if the report has it.
 * @param {import('../view_state.js').ViewState} view @param {import('../report_model.js').Report} report
 * @param {{from: number, to: number}|null} range of the report; null: the whole trace
 * @returns {(figure: import('../report_model.js').Figure|undefined, says?: boolean) => HTMLElement|null}
 */
export function whyButtons(view, report, range) {
    return (figure, says = false) => {
        const question = figure ? questionOf(figure, range) : null;
        const cause = says && question ? causeOf(report, figure) : '';

        return question && element('button', { type: 'button', class: `link ask${cause ? ' cause' : ''}`, title: 'Explains this maximum: who or what took the time',
            onclick: () => askWhy(view, question) }, cause || 'why');
    };
}
