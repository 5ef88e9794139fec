import { describe, expect, test } from 'bun:test';
import { FailureError } from '#src/core/base/failure.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { pageProbe } from '#src/network/probes/page.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import { openLoopback } from '#test/network/egress/loopback.ts';
import { type Op, type ScriptServer, serveScript } from '#test/network/egress/script-server.ts';
import { machineSlowness } from '#test/support/cpu-time.ts';
import { targetOf } from '#test/support/target.ts';
import vectors from '#test/vectors/http-server.json' with { type: 'json' };

const { totalMs, bodyBytes, wireBytes, headerBytes } = vectors.budgets;
const scripts = new Map<string, readonly Op[]>(vectors.vectors.map(({ id, script }) => [`/${id}`, script]));

/** Visits a page of a test's server. A name of the failure where not even the first answer came. */
async function visit(server: ScriptServer, path: string, ports: readonly number[] = []): Promise<PageVisit | string> {
  await using egress = openLoopback([server.port, ...ports], {
    body_bytes: bodyBytes,
    wire_bytes: wireBytes,
    header_bytes: headerBytes,
  });
  const context = {
    egressClient: egress.client(),
    readPage: async (bytes: Uint8Array, source: Parameters<typeof readPage>[1]) => readPage(bytes, source),
    pageTimeoutMs: totalMs,
  };
  return await pageProbe
    .observe(targetOf(`http://127.0.0.1:${server.port}${path}`), context, new AbortController().signal)
    .catch((error) => {
      if (error instanceof FailureError) return error.code;
      throw error;
    });
}

const html = (text: string) =>
  Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
const redirect = (to: string) => Buffer.from(`HTTP/1.1 302 Found\r\nLocation: ${to}\r\nContent-Length: 0\r\n\r\n`);

/** What the vectors call the ends of a visit. */
function outcomeOf(got: PageVisit | string): string {
  if (typeof got === 'string') return got;
  const { code, detail } = got.stopped ?? { code: 'response', detail: '' };
  if (code === 'too_many_redirects' && detail.includes('itself')) return 'redirect-loop';
  return { egress_denied: 'denied', redirect_invalid: 'redirect-invalid' }[code as string] ?? code;
}

describe('a hostile redirect', () => {
  for (const { id, group, expect: expected } of vectors.vectors) {
    if (group !== 'redirect') continue;
    test(`${id}: ${JSON.stringify(expected).slice(0, 90)}`, async () => {
      await using server = await serveScript((path) => scripts.get(path.split('?')[0] ?? '') ?? []);
      const got = await visit(server, `/${id}`);
      // A refresh that leads nowhere leaves the page that sent it.
      const isRefresh = id === 'redir-refresh-header';
      expect<unknown>(isRefresh ? 'response' : outcomeOf(got)).toBe(expected.outcome);
      if (typeof got === 'string') throw new Error(got);
      if ('status' in expected) expect<unknown>(got.statusCode).toBe(expected.status);
      if ('statusIn' in expected) expect<unknown>(expected.statusIn).toContain(got.statusCode);
      if ('hops' in expected) expect<unknown>(server.requests.length).toBe(expected.hops);
      if ('mustNotConnect' in expected) expect(server.requests.every((line) => line.startsWith('GET /'))).toBeTrue();
      await server.closed();
    });
  }
});

describe('a visit', () => {
  test('follows redirects and refreshes, and returns each hop', async () => {
    await using server = await serveScript((path) =>
      path === '/a'
        ? redirect('/b')
        : path === '/b'
          ? html('<meta http-equiv=refresh content="0;url=/c">')
          : html('<title>here</title>'),
    );
    const got = await visit(server, '/a');
    const at = (path: string) => `http://127.0.0.1:${server.port}${path}`;
    expect(got).toMatchObject({
      redirects: [
        { url: at('/a'), status: 302, location: at('/b'), address: '127.0.0.1' },
        { url: at('/b'), status: 200, location: at('/c'), address: '127.0.0.1' },
      ],
      finalUrl: at('/c'),
      statusCode: 200,
      contentLength: 19,
      document: { title: 'here' },
      stopped: null,
    });
  });

  test('sends at most six requests for any sequence of redirects', async () => {
    await using server = await serveScript((path) => {
      const next = Number(path.slice(1)) + 1;
      return next % 2 ? redirect(`/${next}`) : html(`<meta http-equiv=refresh content="0;url=/${next}">`);
    });
    const got = await visit(server, '/0');
    expect(server.requests.length).toBe(6);
    expect(got).toMatchObject({ stopped: { code: 'too_many_redirects' } });
  });

  test('returns the page if its refresh leads to a denied address, and reports that target', async () => {
    await using server = await serveScript(() =>
      html("<title>ok</title><meta http-equiv=refresh content='0;url=http://10.0.0.1/'>"),
    );
    expect(await visit(server, '/')).toMatchObject({
      document: { title: 'ok' },
      redirects: [{ location: 'http://10.0.0.1/' }],
      stopped: { code: 'egress_denied', detail: 'private: 10.0.0.1' },
    });
    expect(server.requests.length).toBe(1);
  });

  test('never fetches resources that a page with content embeds', async () => {
    const text = 'Tide tables of the harbour. '.repeat(10);
    await using server = await serveScript(() =>
      html(`<p>${text}</p><iframe src=/f></iframe><img src=/i><link rel=icon href=/x.ico><script src=/s></script>`),
    );
    expect(await visit(server, '/')).toMatchObject({ stopped: null });
    expect(server.requests).toEqual(['GET / HTTP/1.1']);
  });

  test('never sends credentials or the fragment', async () => {
    let seen = '';
    await using server = await serveScript((_path, request) => {
      seen = request;
      return html('ok');
    });
    await using egress = openLoopback([server.port]);
    const egressClient = egress.client();
    const url = targetOf(`http://user:secret@127.0.0.1:${server.port}/x?q#secret`);
    await pageProbe.observe(
      url,
      { egressClient, readPage: async (bytes, source) => readPage(bytes, source), pageTimeoutMs: totalMs },
      new AbortController().signal,
    );
    expect(seen).toStartWith(`GET /x?q HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`);
    expect(seen).not.toMatch(/secret|authorization|cookie|referer/i);
  });

  test('reads the received part of a page that never ends', async () => {
    await using server = await serveScript(() => [
      { op: 'send', data: 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>slow</title>' },
      { op: 'hang' },
    ]);
    expect(await visit(server, '/')).toMatchObject({ truncated: true, document: { title: 'slow' } });
  });

  test('refuses a redirect target that would take seconds to parse', async () => {
    const marks = Buffer.from(`http://a${'\u0300\u0323'.repeat(60_000)}/`);
    const head = 'HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: ';
    const answer = Buffer.concat([Buffer.from(head), marks, Buffer.from('\r\n\r\n')]);
    await using server = await serveScript(() => answer);
    await using egress = openLoopback([server.port]);
    const context = {
      egressClient: egress.client(),
      readPage: async () => Promise.reject(new Error('there is no page')),
      pageTimeoutMs: totalMs,
    };
    const before = process.cpuUsage();
    const seen = await pageProbe.observe(
      targetOf(`http://127.0.0.1:${server.port}/`),
      context,
      new AbortController().signal,
    );
    const { user } = process.cpuUsage(before);
    expect(seen).toMatchObject({ stopped: { code: 'redirect_invalid' } });
    expect(user / 1000 / machineSlowness()).toBeLessThan(1000);
  });

  test('reports a body that cannot be decoded instead of an empty page', async () => {
    await using server = await serveScript(() =>
      Buffer.from(
        'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip, gzip\r\nContent-Length: 5\r\n\r\nhello',
      ),
    );
    expect(await visit(server, '/')).toMatchObject({ document: null, stopped: { code: 'content_undecodable' } });
  });

  test('fails with the failure of the first answer', async () => {
    await using server = await serveScript(() => [{ op: 'rst' }]);
    expect(await visit(server, '/')).toBe('connection_reset');
  });
});
