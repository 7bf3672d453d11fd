// SPDX-License-Identifier: MIT
// Builds the static site: the viewer, sample traces, and the documents as HTML, with the same folders as in the source
// tree, so that the links between documents need no change but their suffix. scripts/site runs it.
// usage: build.mjs TXTAP OUT
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const [txtap, out] = process.argv.slice(2);
const SITE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(SITE, '../..');
const POLICY = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";
const FOLDERS = ['docs/user', 'docs/reference', 'docs/developer'];

/** The sample traces: name of the page, file in tests/data, title. */
const SAMPLES = [
    ['demo', 'analysis/demo_live.trx', 'The demo: samples pass through three threads'],
    ['threadx', 'demo_threadx.trx', "ThreadX's own demo, a file that comes with TraceX"],
    ['inversion', 'analysis/inv_unbounded.trx', 'Priority inversion'],
    ['deadlock', 'analysis/deadlock.trx', 'Deadlock of two threads'],
    ['queue_full', 'analysis/queue_full.trx', 'A queue that is full'],
];

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...markdown('docs/user', 'docs/reference', 'docs/developer'),
    ...markdown('integrations', 'target', 'tests')];

/** Returns the Markdown files below folders, sorted. */
function markdown(...folders) {
    return folders.flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true })
        .filter((name) => name.endsWith('.md')).map((name) => posix.join(folder, name)).sort());
}

/** Returns the address of the page of a document: index.html is the page of the site itself. */
const pageOf = (path) => path.replace(/\.md$/, '.html');

function write(path, content) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), content);
}

function copy(from, to) {
    mkdirSync(dirname(join(out, to)), { recursive: true });
    copyFileSync(join(ROOT, from), join(out, to));
}

const plain = (html) => html.replace(/<[^>]*>/g, '').replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&quot;/g, '"').replace(/&amp;/g, '&');

/** Gives each heading GitHub's anchor, which the links of the documents use. tests/house/links.sh has the same rule. */
function withAnchors(html) {
    const times = new Map();
    return html.replace(/<(h[1-6])>(.*?)<\/\1>/gs, (_, tag, inner) => {
        const anchor = plain(inner).toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
        const before = times.get(anchor) ?? 0;
        times.set(anchor, before + 1);
        return `<${tag} id="${anchor}${before ? `-${before}` : ''}">${inner}</${tag}>`;
    });
}

/** Files that documents link to, other than documents. The site has copies of them. */
const linked = new Set();

/** Returns the address for a link of a document. */
function target(page, link) {
    if (/^[a-z]+:/.test(link) || link.startsWith('#'))
        return link;
    const [path, anchor] = link.split('#');
    const file = posix.join(posix.dirname(page), path);
    if (file.startsWith('../'))
        throw new Error(`${page}: ${link} is outside of the project`);
    if (pages.includes(file))
        return pageOf(path) + (anchor ? `#${anchor}` : '');
    if (statSync(join(ROOT, file)).isDirectory())
        throw new Error(`${page}: ${link} is a folder: link to a file`);
    linked.add(file);
    return link;
}

const frame = readFileSync(join(SITE, 'frame.html'), 'utf8');

/** Writes a page of the site. content: HTML. */
function writePage(at, content) {
    const title = plain(/<h1[^>]*>(.*?)<\/h1>/s.exec(content)?.[1] ?? at).replace(/[&<]/g, '');
    const up = '../'.repeat(at.split('/').length - 1);
    const values = { POLICY, TITLE: title, UP: up, CONTENT: content };
    write(at, frame.replace(/%([A-Z]+)%/g, (_, name) => values[name]));
}

/** Writes the page of a document. text: Markdown. */
function writeDocument(source, text) {
    const html = execFileSync('cmark-gfm', ['--unsafe', '-e', 'table', '-e', 'autolink'], { input: text, encoding: 'utf8' });
    writePage(pageOf(source), withAnchors(html).replace(/\b(href|src)="([^"]+)"/g, (_, name, link) => `${name}="${target(source, link)}"`));
}

/** Returns the document with the list of all documents. */
function contents() {
    const title = (path) => /^# (.*)$/m.exec(read(path))[1];
    const list = (paths) => paths.map((path) => `- [${title(path)}](${posix.relative('docs', path)})`).join('\n');
    const [user, reference, developer] = FOLDERS.map((folder) => list(pages.filter((path) => path.startsWith(`${folder}/`))));
    return `# Documents\n\n- [Overview](../README.md)\n- [Changelog](../CHANGELOG.md)\n\n## For users\n\n${user}\n\n` +
        `## Reference\n\n${reference}\n\n## For developers\n\n${developer}\n`;
}

const view = (name, ...args) => execFileSync(txtap, ['view', '-q', '--force', '-o', join(out, name), ...args], { stdio: ['ignore', 'ignore', 'inherit'] });

mkdirSync(join(out, 'samples'), { recursive: true });
view('viewer.html');
for (const [name, trace] of SAMPLES) {
    copy(`tests/data/${trace}`, `samples/${name}.trx`);
    view(`samples/${name}.html`, join(out, 'samples', `${name}.trx`));
}
const rows = SAMPLES.map(([name, , title]) => `<tr><td><a href="samples/${name}.html">${title}</a></td>` +
    `<td><a href="samples/${name}.trx" download>${name}.trx</a></td></tr>`);
writePage('index.html', read('docs/site/index.html').replace('%SAMPLES%', rows.join('\n')));
writeDocument('docs/contents.md', contents());
for (const page of pages)
    writeDocument(page, read(page));
for (const file of linked)
    copy(file, file);
copy('docs/pictures/view.png', 'docs/pictures/view.png');
copy('docs/site/style.css', 'style.css');
