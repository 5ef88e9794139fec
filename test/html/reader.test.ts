import { expect, test } from 'bun:test';
import { FailureError } from '#src/base/failure.ts';
import { defaultsOf } from '#src/base/setting.ts';
import { readPage } from '#src/html/read-page.ts';
import { openPageReader, readerSettings } from '#src/html/reader.ts';
import { HTML_SETTINGS } from '#src/html/settings.ts';

const USUAL = readerSettings(defaultsOf(HTML_SETTINGS));
const source = { contentType: 'text/html', url: 'https://page.example/' };
const page = new TextEncoder().encode('<title>Hi</title><form action=/in><input type=password>');

test('a thread gives the same document as the function', async () => {
  await using reader = openPageReader(USUAL);
  expect(await reader.read(page, source)).toEqual(readPage(page, source));
});

test('more pages than threads are all read', async () => {
  await using reader = openPageReader({ ...USUAL, threads: 2, timeoutMs: 10_000 });
  const documents = await Promise.all(Array.from({ length: 9 }, () => reader.read(page, source)));
  expect(documents.map((document) => document.title)).toEqual(Array(9).fill('Hi'));
});

test('a page that takes too long is given as far as it was seen', async () => {
  const long = new TextEncoder().encode(`<title>Seen</title>${'<a href=/x>y</a>'.repeat(100_000)}`);
  await using reader = openPageReader({
    ...USUAL,
    timeoutMs: 10_000,
    limits: { ...USUAL.limits, timeMs: 0 },
  });
  const document = await reader.read(long, source);
  expect(document.title).toBe('Seen');
  expect(document.limits).toContain('time');
  expect(document.counts.links).toBeLessThan(100_000);
});

test('a thread that does not answer in time is ended, and the next page is read by a new one', async () => {
  const endless = new TextEncoder().encode('<a href=/x>y</a>'.repeat(130_000));
  await using reader = openPageReader({
    timeoutMs: 1,
    threads: 1,
    limits: { ...USUAL.limits, timeMs: 60_000, links: 1_000_000 },
  });
  const failure = await reader.read(endless, source).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(FailureError);
  expect(failure).toMatchObject({ code: 'parser_budget_exceeded' });
  await expect(reader.read(endless, source)).rejects.toMatchObject({ code: 'parser_budget_exceeded' });
});

test('a closed reader refuses what it has not read', async () => {
  const reader = openPageReader(USUAL);
  const pending = reader.read(page, source).catch((error: unknown) => error);
  await reader[Symbol.asyncDispose]();
  expect(await pending).toMatchObject({ code: 'aborted' });
  await expect(reader.read(page, source)).rejects.toMatchObject({ code: 'aborted' });
});
