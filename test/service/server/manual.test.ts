import { expect, test } from 'bun:test';
import { partPage } from '#src/service/manual/page.ts';
import { isPart, PARTS } from '#src/service/manual/parts.ts';
import { PAGE_POLICY } from '#src/service/server/page/page-routes.ts';
import { startServer } from './running-server.ts';

const PATHS = ['/help', ...Object.keys(PARTS).map((name) => `/help/${name}`)];

test('every link and file of the manual is found, with a base path, without one, and behind a stripping proxy', async () => {
  await using server = startServer({ settings: { base_path: '/phish' } });
  const troubles: string[] = [];
  for (const path of [...PATHS, ...PATHS.map((one) => `/phish${one}`)]) {
    const page = await fetch(`${server.url}${path}`);
    expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
    const text = await page.text();
    for (const [, href = ''] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
      const target = new URL(href, page.url);
      const found = await fetch(target);
      const place = target.hash.slice(1);
      const isThere = place === '' || (await found.text()).includes(`id="${place}"`);
      if (target.origin !== server.url || !found.ok || !isThere) troubles.push(`${path}: ${href}`);
    }
  }
  expect(troubles).toEqual([]);
});

test('a path with a trailing slash redirects to the path without it', async () => {
  await using server = startServer();
  for (const path of ['/help/', '/help/alerts/']) {
    const page = await fetch(`${server.url}${path}`);
    expect([page.status, new URL(page.url).pathname]).toEqual([200, path.slice(0, -1)]);
  }
  expect((await fetch(`${server.url}/help/nothing`)).status).toBe(404);
  const posted = await fetch(`${server.url}/help/alerts`, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test.each([
  ['watching', 'monitoring'],
  ['teaching', 'tuning'],
])('redirects the former name of a part: %s to %s', async (former, name) => {
  await using server = startServer({ settings: { base_path: '/phish' } });
  for (const path of [`/help/${former}`, `/help/${former}/`, `/phish/help/${former}`]) {
    const page = await fetch(`${server.url}${path}`);
    expect([page.status, new URL(page.url).pathname]).toEqual([
      200,
      path.replace(`${former}`, name).replace(/\/$/, ''),
    ]);
  }
});

test('the manual has the policy of the page, contains no script, and is revalidated by its ETag', async () => {
  await using server = startServer();
  for (const path of PATHS) {
    const page = await fetch(`${server.url}${path}`);
    const text = await page.text();
    expect(page.headers.get('content-security-policy')).toBe(PAGE_POLICY);
    expect(text).not.toMatch(/<script|style=| on\w+=|https?:[^<]*"/);
    expect(text).toStartWith('<!doctype html>\n<html lang="en">');
    const again = await fetch(page.url, { headers: { 'if-none-match': page.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  }
});

test('a page of the manual marks the current part in its menu, and has one title', () => {
  for (const part of Object.keys(PARTS).filter(isPart)) {
    const text = partPage(part, { toParts: '', toService: '../', style: 'style.css', icon: 'icon.svg' });
    expect(text.match(/<h1/g)?.length).toBe(1);
    expect(text.match(/<a href="([a-z-]+)" aria-current="page">/)?.[1]).toBe(part);
    expect(text).not.toContain('<!--');
  }
});
