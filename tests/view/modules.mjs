// SPDX-License-Identifier: MIT
/*
 * The page's modules become one script: modules.txt has each of them after those that it imports, no two have a name in
 * common, and each import names what that module exports.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';

const PAGE = new URL('../../capture/view/page/', import.meta.url);
const read = (name) => readFileSync(new URL(name, PAGE), 'utf8');
const modules = read('modules.txt').split('\n').filter((line) => line && !line.startsWith('#'));
const DECLARED = /^(export )?(?:async )?(?:function\*?|class|const|let|var) +(\w+|\{[^}]*\}|\[[^\]]*\])/gm;
const IMPORTED = /^import \{ ([^}]*) \} from '\.\/([\w.]+)';$/gm;

const declared = (name) => [...read(name).matchAll(DECLARED)].map(([, exported, word]) => ({ exported: Boolean(exported), word }));

test('modules.txt names each module once', () => {
    assert.deepEqual([...modules].sort(), readdirSync(PAGE).filter((name) => name.endsWith('.js')).sort());
});

test('a name stands at the top of one module alone', () => {
    const seen = new Map();

    for (const name of modules)
        for (const { word } of declared(name)) {
            assert.match(word, /^\w+$/, `${name}: ${word}`);
            assert.ok(!seen.has(word), `${word} is in ${seen.get(word)} and in ${name}`);
            seen.set(word, name);
        }
});

test('a module comes behind those that it imports, and they export what it wants', () => {
    for (const [place, name] of modules.entries())
        for (const [, words, from] of read(name).matchAll(IMPORTED)) {
            assert.ok(modules.indexOf(from) >= 0 && modules.indexOf(from) < place, `${name}: ${from}`);
            const exported = declared(from).filter((known) => known.exported).map((known) => known.word);

            for (const word of words.split(', '))
                assert.ok(exported.includes(word), `${name}: ${word} of ${from}`);
        }
});

test('each import stands on one line', () => {
    for (const name of modules)
        assert.equal([...read(name).matchAll(/^import\b/gm)].length, [...read(name).matchAll(IMPORTED)].length, name);
});
