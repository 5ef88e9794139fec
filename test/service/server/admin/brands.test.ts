import { expect, test } from 'bun:test';
import { openAdministered } from './administered.ts';

const TAG = expect.stringMatching(/^"[\w-]{22}"$/);

test('a brand is added under the name of its first domain, listed and removed', async () => {
  await using service = await openAdministered();
  const added = await service.call('POST', 'brands', { body: { domains: ['www.nordwerk.example', 'nw.example'] } });
  const brand = { name: 'nordwerk', domains: ['nw.example', 'www.nordwerk.example'], pages: 0, etag: TAG };
  expect([added.status, added.body]).toEqual([201, brand]);
  expect((await service.call('GET', 'brands')).body).toEqual({ items: [brand] });
  const again = await service.call('POST', 'brands', { body: { name: 'nordwerk', domains: ['other.example'] } });
  expect([again.code, again.body.detail]).toEqual([
    '409 conflict',
    'There is a configured brand "nordwerk" already. Remove it first, or choose another name.',
  ]);
  const remove = async (name: string, headers: Record<string, string> = {}, query = '') =>
    await service.call('DELETE', `brands/${name}${query}`, { headers });
  const { etag } = added.body;
  expect((await remove('nordwerk')).code).toBe('428 precondition_required');
  expect((await remove('nordwerk', { 'if-match': '"stale"' })).code).toBe('412 precondition_failed');
  for (const name of ['none', '%', '%ff'])
    for (const query of ['', '?preview=true']) {
      const missing = await remove(name, { 'if-match': '*' }, query);
      expect([name, query, missing.code]).toEqual([name, query, '404 not_found']);
    }
  const removed = await remove('%6Eordwerk', { 'if-match': etag });
  expect([removed.status, removed.body]).toEqual([204, null]);
  expect((await service.call('GET', 'brands')).body).toEqual({ items: [] });
});

test('a preview counts the attacks that a brand makes detectable, and removal counts them back', async () => {
  await using service = await openAdministered();
  const body = { name: 'Nordwerk', domains: ['nordwerk.example'] };
  const { body: preview } = await service.call('POST', 'brands?preview=true', { body });
  const { examples, ...counts } = preview.synthetic_attacks;
  const isAlarm = (decision: string) => decision !== 'allow';
  const attacks = examples.slice(0, counts.tried);
  const own = examples.slice(counts.tried);
  const alarms = (key: 'decision' | 'before', of: Record<string, string>[]) =>
    of.filter((one) => isAlarm(one[key] ?? '')).length;
  expect(counts).toEqual({
    tried: attacks.length,
    detected_before: alarms('before', attacks),
    detected_after: alarms('decision', attacks),
    own_alarmed: alarms('decision', own),
  });
  expect(own.map(({ url }: { url: string }) => URL.parse(url)?.hostname)).toContain('nordwerk.example');
  expect(counts.detected_after).toBeGreaterThan(counts.detected_before);
  expect(counts.detected_before).toBeGreaterThan(0);
  expect(attacks[0]).toEqual({
    ...{ url: expect.stringContaining('nordwerk'), trick: expect.any(String), decision: 'block', before: 'allow' },
    malicious_probability: expect.any(Number),
  });
  expect((await service.call('GET', 'brands')).body).toEqual({ items: [] });

  await service.call('POST', 'brands?preview=false', { body });
  const removal = await service.call('DELETE', 'brands/Nordwerk?preview=true');
  expect(removal.status).toBe(200);
  expect(removal.body.synthetic_attacks).toMatchObject({
    ...{ tried: counts.tried, detected_before: counts.detected_after, detected_after: counts.detected_before },
  });
  expect((await service.call('GET', 'brands')).body.items).toHaveLength(1);
});

const PAGE = `<title>Hafenbank Online Banking sign in</title><h1>Welcome to Hafenbank Online Banking</h1>
  <img src="/assets/hafenbank-logo.svg"><link rel="stylesheet" href="/assets/portal-hafen.css">
  <p>${'Manage your accounts, cards and transfers with Hafenbank wherever you are. '.repeat(10)}</p>
  <form action="/session"><input name="customer_number"><input type="password" name="online_pin"></form>`;

test('the domain of a saved page names the brand, before other domains', async () => {
  await using service = await openAdministered();
  const body = { html: PAGE, domain: 'hafenbank.example', domains: ['a-bank.example'] };
  const added = await service.call('POST', 'brands', { body });
  expect([added.status, added.body]).toEqual([
    201,
    { name: 'hafenbank', domains: ['a-bank.example', 'hafenbank.example'], pages: 1, etag: TAG },
  ]);
});

test('a brand without a usable domain or page is refused by the name of the member', async () => {
  await using service = await openAdministered();
  const errorsOf = async (body: object) => {
    const { status, body: problem } = await service.call('POST', 'brands', { body });
    return [status, problem.errors];
  };
  expect(await errorsOf({ name: 'a' })).toEqual([
    400,
    [{ field: 'domains', message: 'is required, or domain in its place' }],
  ]);
  expect(await errorsOf({ domains: ['github.io'] })).toEqual([
    400,
    [{ field: 'domains', message: expect.stringMatching(/^cannot be used: .*github\.io/) }],
  ]);
  expect(await errorsOf({ html: '<p>hi', domain: 'x.example' })).toEqual([
    400,
    [
      {
        field: 'html',
        message: expect.stringMatching(
          /^has too little content to be recognized: missing .+; send the complete page, or leave it out$/,
        ),
      },
    ],
  ]);
  const domains = (count: number) => Array.from({ length: count }, (_, at) => `host-${at}.example`);
  const statusOf = async (body: object) => (await service.call('POST', 'brands', { body })).status;
  expect(await statusOf({ name: 'most', domains: domains(100) })).toBe(201);
  expect(await statusOf({ name: 'more', domains: domains(101) })).toBe(400);
  expect(await statusOf({ name: '', domains: ['a.example'] })).toBe(400);
  expect(await statusOf({ name: 'x'.repeat(81), domains: ['a.example'] })).toBe(400);
  expect(await statusOf({ name: 'x'.repeat(80), domains: ['b.example'] })).toBe(201);
});
