import { expect, test } from 'bun:test';
import { readKeyFile } from '#src/admin/keys/api-key.ts';
import { openAdministered } from '#test/service/server/admin/administered.ts';

const TAG = expect.stringMatching(/^"[\w-]{22}"$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

test('a key is created with its defaults, shown by name without its secret, and changed as it was read', async () => {
  await using service = await openAdministered();
  const created = await service.call('POST', 'keys', { body: { name: 'mail', scopes: ['check', 'batch'] } });
  const key = { name: 'mail', scopes: ['check', 'batch'], limit: null, created_at: TIME, expires_at: null };
  const shown = { ...key, expired: false, last_used_at: null, etag: TAG };
  expect([created.status, created.body]).toEqual([201, { ...shown, secret: expect.stringMatching(/^lck_[\w-]{43}$/) }]);
  const old = { name: 'a-old', scopes: ['feed'], limit: 0, expires_at: '2020-01-01T00:00:00.000Z' };
  await service.call('POST', 'keys', { body: old });
  const { body: listed } = await service.call('GET', 'keys');
  expect(listed.items).toEqual([{ ...old, created_at: TIME, expired: true, last_used_at: null, etag: TAG }, shown]);

  const change = async (body: object, headers: Record<string, string> = {}, name = 'mail') =>
    await service.call('PATCH', `keys/${name}`, { body, headers });
  expect((await change({ limit: 5 })).code).toBe('428 precondition_required');
  expect((await change({ limit: 5 }, { 'if-match': '"stale"' })).code).toBe('412 precondition_failed');
  expect((await change({ limit: 5 }, { 'if-match': '*' }, 'none')).code).toBe('404 not_found');
  const changed = await change({ limit: 5, scopes: ['check'] }, { 'if-match': created.body.etag });
  expect([changed.status, changed.body]).toEqual([200, { ...shown, limit: 5, scopes: ['check'] }]);
  expect(changed.headers.get('etag')).toBe(changed.body.etag);
  expect(changed.body.etag).not.toBe(created.body.etag);
  expect(readKeyFile(service.dataDir).map(({ name, limit }) => [name, limit])).toContainEqual(['mail', 5]);
});

test('the name of a key is taken until the key is revoked', async () => {
  await using service = await openAdministered();
  const create = async () => await service.call('POST', 'keys', { body: { name: 'mail', scopes: ['check'] } });
  const { body: key } = await create();
  const taken = await create();
  expect([taken.code, taken.body.detail]).toEqual([
    '409 conflict',
    'There is a key named mail already. Revoke it first, or choose another name.',
  ]);
  const revoke = async (headers: Record<string, string> = {}) => await service.call('DELETE', 'keys/mail', { headers });
  expect((await revoke()).code).toBe('428 precondition_required');
  const revoked = await revoke({ 'if-match': key.etag });
  expect([revoked.status, revoked.body]).toEqual([204, null]);
  expect((await revoke({ 'if-match': key.etag })).code).toBe('404 not_found');
  expect((await create()).status).toBe(201);
});

test('the key of the request itself is revoked only with self=true', async () => {
  await using service = await openAdministered();
  const { body: key } = await service.call('POST', 'keys', { body: { name: 'admin', scopes: ['admin'] } });
  const revoke = async (query: string) =>
    await service.call('DELETE', `keys/admin${query}`, { headers: { 'if-match': key.etag } });
  for (const query of ['', '?self=false']) expect([query, (await revoke(query)).code]).toEqual([query, '409 conflict']);
  expect((await revoke('?self=1')).code).toBe('400 invalid_parameter');
  expect((await revoke('?self=true')).status).toBe(204);
});

test('a key that its file could not hold is refused by the name of its member', async () => {
  await using service = await openAdministered();
  const valid = { name: 'mail', scopes: ['check'] };
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ['name', 'mail gateway', 'must be at most 64 letters, digits, dots, hyphens and underscores'],
    ['name', 'x'.repeat(65), 'must be at most 64 letters'],
    ['name', 5, 'must be at most 64 letters'],
    ['scopes', [], 'must be a list of check, batch, history'],
    ['scopes', ['check', 'none'], 'must be a list of check'],
    ['scopes', 'check', 'must be a list of check'],
    ['limit', -1, 'must be a whole number from 0 to 999999999, or null'],
    ['limit', 1_000_000_000, 'must be a whole number'],
    ['limit', 1.5, 'must be a whole number'],
    ['expires_at', '2099-01-01', 'must be a time such as 2026-12-31T00:00:00Z, or null'],
    ['expires_at', '2099-13-01T00:00:00Z', 'must be a time'],
  ];
  for (const [field, value, message] of wrong) {
    const { status, body } = await service.call('POST', 'keys', { body: { ...valid, [field]: value } });
    const errors = [{ field, message: expect.stringContaining(message) }];
    expect([field, value, status, body.errors]).toEqual([field, value, 400, errors]);
  }
  const usual = await service.call('POST', 'keys', {
    body: { ...valid, name: 'usual', limit: null, expires_at: null },
  });
  expect([usual.status, usual.body.limit, usual.body.expires_at]).toEqual([201, null, null]);
  const { body: key } = await service.call('POST', 'keys', { body: { ...valid, limit: 999_999_999 } });
  const changed = await service.call('PATCH', 'keys/mail', { body: { scopes: [] }, headers: { 'if-match': key.etag } });
  expect(changed.code).toBe('400 invalid_body');
  expect(readKeyFile(service.dataDir).map(({ name, limit }) => [name, limit])).toEqual([
    ['usual', null],
    ['mail', 999_999_999],
  ]);
});

test('the audit log is read from its end, page by page', async () => {
  await using service = await openAdministered();
  const none = await service.call('GET', 'audit');
  expect(none.body).toEqual({ items: [], next_before: null });
  for (const name of ['one', 'two', 'three'])
    await service.call('POST', 'keys', { body: { name, scopes: ['check'], limit: 7 } });
  const entry = { time: TIME, by: 'key admin', address: '127.0.0.1', action: 'key.create' };
  const detail = [
    { name: 'scopes', value: '["check"]' },
    { name: 'limit', value: '7' },
    { name: 'expires_at', value: 'null' },
  ];
  const page = async (query: string) => (await service.call('GET', `audit${query}`)).body;
  const three = { ...entry, sequence: 3, subject: 'three', detail };
  expect(await page('?limit=1')).toEqual({ items: [three], next_before: 3 });
  const rest = await page('?limit=2&before=3');
  expect(rest.items.map(({ subject }: { subject: string }) => subject)).toEqual(['two', 'one']);
  expect(rest.next_before).toBe(1);
  expect(await page('?before=1')).toEqual({ items: [], next_before: null });
  expect((await page('')).items).toHaveLength(3);
  expect((await service.call('GET', 'audit?before=0')).code).toBe('400 invalid_parameter');
});

test('the audit log answers with 50 entries by default', async () => {
  await using service = await openAdministered();
  for (let at = 0; at < 51; at++)
    await service.call('POST', 'keys', { body: { name: `key-${at}`, scopes: ['check'] } });
  const { body } = await service.call('GET', 'audit');
  expect([body.items.length, body.next_before]).toEqual([50, 2]);
});
