import { expect, test } from 'bun:test';
import { listsAnalyzer } from '#src/analyzers/lists.ts';
import { indexList } from '#src/lists/list-index.ts';
import { parseList } from '#src/lists/parse.ts';
import { observeLists } from '#src/probes/lists.ts';
import { targetOf } from '#test/support/target.ts';

const ours = { name: 'ours.txt', changedAtMs: null, index: indexList(parseList('evil.example\nboth.example')) };
const fine = { name: 'fine.txt', changedAtMs: null, index: indexList(parseList('good.example\nboth.example')) };

function namesFor(url: string): string[] | undefined {
  const lists = observeLists({ block: [ours], allow: [fine] }, targetOf(url));
  return listsAnalyzer
    .analyze({ observations: { lists }, isDoubted: false })
    ?.features.map(({ name, message }) => `${name}: ${message}`);
}

test('what is on a list is said with its file, line and entry', () => {
  expect(namesFor('https://login.evil.example/')).toEqual([
    'lists.blocked: The URL is on the block list ours.txt: line 1, evil.example',
  ]);
  expect(namesFor('https://good.example/')).toEqual([
    'lists.allowed: The URL is on the allow list fine.txt: line 1, good.example',
  ]);
  expect(namesFor('https://both.example/')).toHaveLength(2);
  expect(namesFor('https://other.example/')).toEqual([]);
});

test('without lists there is nothing to look up', () => {
  const lists = observeLists({ block: [], allow: [] }, targetOf('https://evil.example/'));
  expect(lists).toEqual({ state: 'skipped', reason: 'disabled' });
  expect(listsAnalyzer.analyze({ observations: { lists }, isDoubted: false })).toBeNull();
});
