// SPDX-License-Identifier: MIT
/* The line in the header that shows the trace's source and missing data, with the buttons of a stream. */
import { element, fill, setText } from './dom.js';
import { linkText, missingOfServer } from './link_state.js';
import { LossChip, adviceTexts } from './loss_chip.js';

export class LiveLine {
    /**
     * @param {import('./view_state.js').ViewState} view
     * @param {HTMLElement} host
     */
    constructor(view, host) {
        this.view = view;
        /** @type {import('./link_state.js').Link} */
        this.link = { phase: 'still', paused: false, waitingBytes: 0, catchingUp: false, since: '', startedAgain: '', problem: '',
            part: 0, server: { lost: 0, lostExact: true, advice: '' } };
        this.dot = element('i', { class: 'dot', 'aria-hidden': 'true' });
        this.text = element('span', { class: 'link', role: 'status' });
        this.pause = this.button('pause_stream', 'Pause', 'Freezes the picture; new data waits until you continue (Space)');
        this.newest = this.button('show_newest', 'Newest', 'Follows the newest events (f)');
        this.pause.addEventListener('click', () => this.togglePause());
        this.newest.addEventListener('click', () => this.showNewest());
        host.append(this.dot, this.text, this.pause, this.newest);
        this.losses = new LossChip(view, host);
        this.buildNotice();
        view.on((changed) => ['paused', 'follow', 'data', 'trace'].some((name) => changed.has(name)) && this.show());
        this.show();
    }

    /** Builds the strip above the timeline that shows txtap's advice against losses until the user closes it. */
    buildNotice() {
        this.notice = document.getElementById('notice');
        this.closed = '';
        this.advice = element('span');
        const close = element('button', { type: 'button', class: 'small', 'aria-label': 'Close' }, '✕');

        close.addEventListener('click', () => {
            this.closed = this.link.server.advice;
            this.show();
        });
        this.notice.append(this.advice, close);
    }

    /** @param {string} id @param {string} text @param {string} title */
    button(id, text, title) {
        return element('button', { type: 'button', id, title, hidden: true }, text);
    }

    /** @param {Partial<import('./link_state.js').Link>} changes */
    set(changes) {
        Object.assign(this.link, changes);
        this.show();
    }

    isLive() {
        return ['connecting', 'open', 'gone'].includes(this.link.phase);
    }

    togglePause() {
        if (this.isLive())
            this.view.set({ paused: !this.view.paused });
    }

    /** Continues, and follows the newest events. */
    showNewest() {
        const { view } = this;
        const { to } = view.extent();

        view.set({ paused: false, follow: false });
        view.show(to - (view.to - view.from), to);
        view.set({ follow: true });
    }

    show() {
        const { link, view } = this;
        const { text, kind } = linkText({ ...link, paused: view.paused });
        const live = this.isLive();

        setText(this.text, text);
        this.text.title = link.phase === 'gone' ? `${text}; retrying every second` : text;
        this.dot.className = `dot ${kind}`;
        this.dot.hidden = text === '';
        this.pause.hidden = this.newest.hidden = !live;
        setText(this.pause, view.paused ? 'Continue' : 'Pause');
        this.pause.setAttribute('aria-pressed', String(view.paused));
        this.newest.setAttribute('aria-pressed', String(view.follow && !view.paused));
        this.showLosses();
    }

    showLosses() {
        const { view } = this;
        const { server } = this.link;
        const state = view.trace?.state();

        this.losses.show(state?.events ? state : missingOfServer(server), server.advice);
        this.notice.hidden = server.advice === '' || server.advice === this.closed;
        this.notice.classList.toggle('alone', !state?.events);
        if (this.advice.textContent !== server.advice)
            fill(this.advice, ...adviceTexts(server.advice));
    }
}
