// SPDX-License-Identifier: MIT
/* The page of two traces: two timelines, one above the other, which move together, and the table of figures beside them. */
import { element, fill, setText } from '../dom.js';
import { errorText } from '../plain_text.js';
import { inSlices } from '../report_slices.js';
import { formatSpan } from '../units.js';
import { commonThreads, hitOf, jobOf, markOf, NUMBER_MOST, selectedOf, startOf } from './anchors.js';
import { FiguresTable } from './figures_table.js';
import { ViewLink } from './link.js';
import { pageWith, sideFrames, sidePage } from './side.js';

/**
 * @typedef {import('./side.js').Page} Page
 * @typedef {import('./figures_table.js').Worst} Worst
 */

/** Ways to align, by name. */
const ALIGNMENTS = [['start', 'their starts'], ['selected', 'the selected events'], ['hit', 'a hit of a search'], ['job', 'a job of a thread'], ['mark', 'a mark']];

/** Room around the worst cases, as a part of the longest. */
const MARGIN = 0.25;

/**
 * Starts the page again, with two files of the user. It gets rid of everything that the page has now.
 * @param {HTMLElement} root a copy of the page, made before the page changed itself
 * @param {number} hz of both traces; 0: not known
 * @param {File[]} files
 */
export function compareFiles(root, hz, files) {
    globalThis.comparedFiles = files;
    const text = pageWith(root, { mode: 'compared', sides: files.map(({ name }) => ({ mode: 'dropped', name, hz })) });

    document.open();
    document.write(text);
    document.close();
}

/**
 * Starts the page.
 * @param {import('../embedded.js').Setup} setup with `sides`, and `comparison` if it is known
 * @returns {Promise<void>} resolves when both traces are read
 */
export async function startCompare(setup) {
    const holders = [...document.querySelectorAll('#data_a, #data_b')];

    for (const holder of holders)
        holder.remove(); // the frames get the page without the data, and read it from here
    const root = /** @type {HTMLElement} */ (document.documentElement.cloneNode(true));
    const setups = setup.sides.map((side, i) => /** @type {typeof side} */ ({ ...side, side: i === 0 ? 'a' : 'b', holder: i === 0 ? 'data_a' : 'data_b' }));
    const frames = sideFrames(root, setups);

    for (const [i, file] of (globalThis.comparedFiles ?? []).entries())
        /** @type {any} */ (frames[i]).files = [file];
    const page = new ComparePage(frames, setup);

    document.title = `${setup.sides.map((side) => side.name).join(' and ')} – txtap`;
    document.body.className = 'comparing';
    fill(document.body, page.header, page.stack, page.panel, element('div', { hidden: true }, ...holders));
    await page.start(setup);
}

class ComparePage {
    /** @param {HTMLIFrameElement[]} frames @param {import('../embedded.js').Setup} setup */
    constructor(frames, setup) {
        this.frames = frames;
        /** @type {Page[]} */
        this.pages = [];
        /** @type {ViewLink|null} */
        this.link = null;
        this.stack = element('main', { id: 'sides' }, ...frames);
        this.panel = element('aside', { id: 'compared', 'aria-label': 'Compare' });
        this.said = element('span', { id: 'aligned', class: 'quiet', role: 'status' }, 'reading both traces…');
        this.header = this.buildHeader(setup);
        if (setup.comparison)
            this.showFigures(setup.comparison);
        else
            fill(this.panel, element('p', { class: 'hint' }, 'The figures follow when both traces are read…'));
    }

    /** @param {import('./figures_table.js').Comparison|{problem: string}} comparison */
    showFigures(comparison) {
        if ('problem' in comparison)
            fill(this.panel, element('p', { class: 'problem', role: 'alert' }, comparison.problem));
        else
            new FiguresTable(this.panel, comparison, (worst, name) => this.showWorst(worst, name));
    }

    /** Computes and compares the figures of both traces.
     *  @param {import('../embedded.js').Setup} setup */
    async computeFigures(setup) {
        const traces = this.pages.map(({ view }) => view.trace);
        const sides = [];

        for (const [i, trace] of traces.entries()) {
            const { report } = await inSlices(trace, () => trace.beginReport(), () => trace.endFigures(), () => true);

            sides.push({ name: setup.sides[i].name, figures: report });
        }
        this.showFigures(traces[0].compare(sides));
    }

    /** @param {import('../embedded.js').Setup} setup */
    buildHeader({ sides }) {
        this.how = element('select', { id: 'align_how', 'aria-label': 'Align at' },
            ...ALIGNMENTS.map(([value, text]) => element('option', { value }, text)));
        this.number = element('input', { type: 'number', id: 'align_number', min: 1, max: NUMBER_MOST, value: 1, 'aria-label': 'Number' });
        this.query = element('input', { type: 'search', id: 'align_query', placeholder: 'Search', 'aria-label': 'Search in both traces' });
        this.thread = element('select', { id: 'align_thread', 'aria-label': 'Thread' });
        this.locked = element('button', { type: 'button', id: 'lock', 'aria-pressed': true, title: 'Both timelines move together' }, 'Locked');
        const whole = element('button', { type: 'button', id: 'show_both', title: 'Show both whole traces' }, 'Fit both');
        const form = element('form', { class: 'align' }, element('label', { for: 'align_how' }, 'Align at'), this.how,
            this.query, this.thread, this.number, element('button', { type: 'submit', id: 'align' }, 'Align'));

        this.how.addEventListener('change', () => this.showFields());
        form.addEventListener('submit', (event) => {
            event.preventDefault();
            this.align();
        });
        this.locked.addEventListener('click', () => this.link?.lock(!this.link.locked));
        whole.addEventListener('click', () => this.link?.showAll());
        this.showFields();
        return element('header', { id: 'header' }, element('span', { class: 'brand', 'aria-hidden': 'true' }, element('b', {}, 'tx'), 'tap'),
            element('h1', { id: 'title' }, sides.map(({ name }, i) => `${'AB'[i]}: ${name}`).join('   ')), form, this.locked, whole, this.said);
    }

    showFields() {
        const how = this.how.value;

        this.query.hidden = how !== 'hit';
        this.thread.hidden = how !== 'job';
        this.number.hidden = !['hit', 'job', 'mark'].includes(how);
    }

    /** Links both views when both traces are read.
     *  @param {import('../embedded.js').Setup} setup */
    async start(setup) {
        this.pages = await Promise.all(this.frames.map(sidePage));
        const views = this.pages.map(({ view }) => view);

        if (!views.every(({ trace }) => trace?.state().events)) {
            setText(this.said, 'a trace has no events, or cannot be read: nothing can be compared');
            fill(this.panel);
            return;
        }
        fill(this.thread, ...commonThreads(views).map((name) => element('option', { value: name }, name)));
        this.link = new ViewLink(views);
        this.link.onChange = () => this.showLink();
        this.link.align(this.link.origins);
        this.link.showAll();
        if (!setup.comparison)
            await this.computeFigures(setup);
    }

    showLink() {
        const { link } = this;
        const offset = link.offset();
        const size = link.inSeconds() ? formatSpan(Math.abs(offset) * 1e9, 1e9) : formatSpan(Math.abs(offset), 0);

        this.locked.setAttribute('aria-pressed', String(link.locked));
        setText(this.locked, link.locked ? 'Locked' : 'Unlocked');
        setText(this.said, !link.locked ? 'each timeline moves alone' : offset === 0 ? 'aligned at equal times' :
            `aligned: B is ${size} ${offset > 0 ? 'later' : 'earlier'} in its trace than A`);
    }

    async align() {
        const { how, thread, query, number, pages, link } = this;
        const count = Math.min(Math.max(Math.trunc(Number(number.value)) || 1, 1), NUMBER_MOST);

        if (!link)
            return;
        try {
            const origins = await Promise.all(pages.map(async (page) => {
                if (how.value === 'hit')
                    return hitOf(page, query.value, count);
                if (how.value === 'job')
                    return jobOf(page.view, thread.value, count);
                if (how.value === 'mark')
                    return markOf(page.view, count);
                return how.value === 'selected' ? selectedOf(page.view) : startOf(page.view);
            }).map((moment, i) => moment.catch((error) => {
                throw new Error(`${'AB'[i]}: ${errorText(error)}`);
            })));

            this.showAt(origins, pages[0].view.shown());
        } catch (error) {
            setText(this.said, errorText(error));
        }
    }

    /** Aligns these moments, and moves the picture so that they are visible. The width of the picture stays.
     *  @param {number[]} origins @param {{from: number, to: number}} shown ticks of A */
    showAt(origins, { from, to }) {
        const { link } = this;
        const [view] = link.views;

        link.align(origins);
        if (origins[0] < from || origins[0] > to)
            view.show(view.position(origins[0]) - (view.to - view.from) / 2, view.position(origins[0]) + (view.to - view.from) / 2);
    }

    /** Selects the worst case of each side, and aligns the events that ended them.
     *  @param {Worst[]} worst @param {string} name of the figure */
    showWorst(worst, name) {
        const { link, pages } = this;

        if (!link)
            return;
        const found = pages.map(({ view }, i) => view.trace.indexOfSeq(worst[i].seq));

        if (pages.some(({ view }, i) => view.trace.seq(found[i]) !== worst[i].seq)) {
            setText(this.said, `${name}: a trace does not have this event`);
            return;
        }
        link.lock(false);
        for (const [i, { view }] of pages.entries()) {
            view.setByEvent(false);
            view.choose(found[i]);
        }
        const [view] = link.views;
        const origins = link.views.map((each, i) => each.trace.ticks(found[i]));
        const longest = Math.max(worst[0].ticks, worst[1].ticks / link.scale(0), view.spanLeast());

        link.align(origins);
        view.show(origins[0] - longest * (1 + MARGIN), origins[0] + longest * MARGIN);
    }
}
