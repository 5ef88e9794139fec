import { expect, test } from 'bun:test';
import { dirname, join } from 'node:path';
import { TEXTS } from '#src/service/manual/texts.ts';
import soak from '#test/soak/figures.json' with { type: 'json' };
import {
  exampleAnswer,
  FLEET,
  MEASUREMENTS,
  REFERENCE,
  SCALE,
  SIZING,
  withAnswer,
  withBench,
  withExitCodes,
  withFleet,
  withFolders,
  withoutVolatile,
  withParts,
  withPeers,
  withRooms,
  withScale,
  withSettings,
  withSharedLimiter,
  withSizing,
  withSoak,
} from '../.ci/readme.ts';

const readme = await Bun.file('README.md').text();
const fleet = await Bun.file(FLEET).text();
const reference = await Bun.file(REFERENCE).text();
const measurements = await Bun.file(MEASUREMENTS).text();
const sizing = await Bun.file(SIZING).text();

test('the README has at most 12,000 bytes', () => {
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(12_000);
});

test('the reference lists the settings of the code', () => {
  expect(withSettings(reference)).toBe(reference);
});

test('the measurements have the figures of the latest soak, which broke no guarantee', async () => {
  expect(await withSoak(measurements)).toBe(measurements);
  expect(measurements).toContain('<!-- soak:');
  expect(soak.violations).toEqual([]);
});

test('the measurements have the figures of the latest bench', async () => {
  expect(await withBench(measurements)).toBe(measurements);
  expect(measurements).toContain('<!-- bench:');
});

test('the measurements have the latest figures of other services', async () => {
  expect(await withPeers(measurements)).toBe(measurements);
  expect(measurements).toContain('<!-- peers:');
});

test('the measurements have the latest figures of a shared limiter', async () => {
  expect(await withSharedLimiter(measurements)).toBe(measurements);
  expect(measurements).toContain('<!-- limiter:');
});

test('the manual has the latest figures of a node and its database', async () => {
  expect(await withFleet(fleet)).toBe(fleet);
});

test('the figures of a year follow from those of a node and its database', async () => {
  const scale = await Bun.file(SCALE).text();
  expect(await withScale(scale)).toBe(scale);
});

test('the sizes in the manual follow from the latest figures', async () => {
  expect(await withSizing(sizing)).toBe(sizing);
});

test('the manual has at most 130,000 bytes', async () => {
  const bytes = Object.values(TEXTS).map((text) => Buffer.byteLength(text));
  expect(bytes.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(130_000);
});

test('the README lists the parts of the manual', () => {
  expect(withParts(readme)).toBe(readme);
});

test('README and CONTRIBUTING list the folders and rooms of the architecture test', async () => {
  expect(withFolders(readme)).toBe(readme);
  const contributing = await Bun.file('.github/CONTRIBUTING.md').text();
  expect(withRooms(contributing)).toBe(contributing);
});

test('the reference lists the exit codes of the code', () => {
  expect(withExitCodes(reference)).toBe(reference);
});

test('the example answer in the README equals the output of the program', async () => {
  expect(withoutVolatile(withAnswer(readme, await exampleAnswer()))).toBe(withoutVolatile(readme));
});

test('the commands to run and test are at the top of the README', () => {
  const top = readme.split('\n').slice(0, 30).join('\n');
  expect(top).toContain('npx -y --allow-scripts=bun bun@1.4.4 run start');
  expect(top).toContain('npx -y --allow-scripts=bun bun@1.4.4 run test');
});

/** Documents whose links and file names are verified. */
const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  '.github/CONTRIBUTING.md',
  '.github/SECURITY.md',
  'src/service/server/INTERFACE.md',
  'src/parts/packs/packs/FORMAT.md',
];

test.each(DOCUMENTS)('%s links to and names only existing files', async (document) => {
  const text = await Bun.file(document).text();
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => join(dirname(document), path ?? ''));
  const named = [...text.matchAll(/`((?:src|test|\.ci|drizzle)\/[\w./-]+\.\w+)`/g)].map(([, path]) => path ?? '');
  // Placeholders in the file names of recipes.
  const paths = [...links, ...named].filter((path) => !/\b(?:NAME|ROOM|CODE)\b/.test(path));
  const isThere = await Promise.all(paths.map((path) => Bun.file(path).exists()));
  expect(paths.filter((_, index) => !isThere[index])).toEqual([]);
});
