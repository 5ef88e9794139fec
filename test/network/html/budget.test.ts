import { expect, test } from 'bun:test';

test('reading a page of 2 MiB takes at most seven times its parsing time, and less than 128 MiB', async () => {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/read-large-page.ts`], { stdout: 'pipe' });
  const took = JSON.parse(await new Response(child.stdout).text());
  expect(await child.exited).toBe(0);
  expect(took.timesBare).toBeLessThan(7);
  expect(took.grownMiB).toBeLessThan(128);
});
