import { expect, test } from 'bun:test';
import { exampleAnswer, withAnswer, withoutVolatile, withSettings } from '../.ci/readme.ts';

const readme = await Bun.file('README.md').text();

test('the settings in the README are those of the code', () => {
  expect(withSettings(readme)).toBe(readme);
});

test('the answer in the README is what the program answers', async () => {
  expect(withoutVolatile(withAnswer(readme, await exampleAnswer()))).toBe(withoutVolatile(readme));
});

test('the two commands that a stranger needs stand at the top', () => {
  const top = readme.split('\n').slice(0, 30).join('\n');
  expect(top).toContain('npx -y --allow-scripts=bun bun@1.4.4 run start');
  expect(top).toContain('npx -y --allow-scripts=bun bun@1.4.4 run test');
});

test('files that the README links to are there', async () => {
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => path ?? '');
  const missing = await Array.fromAsync(links, async (path) => ((await Bun.file(path).exists()) ? null : path));
  expect(missing.filter((path) => path !== null)).toEqual([]);
  expect(links.length).toBeGreaterThan(0);
});
