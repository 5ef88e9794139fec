import { expect, test } from 'bun:test';
import { openAdministered } from '#test/service/server/admin/administered.ts';
import { sampleRecord } from '#test/support/sample-record.ts';

const NEVER = '2099-01-01T00:00:00.000Z';
const TAG = expect.stringMatching(/^"[\w-]{22}"$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

/** The members of a list that nobody chose. */
const USUAL = {
  hits: 0,
  action: 'block',
  weight: null,
  quarantined: 0,
  source: 'console',
  owner: 'operator',
  updated_at: TIME,
};

const ENTRY = { written: null, added: TIME, exception: false, applied: true, held_back: null, hits: 0 };

test('a new list blocks, and is shown with its entries page by page', async () => {
  await using service = await openAdministered();
  const content = 'evil.example\nbad.example # a comment\nworse.example\n';
  const created = await service.call('POST', 'lists', { body: { name: 'feed', content } });
  expect([created.status, created.body]).toEqual([
    201,
    { name: 'feed', entries: 3, added: 3, quarantined: 0, skipped: 0, etag: TAG },
  ]);
  const { etag } = created.body;
  const listed = await service.call('GET', 'lists');
  expect(listed.body).toEqual({ items: [{ ...USUAL, name: 'feed', entries: 3, etag }] });

  const usual = { ...ENTRY, expires: null, comment: null };
  const page = async (query: string) => await service.call('GET', `lists/feed${query}`);
  const first = await page('?limit=1');
  expect([first.status, first.headers.get('etag')]).toEqual([200, etag]);
  expect(first.body).toEqual({
    ...{ ...USUAL, name: 'feed', etag, total: 3, found: 3, next_after: '1' },
    entries: [{ ...usual, entry: 'evil.example', line: 1 }],
  });
  const rest = await page('?limit=2&after=1');
  expect(rest.body).toMatchObject({
    next_after: null,
    entries: [
      { ...usual, entry: 'bad.example', line: 2, comment: 'a comment' },
      { ...usual, entry: 'worse.example', line: 3 },
    ],
  });
  expect((await page('?after=0')).body.entries).toHaveLength(3);
  expect((await page('?limit=500')).body.next_after).toBeNull();
  for (const query of ['?limit=0', '?limit=501', '?limit=1.5', '?after=-1'])
    expect([query, (await page(query)).code]).toEqual([query, '400 invalid_parameter']);
});

test('a list answers with 50 entries by default', async () => {
  await using service = await openAdministered();
  const content = Array.from({ length: 51 }, (_, at) => `host-${at}.example`).join('\n');
  await service.call('POST', 'lists', { body: { name: 'feed', content } });
  const { body } = await service.call('GET', 'lists/feed');
  expect([body.entries.length, body.next_after]).toEqual([50, '50']);
});

test('the name of a list is taken, also for a preview', async () => {
  await using service = await openAdministered();
  const body = { name: 'feed', content: 'evil.example' };
  expect((await service.call('POST', 'lists', { body })).status).toBe(201);
  for (const address of ['lists', 'lists?preview=true', 'lists?preview=false']) {
    const { status, body: problem } = await service.call('POST', address, { body });
    expect([address, status, problem.code, problem.detail]).toEqual([
      ...[address, 409, 'conflict', 'There is a list named "feed" already.'],
    ]);
  }
  const missing = await service.call('GET', 'lists/other');
  expect([missing.code, missing.body.detail]).toEqual(['404 not_found', 'There is no list named "other".']);
});

test('a list with an invalid line is refused and names the line, unless it is to be skipped', async () => {
  await using service = await openAdministered();
  const body = { name: 'feed', content: 'evil.example\nnot a host\n' };
  for (const skip of [{}, { skip_invalid: false }]) {
    const refused = await service.call('POST', 'lists', { body: { ...body, ...skip } });
    expect(refused.code).toBe('400 invalid_body');
    const [{ field, message }] = refused.body.errors;
    expect([field, message]).toEqual([
      'content',
      'has invalid lines:\nline 2: "not a host" contains white space: write one host or URL per line\nread as plain; name the format if that is wrong',
    ]);
  }
  const created = await service.call('POST', 'lists', { body: { ...body, skip_invalid: true } });
  expect([created.status, created.body.entries, created.body.skipped]).toEqual([201, 1, 1]);
});

test('the content of a list is replaced only as it was read', async () => {
  await using service = await openAdministered();
  const old = await service.call('POST', 'lists', {
    body: { name: 'feed', content: 'evil.example', action: 'allow', weight: 2, expires: NEVER },
  });
  const body = { content: 'bad.example\nworse.example\n' };
  const put = async (headers: Record<string, string> = {}, more = {}, address = 'lists/feed') =>
    await service.call('PUT', address, { body: { ...body, ...more }, headers });
  expect((await put()).code).toBe('428 precondition_required');
  expect((await put({ 'if-match': '"stale"' })).code).toBe('412 precondition_failed');
  expect((await put({ 'if-match': `${old.body.etag}x` })).code).toBe('412 precondition_failed');
  expect((await put({}, {}, 'lists/other')).code).toBe('404 not_found');
  const before = await service.call('GET', 'lists/feed');
  expect(before.body).toMatchObject({ action: 'allow', weight: 2, entries: [{ expires: NEVER }] });

  const put1 = await put({ 'if-match': `"stale", ${old.body.etag}` });
  expect([put1.status, put1.body]).toEqual([
    200,
    { name: 'feed', entries: 2, added: 2, quarantined: 0, skipped: 0, etag: TAG },
  ]);
  expect(put1.body.etag).not.toBe(old.body.etag);
  const after = await service.call('GET', 'lists/feed');
  // What is left out stays as it was; entries do not inherit the expiry of earlier ones.
  expect(after.body).toMatchObject({ action: 'allow', weight: 2, etag: put1.body.etag });
  expect(after.body.entries.map(({ entry, expires }: { entry: string; expires: null }) => [entry, expires])).toEqual([
    ['bad.example', null],
    ['worse.example', null],
  ]);
  const put2 = await put({ 'if-match': '*' }, { action: 'block', weight: null });
  expect(put2.status).toBe(200);
  expect((await service.call('GET', 'lists/feed')).body).toMatchObject({ action: 'block', weight: null });
});

test('entries are added with action, expiry and comment, and removed one by one', async () => {
  await using service = await openAdministered();
  const add = async (body: object) => await service.call('POST', 'lists/ours/entries', { body });
  const added = await add({ entry: 'partner.example', action: 'allow', expires: NEVER, comment: 'ticket 4711' });
  expect([added.status, added.body]).toEqual([
    201,
    { name: 'ours', entries: 1, added: 1, quarantined: 0, skipped: 0, etag: TAG },
  ]);
  const second = await add({ entry: 'other.example' });
  const { body: list } = await service.call('GET', 'lists/ours');
  expect([list.action, list.source]).toEqual(['allow', null]);
  const usual = { ...ENTRY, line: 1 };
  expect(list.entries).toEqual([
    { ...usual, entry: 'partner.example', expires: NEVER, comment: 'ticket 4711' },
    { ...usual, entry: 'other.example', expires: null, comment: null },
  ]);
  const invalid = await add({ entry: 'not a host' });
  expect([invalid.code, invalid.body.errors[0].field]).toEqual(['400 invalid_body', 'entry']);

  const remove = async (query: string, headers: Record<string, string> = {}) =>
    await service.call('DELETE', `lists/ours/entries${query}`, { headers });
  const match = { 'if-match': second.body.etag };
  const unnamed = await remove('', match);
  expect([unnamed.code, unnamed.body.errors]).toEqual([
    '400 invalid_parameter',
    [{ field: 'entry', message: 'is required' }],
  ]);
  expect((await remove('?entry=', match)).code).toBe('400 invalid_parameter');
  expect((await remove('?entry=partner.example')).code).toBe('428 precondition_required');
  const removed = await remove('?entry=partner.example', match);
  expect([removed.status, removed.body]).toEqual([
    200,
    { name: 'ours', entries: 1, added: 0, quarantined: 0, skipped: 0, etag: TAG },
  ]);
  expect((await service.call('GET', 'lists/ours')).body.entries).toMatchObject([{ entry: 'other.example' }]);
});

test('a list is removed, and a rollback brings it back', async () => {
  await using service = await openAdministered();
  const { body: made } = await service.call('POST', 'lists', { body: { name: 'feed', content: 'evil.example' } });
  await service.call('POST', 'lists', { body: { name: 'beside', content: 'x.example' } });
  const remove = async (headers: Record<string, string> = {}) =>
    await service.call('DELETE', 'lists/feed', { headers });
  expect((await remove()).code).toBe('428 precondition_required');
  const removed = await remove({ 'if-match': made.etag });
  expect([removed.status, removed.body]).toEqual([
    200,
    { name: 'feed', entries: 0, added: 0, quarantined: 0, skipped: 0, etag: null },
  ]);
  expect((await remove({ 'if-match': made.etag })).code).toBe('404 not_found');
  const versions = await service.call('GET', 'lists/feed/versions');
  const version = expect.stringMatching(/^[\da-f]{16}$/);
  expect(versions.body).toEqual({
    items: [{ version, created_at: TIME, entries: 1, source: 'console', active: false }],
  });
  expect((await service.call('GET', 'lists/none/versions')).code).toBe('404 not_found');

  const back = async (headers: Record<string, string> = {}) =>
    await service.call('POST', 'lists/feed/rollback', { headers });
  expect((await back()).code).toBe('428 precondition_required');
  expect((await back({ 'if-match': made.etag })).code).toBe('412 precondition_failed');
  const restored = await back({ 'if-match': '*' });
  expect([restored.status, restored.body.entries, restored.body.etag]).toEqual([200, 1, TAG]);
  const after = await service.call('GET', 'lists/feed/versions');
  expect(after.body.items).toEqual([expect.objectContaining({ version, active: true })]);
  expect((await service.call('GET', 'lists')).body.items).toMatchObject([{ name: 'beside' }, { name: 'feed' }]);
});

test('a URL is looked up in all lists, with or without its scheme', async () => {
  await using service = await openAdministered();
  const content = '||evil.example^\n@@||good.evil.example^\n';
  await service.call('POST', 'lists', { body: { name: 'feed', content, weight: 2, expires: NEVER } });
  const lookUp = async (url: string) => await service.call('POST', 'lists/test', { body: { url } });
  const match = { list: 'feed', action: 'block', weight: 2, expires: NEVER };
  for (const url of ['evil.example/x', 'http://evil.example/x', 'HTTPS://evil.example/x']) {
    const { status, body } = await lookUp(url);
    expect([url, status, body.matches]).toEqual([url, 200, [{ ...match, entry: 'evil.example', applied: true }]]);
    expect(body.decision).toBe('allow');
  }
  const exempt = (await lookUp('good.evil.example')).body.matches;
  expect(exempt).toContainEqual({ ...match, entry: 'good.evil.example', applied: false });
  expect((await lookUp('other.example')).body.matches).toEqual([]);
  expect((await lookUp('ftp://evil.example/')).code).toBe('400 unsupported_scheme');
  const nameless = await lookUp('http://');
  expect([nameless.code, nameless.body.errors[0].field]).toEqual(['400 invalid_url', 'url']);
});

test('each member of a list that has no valid value is refused by its name', async () => {
  await using service = await openAdministered();
  const valid = { name: 'feed', content: 'evil.example' };
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ['name', 'Feed', 'must be at most 64 lower-case letters, digits, dots, hyphens and underscores'],
    ['name', 5, 'must be at most 64'],
    ['content', 5, 'must be a string'],
    ['format', 5, 'must be a string'],
    ['action', 'warn', 'must be block or allow'],
    ['weight', 0, 'must be a number above 0 and up to 10, or null'],
    ['weight', 10.5, 'must be a number above 0'],
    ['weight', '2', 'must be a number above 0'],
    ['expires', '2099-01-01', 'must be a time such as 2026-12-31T00:00:00Z, or null'],
    ['expires', '2099-13-01T00:00:00Z', 'must be a time'],
    ['expires', 'x2099-01-01T00:00:00Z', 'must be a time'],
    ['expires', 5, 'must be a time'],
    ['skip_invalid', 'true', 'must be true or false'],
    ['allow_empty', 'true', 'must be true or false'],
  ];
  for (const [field, value, message] of wrong) {
    const { status, body } = await service.call('POST', 'lists', { body: { ...valid, [field]: value } });
    expect([field, value, status, body.errors]).toEqual([
      ...[field, value, 400],
      [{ field, message: expect.stringContaining(message) }],
    ]);
  }
  const allowed = [{ weight: 10 }, { weight: null }, { expires: null }, { expires: '2099-01-01T00:00:00+02:00' }];
  for (const [at, more] of allowed.entries()) {
    const { status } = await service.call('POST', 'lists', { body: { ...valid, ...more, name: `feed-${at}` } });
    expect([more, status]).toEqual([more, 201]);
  }
  for (const field of ['entry', 'comment'])
    expect(
      (await service.call('POST', 'lists/a/entries', { body: { entry: 'a.example', [field]: 5 } })).body.errors,
    ).toEqual([{ field, message: 'must be a string' }]);
  expect((await service.call('POST', 'lists/test', { body: { url: 5 } })).body.errors).toEqual([
    { field: 'url', message: 'must be a string' },
  ]);
  expect((await service.call('POST', 'lists?preview=yes', { body: valid })).code).toBe('400 invalid_parameter');
});

interface Found {
  readonly list?: string;
  readonly entry: string;
  readonly hits: number | null;
}

const named = (entries: readonly Found[]) => entries.map(({ entry }) => entry);

test('entries are found as they are typed, in one list or all, and are sorted by name, expiry and hits', async () => {
  await using service = await openAdministered();
  const hit = (entry: string, visibility: 'public' | 'private') =>
    sampleRecord({
      visibility,
      atMs: Date.now(),
      details: { decided_by: { list: 'feed', entry, source: 'operator' } },
    });
  await Promise.all([
    service.log.append(hit('bad.example', 'public')),
    service.log.append(hit('bad.example', 'private')),
    service.log.append(hit('xn--mller-kva.example', 'private')),
  ]);
  const content = 'worse.example\nbad.example # Ticket 4711\nmüller.example\nhttps://evil.example/Login\n';
  await service.call('POST', 'lists', { body: { name: 'feed', content } });
  await service.call('POST', 'lists/ours/entries', { body: { entry: 'bad.example', action: 'allow', expires: NEVER } });
  const found = async (query: string, address = 'lists/feed') => {
    const { body } = await service.call('GET', `${address}?${query}`);
    return named(body.entries);
  };
  const ways: readonly (readonly [string, readonly string[]])[] = [
    ['search=BAD', ['bad.example']],
    ['search=ticket', ['bad.example']],
    ['search=m%C3%BCll', ['xn--mller-kva.example']],
    ['search=/LOGIN', ['http://evil.example/Login']],
    // The URL that was blocked finds what covers it.
    ['search=https://www.bad.example/path?q=1', ['bad.example']],
    ['search=http://evil.example/Login/now', ['http://evil.example/Login']],
    ['search=http://evil.example/', ['http://evil.example/Login']],
    ['search=nothing', []],
    ['sort=entry', ['bad.example', 'http://evil.example/Login', 'worse.example', 'xn--mller-kva.example']],
    ['sort=hits&order=desc&limit=2', ['bad.example', 'xn--mller-kva.example']],
  ];
  for (const [query, entries] of ways) expect([query, await found(query)]).toEqual([query, [...entries]]);
  const { body: first } = await service.call('GET', 'lists/feed?sort=hits&order=desc&limit=1');
  expect([first.hits, first.found, first.entries[0].hits]).toEqual([3, 4, 2]);
  const { body: next } = await service.call(
    'GET',
    `lists/feed?sort=hits&order=desc&limit=9&after=${encodeURIComponent(first.next_after)}`,
  );
  expect([named(next.entries), next.next_after]).toEqual([
    ['xn--mller-kva.example', 'worse.example', 'http://evil.example/Login'],
    null,
  ]);
  const { body: all } = await service.call('GET', 'list-entries?search=bad&sort=expires');
  expect(all.entries.map(({ list, entry, hits }: Found) => [list, entry, hits])).toEqual([
    ['ours', 'bad.example', 0],
    ['feed', 'bad.example', 2],
  ]);
  for (const query of ['sort=size', 'order=up', 'after=x'])
    expect((await service.call('GET', `lists/feed?${query}`)).code).toBe('400 invalid_parameter');
});

test('entries are removed together after a preview of what would go, and a rollback of that change brings them back', async () => {
  await using service = await openAdministered({ urls: ['https://login-1.evil.example/'] });
  const content = ['worse.example', 'google.com', ...Array.from({ length: 12 }, (_, at) => `login-${at}.evil.example`)];
  const made = await service.call('POST', 'lists', { body: { name: 'feed', content: content.join('\n') } });
  const remove = async (body: object, headers: Record<string, string> = {}, query = '') =>
    await service.call('POST', `lists/feed/removals${query}`, { body, headers });
  const { body: effect } = await remove({ search: 'login' }, {}, '?preview=true');
  expect(effect.preview).toMatchObject({
    ...{ entries: 1, removed: { count: 12, first: content.slice(2, 12) }, checked: 1 },
  });
  expect([effect.preview.omitted, effect.preview.held_back]).toEqual([undefined, undefined]);
  const { body: both } = await remove({ entries: ['google.com', 'worse.example'] }, {}, '?preview=true');
  expect(both.preview.removed).toEqual({ count: 2, first: ['worse.example', 'google.com'] });

  const match = { 'if-match': made.body.etag };
  expect((await remove({ search: 'login' })).code).toBe('428 precondition_required');
  for (const body of [
    {},
    { search: '' },
    { entries: [] },
    { entries: ['a.example'], search: 'a' },
    { entries: 'a' },
    { entries: ['worse.example', 5] },
  ])
    expect([body, (await remove(body, match)).code]).toEqual([body, '400 invalid_body']);
  const absent = await remove({ entries: ['worse.example', 'absent.example'] }, match);
  expect([absent.code, absent.body.detail]).toEqual([
    '409 conflict',
    'Absent.example is not an entry of the list feed; lurecheck lists test prints what covers a URL.',
  ]);
  const removed = await remove({ search: 'login' }, match);
  expect([removed.status, removed.body.entries]).toEqual([200, 1]);
  expect(named((await service.call('GET', 'lists/feed')).body.entries)).toEqual(['worse.example', 'google.com']);
  const [line] = (await service.call('GET', 'audit?limit=1')).body.items;
  expect(line).toMatchObject({ action: 'lists.remove', subject: 'feed' });
  expect(line.detail).toContainEqual({ name: 'matching', value: '"login"' });
  expect(line.detail).toContainEqual({ name: 'removed', value: '12' });

  const back = await service.call('POST', 'lists/feed/rollback', { headers: { 'if-match': removed.body.etag } });
  expect([back.status, back.body.entries]).toEqual([200, 13]);
});

test('a preview names what would be held back and left out and why, and popular sites that are new', async () => {
  await using service = await openAdministered();
  const lines = ['google.com', 'new.example', 'new.example', 'old.example,2020-01-01', 'not a host', 'www.zalando.de'];
  const csv = ['domain,expires', ...lines.map((line) => (line.includes(',') ? line : `${line},`))].join('\n');
  const { body } = await service.call('POST', 'lists?preview=true', { body: { name: 'feed', content: csv } });
  expect(body.preview).toMatchObject({
    ...{ entries: 2, omitted: { held_back: 1, invalid: 1, expired: 1, duplicates: 1 } },
    held_back: [{ entry: 'google.com', code: 'popular_site', reason: 'is one of the 10,000 most popular sites' }],
    left_out: [
      { entry: 'new.example', line: 4, code: 'duplicate' },
      { entry: 'old.example', line: 5, code: 'expired' },
    ],
    ...{ popular_hits: 1, popular: [{ entry: 'www.zalando.de', site: 'zalando.de' }] },
  });
  const add = async (entry: string, query = '?preview=true') =>
    (await service.call('POST', `lists/ours/entries${query}`, { body: { entry } })).body.preview;
  expect(await add('www.zalando.de')).toMatchObject({ popular_hits: 1, popular: [{ site: 'zalando.de' }] });
  await add('www.zalando.de', '');
  // It warns of the new entry alone.
  expect(await add('other.example')).toMatchObject({ popular_hits: 0, omitted: { held_back: 0, duplicates: 0 } });
  expect(await add('www.zalando.de')).toMatchObject({ left_out: [{ entry: 'www.zalando.de', code: 'duplicate' }] });
});

test('of two changes of one list at once the second is of a list that its client did not read', async () => {
  await using service = await openAdministered();
  const { etag } = (await service.call('POST', 'lists', { body: { name: 'feed', content: 'evil.example\n' } })).body;
  const change = (content: string) =>
    service.call('PUT', 'lists/feed', { body: { content }, headers: { 'if-match': etag } });
  const changed = await Promise.all([change('bad.example\n'), change('worse.example\n')]);
  expect(changed.map(({ status }) => status).toSorted()).toEqual([200, 412]);
});
