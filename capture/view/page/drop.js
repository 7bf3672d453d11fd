// SPDX-License-Identifier: MIT
/* Files that the user drops on the page or chooses, and the welcome page of a viewer without a trace. */
import { element, fill } from './dom.js';
import { errorText } from './plain_text.js';

/**
 * Sorts files by name, numbers in the names by value: rotated recordings are numbered.
 * @template {{name: string}} T
 * @param {Iterable<T>} files
 * @returns {T[]}
 */
export function fileOrder(files) {
    return [...files].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}

/** Returns "trace.trx" or "ring-1.rec and 3 more".
 *  @param {{name: string}[]} files */
export function filesName(files) {
    return files.length === 1 ? files[0].name : `${files[0].name} and ${files.length - 1} more`;
}

export class FileDrop {
    /**
     * @param {import('./view_state.js').ViewState} view
     * @param {(files: File[]) => Promise<void>} open throws an error with a message of one line
     */
    constructor(view, open) {
        this.view = view;
        this.openFiles = open;
        this.chooser = element('input', { type: 'file', id: 'choose_files', multiple: true, class: 'unseen', tabindex: '-1',
            'aria-label': 'Files to open' });
        this.chooser.addEventListener('change', () => this.open(this.chooser.files));
        this.problem = element('p', { class: 'problem', role: 'alert' });
        this.welcome = element('section', { id: 'welcome', 'aria-label': 'Open a trace', hidden: true });
        this.target = element('div', { id: 'drop_target', hidden: true, 'aria-hidden': 'true' }, element('b', {}, 'Drop to open'));
        document.body.append(this.chooser, this.welcome, this.target);
        this.listen();
        view.on((changed) => changed.has('trace') && this.showWelcome(this.welcome.hidden === false && !view.trace));
    }

    listen() {
        addEventListener('dragover', (event) => this.dragged(event, true));
        addEventListener('dragleave', (event) => event.relatedTarget === null && this.dragged(event, false));
        addEventListener('drop', (event) => {
            this.dragged(event, false);
            if (event.dataTransfer?.files.length)
                this.open(event.dataTransfer.files);
        });
    }

    /** @param {DragEvent} event @param {boolean} over */
    dragged(event, over) {
        if (!event.dataTransfer?.types.includes('Files'))
            return;
        event.preventDefault();
        this.target.hidden = !over;
    }

    /** @param {FileList|File[]} files */
    async open(files) {
        const list = fileOrder(files);

        this.chooser.value = '';
        if (!list.length)
            return;
        this.problem.textContent = '';
        try {
            await this.openFiles(list);
        } catch (error) {
            this.fail(list, errorText(error));
        }
    }

    /** Shows an error about files. The trace on screen stays.
     *  @param {File[]} list @param {string} problem */
    fail(list, problem) {
        const name = filesName(list);

        this.showWelcome(true);
        fill(this.problem, problem.startsWith(name) ? problem : `${name}: ${problem}`);
        this.back.hidden = !this.view.trace;
    }

    choose() {
        this.chooser.click();
    }

    /** @param {boolean} on */
    showWelcome(on) {
        this.welcome.hidden = !on;
        if (on && !this.welcome.childElementCount)
            this.buildWelcome();
    }

    buildWelcome() {
        const button = element('button', { type: 'button', class: 'primary', id: 'open_files' }, 'Choose files…');

        button.addEventListener('click', () => this.choose());
        this.back = element('button', { type: 'button', hidden: true }, 'Back to the trace');
        this.back.addEventListener('click', () => this.showWelcome(false));
        fill(this.welcome,
            element('div', { class: 'sheet' },
                element('h2', {}, 'Open a trace'),
                element('p', {}, 'Drop files here: a trace buffer (.trx), a recording of ', element('code', {}, 'txtap record'),
                    ' (all of its parts at once), an ELF core or a memory dump. Two traces at once are compared. A file of checks is judged.'),
                element('p', {}, button, ' ', this.back),
                this.problem,
                element('p', { class: 'quiet' }, 'Your data stays on this computer: the page cannot send anything.')));
    }
}
