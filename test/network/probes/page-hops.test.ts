import { describe, expect, test } from 'bun:test';
import { FailureError } from '#src/core/base/failure.ts';
import type { Hop, HopRequest } from '#src/network/egress/http/hop.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { pageProbe } from '#src/network/probes/page.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import { PATIENT_MS } from '#test/support/patience.ts';
import { targetOf } from '#test/support/target.ts';

const HTML = '<title>A page</title>';

type Answer = Partial<Omit<Hop, 'headers' | 'body'>> & {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

interface Seen {
  readonly visit: PageVisit | null;
  /** What was thrown in place of a visit. */
  readonly thrown: unknown;
  readonly requests: readonly HopRequest[];
}

/** What comes of visiting `https://a.example/` behind an egress client that answers with what is made here. */
async function visit(
  answer: (url: string) => Answer | Error,
  readDocument: (bytes: Uint8Array, contentType: string | null) => PageDocument | Error = (bytes, contentType) =>
    readPage(bytes, { contentType, url: 'https://a.example/' }),
): Promise<Seen> {
  const requests: HopRequest[] = [];
  const egressClient = {
    async fetchHop(request: HopRequest): Promise<Hop> {
      requests.push(request);
      const given = answer(request.url.requestUrl);
      if (given instanceof Error) throw given;
      const { headers = { 'content-type': 'text/html' }, body = HTML, ...rest } = given;
      const hop = { status: 200, truncated: false, decoded: true, address: '192.0.2.1', tls: null, wireBytes: 0 };
      return { ...hop, headers: new Map(Object.entries(headers)), body: Buffer.from(body), ...rest };
    },
  };
  const context = {
    egressClient,
    async readPage(bytes: Uint8Array, { contentType = null }: { readonly contentType?: string | null }) {
      const document = readDocument(bytes, contentType);
      if (document instanceof Error) throw document;
      return document;
    },
    pageTimeoutMs: PATIENT_MS,
  };
  const { signal } = new AbortController();
  return await pageProbe.observe(targetOf('https://a.example/#top'), context, signal).then(
    (seen) => ({ visit: seen, thrown: null, requests }),
    (thrown: unknown) => ({ visit: null, thrown, requests }),
  );
}

const redirectTo = (location: string): Answer => ({ status: 302, headers: { location }, body: '' });

describe('a visit', () => {
  test('sends the headers of a browser, and skips the bodies of redirects', async () => {
    const { requests } = await visit(() => ({}));
    expect(requests).toMatchObject([
      {
        url: { requestUrl: 'https://a.example/' },
        headers: {
          'User-Agent': expect.stringMatching(/^Mozilla\/5\.0 \(Windows NT .*Chrome\/\d{3}\.0\.0\.0 Safari\/[\d.]+$/),
          Accept: expect.stringMatching(/^text\/html,/),
          'Accept-Language': 'en-US,en;q=0.9',
          'Upgrade-Insecure-Requests': '1',
        },
        skipRedirectBody: true,
      },
    ]);
  });

  test('returns selected response headers, each truncated to 1,024 characters', async () => {
    const kept = {
      'content-type': 'text/html',
      'content-disposition': 'inline',
      'content-security-policy': 'x'.repeat(1024),
      refresh: '60',
      server: 'nginx',
      'strict-transport-security': 'max-age=1',
      'x-frame-options': 'DENY',
      'x-powered-by': 'PHP',
      'x-robots-tag': 'noindex',
    };
    const headers = { ...kept, 'content-security-policy': 'x'.repeat(1025), 'set-cookie': 'a=b', location: '/x' };
    expect((await visit(() => ({ headers }))).visit?.headers).toEqual(kept);
    expect((await visit(() => ({ headers: {} }))).visit?.headers).toEqual({});
  });

  test('returns the status, the length and the truncation of the last body', async () => {
    const { visit: seen } = await visit((url) =>
      url.endsWith('/b') ? { status: 404, truncated: true } : redirectTo('/b'),
    );
    expect(seen).toMatchObject({
      finalUrl: 'https://a.example/b',
      statusCode: 404,
      contentLength: HTML.length,
      truncated: true,
      document: { title: 'A page' },
      stopped: null,
    });
  });

  test('reads a page without a content type, but not an image or an empty body', async () => {
    const titleOf = async (answer: Answer) => (await visit(() => answer)).visit?.document?.title ?? null;
    expect(await titleOf({ headers: {} })).toBe('A page');
    expect(await titleOf({ headers: { 'content-type': 'image/png' } })).toBeNull();
    expect(await titleOf({ body: '' })).toBeNull();
    const empty = await visit(() => ({ body: '' }));
    expect(empty.visit).toMatchObject({ document: null, contentLength: 0, stopped: null });
  });

  test('reports why a page could not be read', async () => {
    const undecoded = await visit(() => ({ decoded: false, body: '' }));
    expect(undecoded.visit).toMatchObject({ document: null, stopped: { code: 'content_undecodable' } });
    const tooMuch = await visit(
      () => ({}),
      () => new FailureError('parser_budget_exceeded'),
    );
    expect(tooMuch.visit).toMatchObject({
      document: null,
      contentLength: HTML.length,
      stopped: { code: 'parser_budget_exceeded' },
    });
  });

  test('follows up to five redirects, and returns each of them', async () => {
    const chain = (length: number) =>
      visit((url) => {
        const at = Number(/\d*$/.exec(url)?.[0]);
        return at < length ? redirectTo(`/${at + 1}`) : {};
      });
    const five = await chain(5);
    expect([five.visit?.finalUrl, five.visit?.redirects.length]).toEqual(['https://a.example/5', 5]);
    const six = await chain(6);
    expect([six.visit?.stopped?.code, six.visit?.redirects.length]).toEqual(['too_many_redirects', 6]);
    expect(six.requests).toHaveLength(6);
  });

  test('stops at a URL that it has already visited, and reports a loop', async () => {
    const { visit: seen, requests } = await visit((url) => redirectTo(url.endsWith('/b') ? '/' : '/b'));
    expect(seen?.stopped).toEqual({ code: 'too_many_redirects', detail: 'a.example redirects to itself' });
    expect([seen?.redirects.length, requests.length]).toEqual([2, 2]);
  });

  test('reports a redirect to an invalid web address without its location', async () => {
    const { visit: seen } = await visit(() => redirectTo('tel:110'));
    expect(seen).toMatchObject({
      redirects: [{ url: 'https://a.example/', status: 302, location: null, address: '192.0.2.1' }],
      stopped: { code: 'redirect_invalid' },
    });
  });

  test('returns what it observed if a later answer fails', async () => {
    const { visit: seen } = await visit((url) =>
      url.endsWith('/b') ? new FailureError('connection_reset') : redirectTo('/b'),
    );
    expect(seen).toMatchObject({
      finalUrl: 'https://a.example/',
      statusCode: 302,
      redirects: [{ location: 'https://a.example/b' }],
      stopped: { code: 'connection_reset' },
    });
  });

  test('fails if the first answer fails, and on any internal error', async () => {
    expect((await visit(() => new FailureError('connection_reset'))).thrown).toMatchObject({
      code: 'connection_reset',
    });
    for (const fault of [new TypeError('a fault'), new FailureError('internal_error')]) {
      const late = await visit((url) => (url.endsWith('/b') ? fault : redirectTo('/b')));
      expect(late.thrown).toBe(fault);
      const reading = await visit(
        () => ({}),
        () => fault,
      );
      expect(reading.thrown).toBe(fault);
    }
  });
});
