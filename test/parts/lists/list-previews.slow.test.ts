import { expect, test } from 'bun:test';
import { openAdministered } from '#test/service/server/admin/administered.ts';

test('a preview of each change scores the logged checks again, names invalid lines, and changes nothing', async () => {
  await using service = await openAdministered({ urls: ['http://evil.example/pay', 'http://other.example/'] });
  const body = { name: 'new', content: 'evil.example\nnot a host\nhttp://google.com/phish\n' };
  const created = await service.call('POST', 'lists?preview=true', { body });
  expect([created.status, created.body]).toEqual([
    200,
    {
      preview: {
        ...{ checked: 2, changed: 1, newly_blocked: 1, newly_allowed: 0, popular_hits: 1, entries: 2 },
        examples: [{ url: 'http://evil.example/pay', host: 'evil.example', before: 'allow', after: 'block' }],
        invalid_lines: [{ line: 2, text: '', reason: expect.stringContaining('contains white space') }],
        omitted: { held_back: 0, invalid: 1, expired: 0, duplicates: 0 },
        popular: [{ entry: 'http://google.com/phish', site: 'google.com' }],
      },
    },
  ]);
  expect((await service.call('GET', 'lists')).body).toEqual({ items: [] });

  await service.call('POST', 'lists', { body: { name: 'feed', content: 'old.example' } });
  await service.call('POST', 'lists/feed/entries', { body: { entry: 'second.example' } });
  const { body: before } = await service.call('GET', 'lists/feed');
  const effectOf = async (method: string, address: string, sent?: object) => {
    const { status, body: effect } = await service.call(method, address, sent === undefined ? {} : { body: sent });
    return [status, effect.preview.checked, effect.preview.newly_blocked, effect.preview.entries];
  };
  const content = 'evil.example\na.example\nb.example\n';
  expect(await effectOf('PUT', 'lists/feed?preview=true', { content })).toEqual([200, 2, 1, 3]);
  const entry = { entry: 'evil.example' };
  expect(await effectOf('POST', 'lists/feed/entries?preview=true', entry)).toEqual([200, 2, 1, 3]);
  expect(await effectOf('DELETE', 'lists/feed/entries?entry=old.example&preview=true')).toEqual([200, 2, 0, 1]);
  expect(await effectOf('DELETE', 'lists/feed?preview=true')).toEqual([200, 2, 0, 0]);
  expect(await effectOf('POST', 'lists/feed/rollback?preview=true')).toEqual([200, 2, 0, 1]);
  expect((await service.call('GET', 'lists/feed')).body).toEqual(before);
});
