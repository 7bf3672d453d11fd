// SPDX-License-Identifier: MIT
/* The chip in the header that shows missing events, and its list: how many are missing, what helps, and where each gap is. */
import { element, fill, setText } from './dom.js';
import { missingParts, missingShort } from './link_state.js';
import { gapText } from './loss.js';
import { formatMoment, formatNumber } from './units.js';

/** Maximum number of gaps in the list. */
const GAPS_MOST = 100;

/** The part of the view that a gap fills after a click on it. */
const GAP_PART = 0.4;

export class LossChip {
    /**
     * @param {import('./view_state.js').ViewState} view
     * @param {HTMLElement} host
     */
    constructor(view, host) {
        this.view = view;
        /** txtap's advice against losses, or ''. */
        this.advice = '';
        this.list = element('div', { id: 'loss_list', class: 'popover', popover: 'auto' });
        this.chip = element('button', { type: 'button', id: 'losses', class: 'missing chip', hidden: true, popovertarget: 'loss_list' });
        host.append(this.chip);
        document.body.append(this.list);
        this.list.addEventListener('beforetoggle', (event) => /** @type {ToggleEvent} */ (event).newState === 'open' && this.showList());
        this.list.addEventListener('click', (event) => this.click(event));
    }

    /** @param {import('./link_state.js').Missing} missing of the trace, or of the server if the trace has no events
     *  @param {string} advice */
    show(missing, advice) {
        const text = missingShort(missing);

        this.missing = missing;
        this.advice = advice;
        this.chip.hidden = text === '';
        setText(this.chip, text);
        this.chip.title = `${missingParts(missing).join('. ')}. Click: where`;
    }

    showList() {
        const { trace } = this.view;
        const { bottom, left } = this.chip.getBoundingClientRect();
        const gaps = trace ? trace.gapsBetween(0, trace.state().to + 1, GAPS_MOST + 1) : [];
        const hz = trace?.state().hz ?? 0;
        const more = (trace?.state().gaps ?? 0) - GAPS_MOST;

        fill(this.list, ...missingParts(this.missing).map((line) => element('p', {}, element('b', {}, line))),
            this.advice ? element('p', {}, ...adviceTexts(this.advice)) : null,
            element('ul', { class: 'hits' }, ...gaps.slice(0, GAPS_MOST).map((gap) => element('li', {},
                element('button', { type: 'button', class: 'link', 'data-from': String(gap.from), 'data-to': String(gap.to), 'data-index': String(gap.index) },
                    `${formatMoment(gap.from, hz)} `, element('span', { class: 'quiet' }, gapText(gap))))),
            more > 0 ? element('li', { class: 'quiet' }, `${formatNumber(more)} more gaps after these`) : null));
        this.list.style.top = `${Math.round(bottom + 4)}px`;
        this.list.style.left = `${Math.round(Math.max(8, Math.min(left, innerWidth - 388)))}px`;
    }

    /** Shows a gap.
     *  @param {Event} event */
    click(event) {
        const { from, to, index } = /** @type {HTMLElement} */ (event.target).closest('button')?.dataset ?? {};
        const { view } = this;

        if (index === undefined || !view.trace)
            return;
        const last = view.trace.state().first + view.trace.state().events - 1;
        const [start, end] = [view.position(Number(from)), view.position(Number(to))];
        const around = Math.max(end - start, view.spanLeast()) * (1 / GAP_PART - 1) / 2;

        this.list.hidePopover();
        view.lookAt(Math.min(Number(index), last));
        view.show(start - around, end + around);
    }
}

/** Splits an advice into texts that are not cut.
 *  @param {string} advice */
export function adviceTexts(advice) {
    return advice.match(/.{1,150}(?:\s|$)/gu) ?? [];
}
