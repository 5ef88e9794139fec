import { expect, test } from 'bun:test';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { launchChromium } from './ui-browser.ts';

/** What the foreign page does once its name leads to the service: it reads the history and starts a check. */
const ATTACK = `Promise.all([
  fetch('/api/history').then((answer) => answer.status),
  fetch('/api/check-url', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"url": "https://example.com/"}',
  }).then((answer) => answer.status),
])`;

test('a page whose name is rebound to the service neither reads the history nor starts a check', async () => {
  await using directory = temporaryDirectory();
  // The name leads to this machine all the time; what changes is who answers there, which is the same to the browser.
  const hostile = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response('<p>hostile', { headers: { 'content-type': 'text/html' } }),
  });
  const { port } = hostile;
  await using browser = await launchChromium('MAP evil.example 127.0.0.1');
  const page = await browser.newPage();
  await page.goto(`http://evil.example:${port}/`);
  await hostile.stop(true);
  await using service = await startService(directory.path, ['--listen', `127.0.0.1:${port}`]);
  await service.result('https://somebody-else.example/');
  expect(await page.evaluate<number[]>(ATTACK)).toEqual([421, 421]);
  expect((await service.history()).items).toHaveLength(1);
});
