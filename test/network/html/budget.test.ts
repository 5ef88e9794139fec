import { expect, test } from 'bun:test';

test('a page of 2 MiB takes seven times as long as its bare parsing at most, and 128 MiB', async () => {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/read-large-page.ts`], { stdout: 'pipe' });
  const took = JSON.parse(await new Response(child.stdout).text());
  expect(await child.exited).toBe(0);
  expect(took.timesBare).toBeLessThan(7);
  expect(took.grownMiB).toBeLessThan(128);
});
