import { describe, expect, test } from 'bun:test';
import { FailureError } from '#src/core/base/failure.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { analyzePage } from '#src/engine/analyzers/page.ts';
import { openPageThreads, pageThreadSettings } from '#src/engine/pages/page-threads.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { HTML_SETTINGS } from '#src/network/html/settings.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import { NOTHING } from '#test/slow/serving-work.ts';
import { knowledge } from '#test/support/knowledge.ts';
import { targetOf } from '#test/support/target.ts';

const USUAL = pageThreadSettings(defaultsOf(HTML_SETTINGS));
const source = { contentType: 'text/html', url: 'https://page.example/' };
const page = new TextEncoder().encode('<title>Hi</title><form action=/in><input type=password>');

test('a thread gets the scripts of a page', async () => {
  await using reader = openPageThreads(USUAL);
  const drawn = new TextEncoder().encode('<div id=root></div><script src=/a.js></script>');
  const scripts = new Map([['https://page.example/a.js', 'location = "/inner"']]);
  const document = await reader.read(drawn, { ...source, scripts });
  expect(document).toEqual(readPage(drawn, { ...source, scripts }));
  expect(document.content).toMatchObject({ isBare: true, unread: 'script' });
});

test('a thread returns the same document as the function', async () => {
  await using reader = openPageThreads(USUAL);
  expect(await reader.read(page, source)).toEqual(readPage(page, source));
});

test('reads more pages than there are threads', async () => {
  await using reader = openPageThreads({ ...USUAL, threads: 2, timeoutMs: 10_000 });
  const documents = await Promise.all(Array.from({ length: 9 }, () => reader.read(page, source)));
  expect(documents.map((document) => document.title)).toEqual(Array(9).fill('Hi'));
});

test('returns the part of a page that was read within the time limit', async () => {
  const long = new TextEncoder().encode(`<title>Seen</title>${'<a href=/x>y</a>'.repeat(100_000)}`);
  await using reader = openPageThreads({
    ...USUAL,
    timeoutMs: 10_000,
    limits: { ...USUAL.limits, work: 1_000_000 },
  });
  const document = await reader.read(long, source);
  expect(document.title).toBe('Seen');
  expect(document.limits).toContain('work');
  expect(document.counts.links).toBeLessThan(100_000);
});

test('terminates a thread that does not answer in time, and reads the next page in a new one', async () => {
  const endless = new TextEncoder().encode('<a href=/x>y</a>'.repeat(130_000));
  await using reader = openPageThreads({
    ...USUAL,
    timeoutMs: 1,
    threads: 1,
    limits: { ...USUAL.limits, work: Number.POSITIVE_INFINITY, links: 1_000_000 },
  });
  const failure = await reader.read(endless, source).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(FailureError);
  expect(failure).toMatchObject({ code: 'parser_budget_exceeded' });
  await expect(reader.read(endless, source)).rejects.toMatchObject({ code: 'parser_budget_exceeded' });
});

test('a closed reader rejects pages that wait', async () => {
  const reader = openPageThreads(USUAL);
  const pending = reader.read(page, source).catch((error: unknown) => error);
  await reader[Symbol.asyncDispose]();
  expect(await pending).toMatchObject({ code: 'aborted' });
  await expect(reader.read(page, source)).rejects.toMatchObject({ code: 'aborted' });
});

describe('the analysis in a thread', () => {
  const target = targetOf(source.url);
  const seenOf = (html: string) => {
    const document = readPage(new TextEncoder().encode(html), source);
    const value = visitOf(target, { contentLength: html.length, document });
    return { ...NOTHING, page: { state: 'observed', value, elapsedMs: 1 } } as const;
  };
  const clone = seenOf(
    '<title>PayPal: log in</title><form action=/in.php><input type=email><input type=password></form>',
  );

  test('returns the same result as the function', async () => {
    const found = analyzePage({ target, observations: clone, knowledge }, []);
    expect(found?.claim?.brand.name).toBe('PayPal');
    await using threads = openPageThreads(USUAL);
    expect(await threads.analyze(target, clone, [])).toEqual({ observations: clone, page: found });
    expect(await threads.analyze(target, NOTHING, [])).toEqual({ observations: NOTHING, page: null });
  });

  test('reports a page that takes too long as not analyzed', async () => {
    await using threads = openPageThreads({ ...USUAL, timeoutMs: 0 });
    const stopped = new FailureError('parser_budget_exceeded').failure;
    expect(await threads.analyze(target, clone, [])).toEqual({
      observations: { ...clone, page: { ...clone.page, value: { ...clone.page.value, document: null, stopped } } },
      page: null,
    });
  });

  test('has priority over pages that wait to be read', async () => {
    await using threads = openPageThreads({ ...USUAL, threads: 1, timeoutMs: 10_000 });
    const done: string[] = [];
    const reads = ['first', 'second', 'third'].map(async (name) => {
      await threads.read(page, source);
      done.push(name);
    });
    await threads.analyze(target, clone, []);
    done.push('analyzed');
    await Promise.all(reads);
    expect(done).toEqual(['first', 'analyzed', 'second', 'third']);
  });
});
