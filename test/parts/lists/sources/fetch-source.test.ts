import { expect, test } from 'bun:test';
import { VERSION } from '#src/core/base/version.ts';
import { fetchSource } from '#src/parts/lists/sources/fetch-source.ts';
import { openLoopback } from '#test/network/egress/loopback.ts';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { serveWeb, type WebAnswer } from '#test/support/web-server.ts';

const DATE = 'Mon, 02 Mar 2026 00:00:00 GMT';

/** A list on a trusted server; `answers` by path. */
async function openServer(answers: Readonly<Record<string, WebAnswer>>) {
  await using opened = new AsyncDisposableStack();
  const authority = createCertificateAuthority(Date.now());
  const leaf = authority.issue({ subject: 'lists.example', names: ['127.0.0.1'] });
  const asked: (string | undefined)[][] = [];
  const server = opened.use(
    await serveWeb(
      (path, { 'user-agent': agent, 'if-none-match': tag, 'if-modified-since': since }) => {
        asked.push([path, agent, tag, since]);
        return answers[path] ?? { status: 404 };
      },
      { leaf },
    ),
  );
  const trusting = opened.use(openLoopback([server.port], {}, [authority.pem]));
  const suspicious = opened.use(openLoopback([server.port]));
  const never = new AbortController().signal;
  const origin = `https://127.0.0.1:${server.port}`;
  const dates: number[] = [];
  const closing = opened.move();
  return {
    asked,
    dates,
    origin,
    fetched: (path: string, known: Parameters<typeof fetchSource>[1] = null) =>
      fetchSource(`${origin}${path}`, known, trusting.client(), never, (ms) => dates.push(ms)),
    untrusted: (path: string) => fetchSource(`${origin}${path}`, null, suspicious.client(), never),
    direct: (url: string) => fetchSource(url, null, trusting.client(), never),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

const agent = `lurecheck/${VERSION}`;

test('fetches a list with the validators of its server, and sends back those that can be sent', async () => {
  const long = 'x'.repeat(1024);
  const body = 'a.example\n';
  await using server = await openServer({
    '/plain': { body, headers: { date: DATE } },
    '/both': { body, headers: { etag: '"1"', 'last-modified': DATE, date: DATE, age: '60' } },
    '/odd': { body, headers: { etag: 'W/"\u00e9"', 'last-modified': `${long}x` } },
    '/long': { body, headers: { etag: long } },
    '/same': { status: 304, headers: { date: DATE } },
  });
  const bytes = Buffer.from(body);
  const fetched = async (path: string) => {
    const found = await server.fetched(path);
    return found && { ...found, bytes: Buffer.from(found.bytes) };
  };
  const none = { etag: null, last_modified: null };
  expect(await fetched('/plain')).toEqual({ bytes, validators: none });
  expect(await fetched('/both')).toEqual({ bytes, validators: { etag: '"1"', last_modified: DATE } });
  expect(await fetched('/odd')).toEqual({ bytes, validators: none });
  expect(await fetched('/long')).toEqual({ bytes, validators: { etag: long, last_modified: null } });
  // The time of an answer that a cache has stored says nothing.
  expect(server.dates.slice(0, 1)).toEqual([Date.parse(DATE)]);
  expect(server.dates).toHaveLength(3);
  server.asked.length = 0;
  expect(await server.fetched('/same', { etag: '"1"', last_modified: DATE })).toBeNull();
  expect(await server.fetched('/same', { etag: '"1"', last_modified: null })).toBeNull();
  expect(await server.fetched('/same', { etag: null, last_modified: DATE })).toBeNull();
  expect(server.asked).toEqual([
    ['/same', agent, '"1"', DATE],
    ['/same', agent, '"1"', undefined],
    ['/same', agent, undefined, DATE],
  ]);
  // Nobody said that anything is known.
  await expect(server.fetched('/same')).rejects.toThrow('127.0.0.1 answers with status 304');
});

test('follows five redirects to https URLs, and no more', async () => {
  const hops = Array.from({ length: 7 }, (_, at) => [`/${at}`, { status: 302, headers: { location: `/${at - 1}` } }]);
  await using server = await openServer({
    ...Object.fromEntries(hops),
    '/0': { body: 'a.example\n' },
    '/plain': { status: 302, headers: { location: 'http://127.0.0.1/feed.txt' } },
    '/other': { status: 302, headers: { location: 'ftp://127.0.0.1/feed.txt' } },
  });
  expect(Buffer.from((await server.fetched('/5'))?.bytes ?? []).toString()).toBe('a.example\n');
  expect(server.asked).toHaveLength(6);
  for (const [path, problem] of [
    ['/6', 'redirects too often'],
    ['/plain', 'redirects to something other than an https URL'],
    ['/other', 'redirects to something other than an https URL'],
  ] as const)
    await expect(server.fetched(path)).rejects.toMatchObject({
      errorCode: 'source_failed',
      message: `127.0.0.1 ${problem}`,
    });
});

test('refuses what is no list as a whole, and names the host alone', async () => {
  await using server = await openServer({
    '/coded': { body: 'x'.repeat(100), headers: { 'content-encoding': 'gzip' } },
    '/short': { body: 'a.example\n', headers: { 'content-length': '100' } },
  });
  for (const [path, problem] of [
    ['/missing?key=s3cr3t', 'answers with status 404'],
    ['/coded', 'answers in an unknown content coding'],
    ['/short', 'answers with more than 64 MiB, or was cut short'],
  ] as const)
    expect([path, await server.fetched(path).catch((error) => error.message)]).toEqual([path, `127.0.0.1 ${problem}`]);
  await expect(server.untrusted('/missing')).rejects.toMatchObject({
    errorCode: 'source_failed',
    message: expect.stringMatching(/^127\.0\.0\.1 cannot be reached: /),
  });
  expect(server.asked).toHaveLength(3);
  await expect(server.direct('https://')).rejects.toMatchObject({
    errorCode: 'source_failed',
    message: expect.stringMatching(/^its URL /),
  });
});
