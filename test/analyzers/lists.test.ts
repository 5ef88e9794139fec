import { expect, test } from 'bun:test';
import { listsAnalyzer } from '#src/analyzers/lists.ts';
import { indexList } from '#src/lists/list-index.ts';
import { parseList } from '#src/lists/parse.ts';
import { createListsProbe } from '#src/probes/lists.ts';
import { isTargetProblem, parseTarget } from '#src/url/target.ts';

const ours = { name: 'ours.txt', index: indexList(parseList('evil.example\nboth.example')) };
const fine = { name: 'fine.txt', index: indexList(parseList('good.example\nboth.example')) };

async function namesFor(url: string): Promise<string[] | undefined> {
  const target = parseTarget(url);
  if (isTargetProblem(target)) throw new Error(target.message);
  const value = await createListsProbe({ block: [ours], allow: [fine] }).observe(
    target,
    null,
    new AbortController().signal,
  );
  const lists = { state: 'observed', value, elapsedMs: 0 } as const;
  return listsAnalyzer
    .analyze({ observations: { lists } })
    ?.features.map((feature) => `${feature.name}: ${feature.message}`);
}

test('what is on a list is said with its file, line and entry', async () => {
  expect(await namesFor('https://login.evil.example/')).toEqual([
    'lists.blocked: It is on the block list ours.txt: line 1, evil.example.',
  ]);
  expect(await namesFor('https://good.example/')).toEqual([
    'lists.allowed: It is on the allow list fine.txt: line 1, good.example.',
  ]);
  expect(await namesFor('https://both.example/')).toHaveLength(2);
  expect(await namesFor('https://other.example/')).toEqual([]);
});

test('a look-up that did not happen is no evidence', () => {
  const lists = { state: 'skipped', reason: 'not_applicable' } as const;
  expect(listsAnalyzer.analyze({ observations: { lists } })).toBeNull();
});

test('without lists there is nothing to look up', () => {
  const target = parseTarget('https://evil.example/');
  if (isTargetProblem(target)) throw new Error(target.message);
  expect(createListsProbe({ block: [], allow: [] }).applies(target)).toBe(false);
  expect(createListsProbe({ block: [ours], allow: [] }).applies(target)).toBe(true);
});
