import { describe, expect, test } from 'bun:test';
import { DAY_MS } from '#src/core/base/clock.ts';
import { createPictureLinks, withPictureLinks } from '#src/service/server/pictures/picture-route.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { startConsole } from './session/console-server.ts';

/** Name of the picture of an own page. */
const OWN = 'own-0123456789abcdef';
const WEBP = Buffer.from('RIFF....WEBP');
/** The secret of the servers of these tests. */
const SECRET = () => Buffer.alloc(32, 1);

const linksAt = (nowMs: number) => createPictureLinks(SECRET, { now: () => nowMs });

function startPictures(isHistoryPublic: boolean) {
  return startConsole({
    settings: { public_history: isHistoryPublic },
    pictures: {
      find: (id) =>
        [OWN, 'open', 'hidden'].includes(id)
          ? { visibility: id === 'hidden' ? 'private' : 'public', webp: WEBP }
          : null,
      has: (visibility, id) => id === (visibility === 'public' ? 'open' : 'hidden'),
    },
  });
}

describe('a picture', () => {
  test('is read by a signed link for a day, and by no other', async () => {
    const console = startPictures(false);
    await using _server = console.server;
    const path = linksAt(Date.now()).pathOf('hidden');
    const response = await console.send('GET', path);
    expect([response.status, Buffer.from(await response.arrayBuffer())]).toEqual([200, WEBP]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    });
    const wrong = [
      path.replace('hidden', 'open'),
      path.replace(/until=\d/, 'until=2'),
      `${path}x`,
      path.replace(/&signature=.*/, ''),
      linksAt(Date.now() - DAY_MS - 2000).pathOf('hidden'),
      createPictureLinks(() => Buffer.alloc(32, 2), { now: Date.now }).pathOf('hidden'),
    ];
    const statuses = await Promise.all(wrong.map(async (one) => (await console.send('GET', one)).status));
    expect(statuses.filter((status) => status < 400)).toEqual([]);
  });

  test('of an own page is read by its name, which answers alone have', async () => {
    const console = startPictures(false);
    await using _server = console.server;
    const statusOf = async (name: string) => (await console.send('GET', `/api/screenshots/${name}`)).status;
    expect(await statusOf(OWN)).toBe(200);
    expect(await statusOf('own-0123456789abcdee')).toBe(404);
    expect(await statusOf('own-..')).toBe(404);
  });

  test('is read with the scope of the log that its check is in', async () => {
    const console = startPictures(false);
    await using _server = console.server;
    const read = async (id: string, scope?: 'history' | 'history.private') => {
      const headers = scope && { authorization: `Bearer ${console.secretOf(scope)}` };
      return (await console.send('GET', `/api/screenshots/${id}`, headers)).status;
    };
    expect(await read('open')).toBe(404);
    expect(await read('open', 'history')).toBe(200);
    expect(await read('hidden')).toBe(404);
    expect(await read('hidden', 'history.private')).toBe(200);
    expect(await read('unknown', 'history')).toBe(404);
  });

  test('of a private check is refused as an absent one to who may not read it', async () => {
    for (const isHistoryPublic of [false, true]) {
      const console = startPictures(isHistoryPublic);
      await using _server = console.server;
      const keys = [null, console.secretOf('history'), console.secretOf('stats'), 'unknown'];
      for (const key of keys) {
        const headers = key === null ? undefined : { authorization: `Bearer ${key}` };
        const answers = ['hidden', 'unknown'].map(async (id) => {
          const response = await console.send('GET', `/api/screenshots/${id}`, headers);
          const { request_id: _, ...problem } = (await response.json()) as Record<string, unknown>;
          return [response.status, JSON.stringify(problem).replaceAll(id, 'ID')];
        });
        const [hidden, absent] = await Promise.all(answers);
        expect(hidden).toEqual(absent);
      }
    }
  });

  test('of a public check is read by everybody if the history is', async () => {
    const console = startPictures(true);
    await using _server = console.server;
    const statuses = ['open', 'hidden', 'unknown'].map((id) => console.send('GET', `/api/screenshots/${id}`));
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 404, 404]);
  });
});

test('an answer has a link to its picture if that is kept', async () => {
  const screenshot = { sha256: 'x', width: 1280, height: 800, url: null };
  const render = { status: 'ok', final_url: null, requests: 1, refused: 0, seconds: 1, screenshot } as const;
  const { result } = sampleRecord({ details: { render } });
  const links = { pathOf: (id: string) => `/api/screenshots/${id}?signed` };
  const urlOf = async (isKept: boolean) => {
    const { check } = withPictureLinks({ check: async () => result }, { has: () => isKept }, links, '/base');
    const answered = await check({ visibility: 'public' } as Parameters<typeof check>[0]);
    return answered.analysis_details.render?.screenshot?.url;
  };
  expect([await urlOf(true), await urlOf(false)]).toEqual([`/base/api/screenshots/${result.request_id}?signed`, null]);
});
