import { expect, test } from 'bun:test';
import { openManyPublishers } from '#src/app/scoring/list-guard.ts';
import { parseHost } from '#src/core/url/host.ts';
import { writeStoredEntry } from '#src/network/lists/stored/stored-entry.ts';
import { blockedByChecks } from '#src/parts/export/blocked/blocked-now.ts';
import { entryOf, reading, unreadEntryOf } from '#test/parts/export/entries.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

await using directory = temporaryDirectory();
const hasManyPublishers = await openManyPublishers(directory.path);

async function blockedOf(urls: readonly string[], decision: 'block' | 'warn' | 'allow' = 'block') {
  const entries = urls.map((url) => entryOf({ url, result: { decision } }));
  const { entries: blocked, skippedUrls } = blockedByChecks(reading(entries), hasManyPublishers);
  const texts = await Array.fromAsync(blocked, ({ entry }) => writeStoredEntry(entry));
  return { texts, skippedUrls: skippedUrls() };
}

test.each([
  ['https://login.evil.example/a?b=c', 'login.evil.example'],
  ['http://evil.example:8080/', 'evil.example'],
  ['https://someone.github.io/login', 'someone.github.io'],
  ['https://evil.duckdns.org/x', 'evil.duckdns.org'],
])('a blocked check of %s blocks %s', async (url, entry) => {
  expect(await blockedOf([url])).toEqual({ texts: [entry], skippedUrls: 0 });
});

test.each([
  'https://docs.google.com/forms/d/e/1FAIpQLSd/viewform?usp=x',
  'https://sites.google.com/view/evil',
  'https://bit.ly/3xYz',
  'https://www.facebook.com/evil',
  'https://m.facebook.com/evil',
  'https://github.io/evil',
  'https://storage.googleapis.com/bucket/login.html',
  'https://192.0.2.7/login',
])('a blocked check of %s blocks only that URL', async (url) => {
  const { texts } = await blockedOf([url]);
  expect(texts).toEqual([url.replace('https:', 'http:')]);
});

test('a front page on a shared host and a masked URL on a shared host block nothing', async () => {
  const secret = 'https://docs.google.com/forms/***';
  expect(await blockedOf(['https://github.io/', 'https://forms.gle', secret])).toEqual({ texts: [], skippedUrls: 3 });
  expect((await blockedOf(['https://evil.example/reset?token=***'])).texts).toEqual(['evil.example']);
});

test('warned and allowed checks block nothing, and an unreadable record blocks by its URL', async () => {
  expect(await blockedOf(['https://evil.example/'], 'warn')).toEqual({ texts: [], skippedUrls: 0 });
  expect(await blockedOf(['https://evil.example/'], 'allow')).toEqual({ texts: [], skippedUrls: 0 });
  const unread = unreadEntryOf({ url: 'http://evil.example/a', result: { decision: 'block' } });
  const { entries } = blockedByChecks(reading([unread]), hasManyPublishers);
  expect(await Array.fromAsync(entries)).toMatchObject([
    { entry: { host: 'evil.example' }, why: 'Blocked by lurecheck' },
  ]);
});

test.each(['google.com', 'paypal.com', 'co.uk', 'github.io', 'blogspot.com', '192.0.2.7', 'wordpress.com'])(
  '%s has more than one publisher',
  (text) => {
    const host = parseHost(text);
    expect(host && hasManyPublishers(host)).toBe(true);
  },
);
