import { afterAll, beforeAll, expect, test } from 'bun:test';
import { treaty } from '@elysiajs/eden';
import type { App } from '#src/app/parts/api-document.ts';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import type { Stats } from '#src/checks/record/stats.ts';
import type { Decision } from '#src/engine/fusion/fuse.ts';
import type { ProblemBody } from '#src/service/server/http/problem.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

// Each answer is held twice: by the assertion when this runs, and by the annotation beside it when it is compiled.

/** Times stay the texts that the API says they are. */
const connect = (url: string) => treaty<App>(url, { parseDate: false });

const opened = new AsyncDisposableStack();
let service: ReturnType<typeof connect>;

const start = async (...args: string[]) =>
  connect(opened.use(await startService(opened.use(temporaryDirectory()).path, args)).url);

beforeAll(async () => {
  service = await start();
});
afterAll(() => opened.disposeAsync());

const PHISHING = 'http://paypal-login.verify-account-secure.cyou/signin/index.php';

test('a check accepts a URL and returns a result', async () => {
  const { data, error } = await service.api['check-url'].post({ url: PHISHING });
  if (error) throw new Error(error.value.detail);
  const result: CheckResult = data;
  const probability: number = data.malicious_probability;
  const decision: Decision = data.decision;
  const score: number | null = data.analysis_details.individual_scores.page;
  expect([result.url, probability > 0.5, decision, score]).toEqual([PHISHING, true, 'block', null]);
});

test('an error is typed by its status, and is a problem for any status', async () => {
  const { error } = await service.api['check-url'].post({ url: 'ftp://example.com/' });
  const status: 400 | 401 | 403 | 413 | 415 | 421 | 429 | 500 | 503 | undefined = error?.status;
  const problem: ProblemBody | undefined = error?.value;
  expect([status, problem?.errors?.map(({ field }) => field)]).toEqual([400, ['url']]);
});

test('the service rejects what the types forbid', async () => {
  const check = service.api['check-url'];
  const refusals = [
    // @ts-expect-error a URL is a text
    await check.post({ url: 5 }),
    // @ts-expect-error nothing but true and false is a wish for privacy
    await check.post({ url: PHISHING, private_mode: 'true' }),
    // @ts-expect-error a misspelt wish for privacy is no member
    await check.post({ url: PHISHING, privateMode: true }),
    // @ts-expect-error a decision is one of three words
    await service.api.history.get({ query: { decision: 'BLOCK' } }),
  ];
  expect(refusals.map(({ error }) => error?.status)).toEqual([400, 400, 400, 400]);
});

test('a response that a route does not declare is not in its type', async () => {
  const { error } = await service.livez.get();
  // @ts-expect-error the health check has no request that could be wrong
  expect(error?.status === 422).toBe(false);
});

test('the history accepts typed parameters and returns a page', async () => {
  const { data, error } = await service.api.history.get({ query: { limit: 1, decision: 'block' } });
  if (error) throw new Error(error.value.detail);
  const urls = data.items.flatMap((item) => ('url' in item ? item.url : []));
  const cursor: string | null = data.next_cursor;
  expect([urls, cursor]).toEqual([[PHISHING], null]);
});

test('statistics and health are typed', async () => {
  const { data, error } = await service.api.stats.get();
  if (error) throw new Error(error.value.detail);
  const stats: Stats = data;
  const freePercent: number = data.disk_free_percent;
  expect([stats.hours.at(-1)?.block, freePercent <= 100]).toEqual([1, true]);

  const [live, ready] = [await service.livez.get(), await service.readyz.get()];
  const states: (string | undefined)[] = [live.data?.status, ready.data?.status];
  expect(states).toEqual(['live', 'ready']);
});

test('a response over the limit is typed', async () => {
  const limited = await start('--rate-limit', '1');
  const { data } = await limited.api['check-url'].post({ url: PHISHING });
  const { error } = await limited.api['check-url'].post({ url: PHISHING });
  if (error?.status !== 429) throw new Error('admitted');
  const status: 429 = error.status;
  const problem: ProblemBody = error.value;
  expect([data?.decision, status, problem.title]).toEqual(['block', 429, 'Too Many Requests']);
});

test('a batch has a result or a problem for each URL', async () => {
  const { data, error } = await service.api['check-urls'].post({ urls: [PHISHING, { url: 'ftp://a.example/' }] });
  if (error) throw new Error(error.value.detail);
  const told = data.items.map((item): Decision | number => ('problem' in item ? item.problem.status : item.decision));
  expect(told).toEqual(['block', 400]);
  // @ts-expect-error a list of URLs is no text
  expect((await service.api['check-urls'].post({ urls: PHISHING })).error?.status).toBe(400);
});

test('an unsigned result has no current verdict, and gets no signature', async () => {
  const link = `${Buffer.from('no result').toString('base64url')}.c2lnbmF0dXJl`;
  const verified = await service.api.results.verify.post({ link });
  if (verified.error) throw new Error(verified.error.value.detail);
  const today: { readonly decision: Decision } | null = verified.data.today;
  const signed = await service.api.results.sign.post({ link, says: 'www.paypal.com', goes_to: 'evil.example' });
  if (signed.error) throw new Error(signed.error.value.detail);
  const signature: string | null = signed.data.signature;
  expect([verified.data.is_signed, today, signature]).toEqual([false, null, null]);
});

test('feeds and the MISP module are typed, even if they are not enabled', async () => {
  const feed = await service.feeds({ feed: 'domains' }).get();
  const modules = await service.modules.get();
  const query = await service.query.post({ module: 'lurecheck', attribute: { type: 'domain', value: 'evil.example' } });
  const text: string | null = feed.data;
  const names: readonly string[] | undefined = modules.data?.map(({ name }) => name);
  const problem: string | undefined = query.data?.error;
  expect([text, names, problem]).toEqual([null, undefined, undefined]);
  expect([feed.error?.status, modules.error?.status, query.error?.status]).toEqual([404, 404, 404]);
});
