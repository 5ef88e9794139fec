import { expect, test } from 'bun:test';

test('a page of 2 MiB is read in 150 ms and 128 MiB', async () => {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/read-large-page.ts`], { stdout: 'pipe' });
  const took = JSON.parse(await new Response(child.stdout).text());
  expect(await child.exited).toBe(0);
  expect(took.bestMs).toBeLessThan(150);
  expect(took.grownMiB).toBeLessThan(128);
});
