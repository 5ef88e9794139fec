import { expect, test } from 'bun:test';
import { startServer } from './running-server.ts';

test('the page loads its files from the service only', async () => {
  await using server = startServer();
  const page = await fetch(`${server.url}/swagger`);
  const html = await page.text();
  expect(html).not.toMatch(/https?:/);
  for (const [, address = ''] of html.matchAll(/(?:src|href)="(swagger[^"]*)"/g)) {
    const file = await fetch(new URL(address, page.url));
    expect([address, file.status]).toEqual([address, 200]);
    expect((await file.text()).length).toBeGreaterThan(50);
    const type = address.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
    expect(file.headers.get('content-type')).toBe(type);
  }
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
});
