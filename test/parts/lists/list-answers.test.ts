import { expect, test } from 'bun:test';
import { openAdministered } from '#test/service/server/admin/administered.ts';

test('a change counts what is held back, and what its format cannot say', async () => {
  await using service = await openAdministered();
  const content = '||evil.example^\n||co.uk^\nevil.example##.ad\n||bad.example^$script\nnot a rule here\n';
  const created = await service.call('POST', 'lists', { body: { name: 'rules', content, format: 'adblock' } });
  expect(created.body).toMatchObject({ name: 'rules', entries: 1, added: 1, quarantined: 1, skipped: 3 });
  const added = await service.call('POST', 'lists/rules/entries', { body: { entry: 'evil.example' } });
  expect(added.body).toMatchObject({ name: 'rules', entries: 1, added: 0, quarantined: 1, skipped: 0 });
  const removed = await service.call('DELETE', 'lists/rules', { headers: { 'if-match': added.body.etag } });
  expect(removed.body).toEqual({ name: 'rules', entries: 0, added: 0, quarantined: 0, skipped: 0, etag: null });
});

test('a preview names ten entries on popular sites, and counts all', async () => {
  await using service = await openAdministered();
  const content = Array.from({ length: 11 }, (_, at) => `https://www.wikipedia.org/${at}\n`).join('');
  const { body } = await service.call('POST', 'lists?preview=true', { body: { name: 'feed', content } });
  expect([body.preview.popular_hits, body.preview.popular.length, body.preview.popular[9]]).toEqual([
    ...[11, 10, { entry: 'http://www.wikipedia.org/9', site: 'wikipedia.org' }],
  ]);
});

test('a parameter that is no value of its kind is refused with what it must be', async () => {
  await using service = await openAdministered();
  await service.call('POST', 'lists', { body: { name: 'feed', content: 'a.example' } });
  for (const [query, message] of [
    ['limit=501', 'must be a whole number from 1 to 500'],
    ['after=x', 'must be next_after of the previous page'],
    [`search=${'x'.repeat(8193)}`, 'must be a text of at most 8192 characters'],
    ['sort=size', 'must be one of line, entry, added, expires, hits'],
    ['order=up', 'must be one of asc, desc'],
  ] as const)
    for (const address of ['list-entries', 'lists/feed']) {
      const { status, body } = await service.call('GET', `${address}?${query}`);
      expect([status, body.errors]).toEqual([400, [{ field: query.split('=', 1)[0], message }]]);
    }
  expect((await service.call('GET', `list-entries?search=${'x'.repeat(8192)}`)).body.found).toBe(0);
  expect((await service.call('GET', 'list-entries?search=%20A.example%20')).body.found).toBe(1);
});
