import { expect, test } from 'bun:test';
import { dirname, join } from 'node:path';
import soak from '#test/soak/figures.json' with { type: 'json' };
import {
  exampleAnswer,
  FLEET,
  SIZING,
  withAnswer,
  withBench,
  withExitCodes,
  withFleet,
  withoutVolatile,
  withParts,
  withSettings,
  withSharedLimiter,
  withSizing,
  withSoak,
} from '../.ci/readme.ts';

const readme = await Bun.file('README.md').text();
const fleet = await Bun.file(FLEET).text();

test('the settings in the README are those of the code', () => {
  expect(withSettings(readme)).toBe(readme);
});

test('the figures of the soak in the README are those that it left behind, and it found no promise broken', async () => {
  expect(await withSoak(readme)).toBe(readme);
  expect(soak.violations).toEqual([]);
});

test('the figures of the bench in the README are those that it left behind', async () => {
  expect(await withBench(readme)).toBe(readme);
});

test('the figures of a shared limiter in the manual are those that were measured last', async () => {
  expect(await withSharedLimiter(fleet)).toBe(fleet);
});

test('the figures of a node and its database in the manual are those that were measured last', async () => {
  expect(await withFleet(fleet)).toBe(fleet);
});

test('the sizes in the manual follow from what was measured last', async () => {
  const sizing = await Bun.file(SIZING).text();
  expect(await withSizing(sizing)).toBe(sizing);
});

test('the parts of the manual in the README are those that there are', () => {
  expect(withParts(readme)).toBe(readme);
});

test('the exit codes in the README are those of the code', () => {
  expect(withExitCodes(readme)).toBe(readme);
});

test('the answer in the README is what the program answers', async () => {
  expect(withoutVolatile(withAnswer(readme, await exampleAnswer()))).toBe(withoutVolatile(readme));
});

test('the two commands that a stranger needs stand at the top', () => {
  const top = readme.split('\n').slice(0, 30).join('\n');
  expect(top).toContain('npx -y --allow-scripts=bun bun@1.4.4 run start');
  expect(top).toContain('npx -y --allow-scripts=bun bun@1.4.4 run test');
});

/** What is written for people, beside the README. */
const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  '.github/CONTRIBUTING.md',
  '.github/SECURITY.md',
  'src/service/server/INTERFACE.md',
  'src/admin/packs/FORMAT.md',
];

test.each(DOCUMENTS)('what %s links to or names as a file of this repository is there', async (document) => {
  const text = await Bun.file(document).text();
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => join(dirname(document), path ?? ''));
  const named = [...text.matchAll(/`((?:src|test|\.ci|drizzle)\/[\w./-]+\.\w+)`/g)].map(([, path]) => path ?? '');
  // Of a recipe's file the name is for whoever follows it to choose.
  const paths = [...links, ...named].filter((path) => !/\b(?:NAME|ROOM|CODE)\b/.test(path));
  const isThere = await Promise.all(paths.map((path) => Bun.file(path).exists()));
  expect(paths.filter((_, index) => !isThere[index])).toEqual([]);
});
