import { describe, expect, test } from 'bun:test';
import type { IncomingHttpHeaders } from 'node:http';
import type { PageDocument } from '#src/network/html/document.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { pageProbe } from '#src/network/probes/page.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import { serveDns } from '#test/network/egress/dns-server.ts';
import { openLoopback } from '#test/network/egress/loopback.ts';
import { PATIENT_MS } from '#test/support/patience.ts';
import { targetOf } from '#test/support/target.ts';
import { serveWeb, type WebAnswer } from '#test/support/web-server.ts';

const LOGIN = '<title>Log in</title><form method=post><input type=password name=p></form>';
const TEXT = `<p>${'Tide tables of the harbour, and news. '.repeat(20)}</p>`;
const FULL = 'style="position:fixed;inset:0;width:100%;height:100%"';

type Pages = Readonly<Record<string, string | ((headers: IncomingHttpHeaders) => WebAnswer)>>;

interface Seen {
  readonly visit: PageVisit;
  /** Path of each request, with its cookies. */
  readonly requests: readonly string[];
  /** Addresses of the scripts that were passed to each reading. */
  readonly scripts: readonly (readonly string[])[];
  /** Documents that were read, in order. */
  readonly documents: readonly PageDocument[];
  readonly at: (path: string) => string;
}

/** Visits `/` of `a.harbour.test`, of which other hosts of `.test` are the same server. */
async function visitSite(pages: Pages, start = '/'): Promise<Seen> {
  const requests: string[] = [];
  const scripts: string[][] = [];
  const documents: PageDocument[] = [];
  await using server = await serveWeb((path, headers) => {
    const { host = '', cookie } = headers;
    const name = host.replace(/:\d+$/, '');
    const place = name === 'a.harbour.test' ? path : `${name}${path}`;
    requests.push(cookie === undefined ? place : `${place} ${cookie}`);
    const page = pages[place] ?? (() => ({ status: 404 }));
    const answer: WebAnswer = typeof page === 'string' ? { body: page } : page(headers);
    const { body = '', headers: own = {}, ...rest } = answer;
    const fill = (text: string) => text.replaceAll('PORT', String(server.port));
    const filled = Object.entries(own).map(([key, value]) => [key, fill(value)]);
    return { ...rest, headers: Object.fromEntries(filled), body: fill(String(body)) };
  });
  await using dns = await serveDns(({ type }) =>
    type === 'A' ? { answers: [{ name: '@', type, ttl: 60, data: '127.0.0.1' }] } : {},
  );
  await using egress = openLoopback([server.port], { dns_server: [dns.endpoint] });
  const at = (path: string) => `http://a.harbour.test:${server.port}${path}`;
  const context = {
    egressClient: egress.client(),
    async readPage(bytes: Uint8Array, source: Parameters<typeof readPage>[1]) {
      scripts.push([...(source.scripts?.keys() ?? [])]);
      const document = await readPage(bytes, source);
      documents.push(document);
      return document;
    },
    pageTimeoutMs: PATIENT_MS,
  };
  const visit = await pageProbe.observe(targetOf(at(start)), context, new AbortController().signal);
  return { visit, requests, scripts, documents, at };
}

const asks = ({ document }: Pick<PageVisit, 'document'>) =>
  document?.forms.some(({ fields }) => fields.some(({ kind }) => kind === 'password')) ?? false;

describe('a page that leads on to a page of its own site is followed:', () => {
  test.each([
    ['script', '<script>location.href="/inner"</script>'],
    ['script', '<script>window.location.replace("inner")</script>'],
    ['script', '<script>setTimeout(function(){document.location="/inner"},100)</script>'],
    ['script', `<body onload="location='/inner'">One moment`],
    ['script', '<script>document.write("<meta http-equiv=refresh content=\'0;url=/inner\'>")</script>'],
    ['form', '<form action="/inner" id=f><input type=hidden name=t></form><script>f.submit()</script>'],
    ['form', '<form action="/inner"><input name=t value=1></form><script>document.forms[0].submit()</script>'],
    ['form', '<form action="/inner"></form><script>HTMLFormElement.prototype.submit.call(document.forms[0])</script>'],
    ['frame', `<iframe src="/inner" ${FULL}></iframe>`],
    ['frame', `${TEXT}<iframe src="/inner" ${FULL}></iframe>`],
    ['frame', '<iframe src="/inner"></iframe>'],
    ['frame', '<frameset rows="100%"><frame src="/inner"></frameset>'],
    ['frame', '<object data="/inner" width=100% height=100%></object>'],
    ['frame', '<embed src="/inner" width=100% height=100%>'],
  ])('by a %s: %s', async (how, page) => {
    const { visit, requests, at } = await visitSite({ '/': page, '/inner': LOGIN });
    expect(visit).toMatchObject({
      redirects: [{ url: at('/'), status: 200, location: at('/inner'), address: '127.0.0.1', how }],
      passed: [{ finalUrl: at('/'), exits: [] }],
      finalUrl: at('/inner'),
      exits: [],
      stopped: null,
    });
    expect([asks(visit), requests]).toEqual([true, ['/', '/inner']]);
  });

  test('by a script beside content, which remains what is shown', async () => {
    const page = `${TEXT}<script>location.href="/inner"</script>`;
    const { visit, requests, at } = await visitSite({ '/': page, '/inner': LOGIN });
    expect([visit.finalUrl, requests, visit.passed.some(asks)]).toEqual([at('/'), ['/', '/inner'], true]);
  });

  test('over several pages, up to the limit of steps', async () => {
    const pages = Array.from({ length: 9 }, (_, i) => [`/${i}`, `<script>location="/${i + 1}"</script>`] as const);
    const { visit, requests, at } = await visitSite(Object.fromEntries(pages), '/0');
    expect(requests).toEqual(['/0', '/1', '/2', '/3', '/4', '/5']);
    expect([visit.finalUrl, visit.stopped, visit.exits]).toEqual([at('/5'), null, [{ how: 'script', url: at('/6') }]]);
  });

  test('once, if the pages lead to each other', async () => {
    const { visit, requests } = await visitSite({
      '/': '<script>location="/a"</script>',
      '/a': '<script>location="/"</script>',
    });
    expect([requests, visit.stopped]).toEqual([['/', '/a'], null]);
  });

  test('to all that fill it, the script first', async () => {
    const two = `<frameset cols="*,*"><frame src="/top"><frame src="/inner"></frameset>`;
    const { visit, requests, at } = await visitSite({ '/': two, '/top': '<p>Top</p>', '/inner': LOGIN });
    expect(requests).toEqual(['/', '/top', '/inner']);
    expect([visit.finalUrl, visit.passed.map(({ finalUrl }) => finalUrl)]).toEqual([
      at('/top'),
      [at('/'), at('/inner')],
    ]);
    expect(visit.passed.some(asks)).toBeTrue();
    const both = `<iframe src="/top" ${FULL}></iframe><script>location="/inner"</script>`;
    expect((await visitSite({ '/': both, '/top': '<p>Top</p>', '/inner': LOGIN })).visit.finalUrl).toEndWith('/inner');
  });

  test('but stays where the way fails', async () => {
    const cut = () => ({ status: 302, headers: { location: 'tel:110' } });
    const { visit, at } = await visitSite({ '/': '<script>location="/inner"</script>', '/inner': cut });
    expect([visit.finalUrl, visit.stopped?.code]).toEqual([at('/inner'), 'redirect_invalid']);
  });
});

describe('a visit does not fetch', () => {
  test.each([
    ['what a script of a page with content may go to', `${TEXT}<script>function go(){location="/inner"}</script>`],
    ['where a script goes on a condition', `${TEXT}<script>if (isPhone) location="/inner"</script>`],
    ['where a script goes once all is well', `${TEXT}<script>(() => {if (ok) return; location="/inner"})()</script>`],
    ['where a call on a condition goes', `${TEXT}<script>function go(){location="/inner"} ok || go()</script>`],
    ['the target of a form that posts', '<form action="/inner" method=post name=f></form><script>f.submit()</script>'],
    ['a script exit to another site', '<script>location="http://b.other.test:PORT/inner"</script>'],
    ['a form to another site', '<form action="http://b.other.test:PORT/" name=f></form><script>f.submit()</script>'],
    ['a hidden frame', '<iframe src="/inner" style="display:none"></iframe>'],
    ['a part of a page with content', `${TEXT}<iframe src="/inner" width=300 height=200></iframe>`],
    ['the only link', '<p>Document</p><a href="/inner">Open</a>'],
    ['itself again', '<script>location.href="/"</script>'],
    ['a page that only reloads', '<meta http-equiv=refresh content="5;url=/">'],
    ['a frame beside a form', '<form><input name=mail><input name=place><iframe src="/inner"></iframe></form>'],
    ['scripts of a page with content', `${TEXT}<script src="/app.js"></script>`],
  ])('%s', async (_, page) => {
    const { requests } = await visitSite({ '/': page, '/inner': LOGIN, '/app.js': 'x' });
    expect(requests).toEqual(['/']);
  });

  test('posted data, and names the form', async () => {
    const page = '<form action="/inner" method=post name=f></form><script>f.submit()</script>';
    const { visit, at } = await visitSite({ '/': page });
    expect(visit.exits).toEqual([{ how: 'form', url: at('/inner'), posts: true }]);
  });
});

test('a frame of another site that fills the page is fetched', async () => {
  const { visit, requests } = await visitSite({
    '/': `<iframe src="http://b.other.test:PORT/inner" ${FULL}></iframe>`,
    'b.other.test/inner': LOGIN,
  });
  expect(requests).toEqual(['/', 'b.other.test/inner']);
  expect([asks(visit), visit.redirects[0]?.how]).toEqual([true, 'frame']);
});

describe('cookies of a visit', () => {
  const setting = (cookie: string, location = '/') => ({ status: 302, headers: { location, 'set-cookie': cookie } });
  const gate =
    (cookie: string, first: WebAnswer = setting(cookie)) =>
    ({ cookie: sent }: IncomingHttpHeaders): WebAnswer =>
      sent === undefined ? first : { body: LOGIN };

  test('open a gate that redirects to itself, and one that reloads', async () => {
    const redirected = await visitSite({ '/': gate('seen=1; Path=/; HttpOnly') });
    expect([redirected.requests, asks(redirected.visit), redirected.visit.stopped]).toEqual([
      ['/', '/ seen=1'],
      true,
      null,
    ]);
    expect(JSON.stringify(redirected.visit)).not.toContain('seen');
    const reload = { headers: { 'set-cookie': 'seen=1' }, body: '<meta http-equiv=refresh content="0;url=/">' };
    const reloaded = await visitSite({ '/': gate('', reload) });
    expect([reloaded.requests, asks(reloaded.visit)]).toEqual([['/', '/ seen=1'], true]);
  });

  test.each([
    [
      'a refusal with a refresh',
      { status: 403, headers: { 'set-cookie': 'seen=1', refresh: '1' }, body: '<h1>Wait</h1>' },
    ],
    ['a reload by script', { headers: { 'set-cookie': 'seen=1' }, body: '<script>location.reload()</script>' }],
    [
      'the same address by script',
      { status: 503, headers: { 'set-cookie': 'seen=1' }, body: '<script>location.href=location.href</script>' },
    ],
    ['a cookie and a reload by script', { body: '<script>document.cookie="seen=1";location.reload()</script>' }],
  ])('are sent after %s', async (_, first: WebAnswer) => {
    const { visit, requests } = await visitSite({ '/': ({ cookie }) => (cookie ? { body: LOGIN } : first) });
    expect([asks(visit), requests, visit.stopped]).toEqual([true, ['/', '/ seen=1'], null]);
    expect(JSON.stringify(visit)).not.toContain('"seen=1"');
  });

  test('end in a loop if they do not help', async () => {
    const { visit, requests } = await visitSite({ '/': () => setting('seen=1') });
    expect([requests, visit.stopped?.code]).toEqual([['/', '/ seen=1'], 'too_many_redirects']);
    let count = 0;
    const counting = await visitSite({ '/': () => setting(`n=${count++}`) });
    expect([counting.requests.length, counting.visit.stopped?.code]).toEqual([6, 'too_many_redirects']);
  });

  test('go to no other site, and to no other visit', async () => {
    const away = { '/': () => setting('id=7; Domain=harbour.test', 'http://b.other.test:PORT/') };
    const pages = { ...away, 'b.other.test/': () => setting('', 'http://c.harbour.test:PORT/'), 'c.harbour.test/': '' };
    expect((await visitSite(pages)).requests).toEqual(['/', 'b.other.test/', 'c.harbour.test/ id=7']);
    expect((await visitSite({ '/': 'x' })).requests).toEqual(['/']);
  });
});

describe('scripts of its own site that draw a page', () => {
  test('are fetched, at most two, and read with the page', async () => {
    const page =
      '<div id=root></div><script src="/a.js"></script><script src="http://b.other.test:PORT/x.js"></script><script src="/missing.js"></script><script src="/c.js"></script>';
    const { requests, scripts, at } = await visitSite({ '/': page, '/a.js': 'let a = 1', '/c.js': 'let c = 1' });
    expect(requests).toEqual(['/', '/a.js', '/missing.js']);
    expect(scripts).toEqual([[], [at('/a.js')]]);
  });

  test('are not fetched if another way leads on', async () => {
    const page = '<script src="/a.js"></script><script>location="/inner"</script>';
    expect((await visitSite({ '/': page, '/inner': LOGIN })).requests).toEqual(['/', '/inner']);
  });
});

test('a visit hands on the documents that were read, which threads have packed, and no copies of them', async () => {
  const { visit, documents } = await visitSite({
    '/': '<script>document.cookie="seen=1";location="/in"</script>',
    '/in': `${LOGIN}<script>document.cookie="open=1";location.reload()</script>`,
  });
  const handed = [...visit.passed, visit].map(({ document }) => document);
  expect(handed.length).toBe(2);
  expect(handed.every((document) => document !== null && documents.includes(document))).toBe(true);
});
