import { describe, expect, test } from 'bun:test';
import { createIcapConnection } from '#src/parts/proxy/icap/icap-connection.ts';
import { readHttpRequest } from '#src/parts/proxy/icap/icap-head.ts';
import { EVIL, EVIL_POST, GOOD, HELLO, httpHead, POST, reqmod } from '#test/support/icap-bytes.ts';

/** A connection without a socket: holds requests for evil.example, and records what it writes. */
function openConnection({ isTaking = (): boolean => true } = {}) {
  const written: Buffer[] = [];
  let isEnded = false;
  const connection = createIcapConnection({
    decide(head, http) {
      const { url } = readHttpRequest(http, head.headers);
      const isHeld = url !== null && new URL(url).hostname === 'evil.example';
      const page = Buffer.from('<p>held');
      const fields = { 'Content-Length': String(page.length) };
      return {
        marks: { 'X-Lurecheck-Rule': isHeld ? 'list-blocks' : 'passed' },
        replacement: isHeld ? { status: '403 Forbidden', fields, body: page } : null,
      };
    },
    istag: () => '"1"',
    maxConnections: 100,
    now: () => 0,
    write(bytes) {
      written.push(Buffer.from(bytes));
      return isTaking();
    },
    end: () => {
      isEnded = true;
    },
  });
  return {
    connection,
    text: () => Buffer.concat(written).toString('latin1'),
    summary() {
      const text = Buffer.concat(written).toString('latin1');
      const statuses = [...text.matchAll(/ICAP\/1\.0 (\d+)/g)].map(([, status]) => status);
      return [...statuses, ...(/\r\nhello\r\n/.test(text) ? ['echo'] : []), ...(isEnded ? ['closed'] : [])].join(' ');
    },
  };
}

function answersTo(...pieces: readonly string[]): string {
  const { connection, summary } = openConnection();
  for (const piece of pieces) connection.receive(Buffer.from(piece, 'latin1'));
  return summary();
}

const OPTIONS = httpHead('OPTIONS icap://check.example/reqmod ICAP/1.0', 'Host: check.example');
const withBody = { body: 'req-body' } as const;
const no204 = { fields: [] };

describe('answers', () => {
  test.each([
    ['a request without a body, as Squid sends it', [reqmod(GOOD)], '204'],
    ['a held request', [reqmod(EVIL)], '200'],
    ['three requests in one segment, in order', [reqmod(GOOD) + reqmod(EVIL) + reqmod(GOOD)], '204 200 204'],
    ['single bytes', [...reqmod(GOOD), ...reqmod(EVIL)], '204 200'],
    ['an empty preview', [reqmod(POST, { ...withBody, tail: '0\r\n\r\n' }) + reqmod(GOOD)], '204 204'],
    [
      'a preview that is the whole body',
      [reqmod(POST, { ...withBody, fields: ['Preview: 1024'], tail: '5\r\nhello\r\n0; ieof\r\n\r\n' }) + reqmod(GOOD)],
      '204 204',
    ],
    [
      'neither Allow nor Preview: the request with its body',
      [reqmod(POST, { ...withBody, ...no204, tail: HELLO }) + reqmod(GOOD)],
      '200 204 echo',
    ],
    ['neither Allow nor Preview, without a body', [reqmod(GOOD, no204)], '200'],
    [
      'Allow: 204 with a body',
      [reqmod(POST, { ...withBody, fields: ['Allow: 204'], tail: HELLO }) + reqmod(GOOD)],
      '204 204',
    ],
    ['a list in Allow', [reqmod(GOOD, { fields: ['Allow: 204, 206, trailers'] })], '204'],
    [
      'a held POST once its body came',
      [reqmod(EVIL_POST, { ...withBody, fields: ['Allow: 204'], tail: HELLO }) + reqmod(GOOD)],
      '200 204',
    ],
    [
      'a chunk extension and trailers',
      [
        reqmod(POST, { ...withBody, fields: ['Allow: 204'], tail: '5;x=y\r\nhello\r\n0\r\nX-T: 1\r\n\r\n' }) +
          reqmod(GOOD),
      ],
      '204 204',
    ],
    ['no blank in Encapsulated', [reqmod(GOOD).replace('req-hdr=0, ', 'req-hdr=0,')], '204'],
    [
      'names in lower case',
      [reqmod(GOOD).replace('Encapsulated', 'encapsulated').replace('Preview', 'preview')],
      '204',
    ],
    ['OPTIONS twice and a request', [OPTIONS + OPTIONS + reqmod(GOOD)], '200 200 204'],
    ['OPTIONS on a bare path', [httpHead('OPTIONS /any ICAP/1.0', 'Host: x')], '200'],
    ['Connection: close', [reqmod(GOOD, { fields: ['Allow: 204', 'Connection: close'] }) + reqmod(GOOD)], '204 closed'],
    ['a path with Host', [reqmod(httpHead('GET /x HTTP/1.1', 'Host: evil.example'))], '200'],
    ['CONNECT', [reqmod(httpHead('CONNECT evil.example:443 HTTP/1.1', 'Host: evil.example:443'))], '200'],
    [
      'an absolute URL against another Host',
      [reqmod(httpHead('GET http://evil.example/ HTTP/1.1', 'Host: www.wikipedia.org'))],
      '200',
    ],
    ['a request without a host', [reqmod(httpHead('GET / HTTP/1.0'))], '204'],
    ['OPTIONS * of HTTP', [reqmod(httpHead('OPTIONS * HTTP/1.1', 'Host: evil.example'))], '204'],
  ])('%s', (_, pieces, expected) => {
    expect(answersTo(...pieces)).toBe(expected);
  });
});

describe('refuses', () => {
  test.each([
    [
      'RESPMOD',
      httpHead('RESPMOD icap://x/x ICAP/1.0', 'Host: x', 'Encapsulated: res-hdr=0, null-body=19'),
      '405 closed',
    ],
    ['no Encapsulated', httpHead('REQMOD icap://x/x ICAP/1.0', 'Host: x'), '400 closed'],
    [
      'two Encapsulated',
      reqmod(GOOD).replace('Host: check.example', 'Encapsulated: req-hdr=0, null-body=4'),
      '400 closed',
    ],
    ['an offset of seven digits', reqmod(GOOD).replace(/null-body=\d+/, 'null-body=9999999'), '413 closed'],
    ['an offset before the end of the head', reqmod(GOOD).replace(/null-body=\d+/, 'null-body=20'), '400 closed'],
    ['an offset behind the end of the head', reqmod(`${GOOD}GET `), '400 closed'],
    ['an HTTP head that does not begin at 0', reqmod(GOOD).replace('req-hdr=0', 'req-hdr=7'), '400 closed'],
    ['version 2', reqmod(GOOD).replace('ICAP/1.0', 'ICAP/2.0'), '505 closed'],
    ['HTTP', httpHead('GET / HTTP/1.1', 'Host: x'), '400 closed'],
    ['a head without end', `REQMOD icap://x/x ICAP/1.0\r\nX: ${'a'.repeat(40_000)}`, '400 closed'],
    ['a NUL in the head', reqmod(GOOD, { fields: ['Allow: 204', 'X: a\0b'] }), '400 closed'],
    ['a line that is no field', reqmod(GOOD, { fields: ['Allow: 204', ' folded'] }), '400 closed'],
    [
      'a chunk size that is none',
      reqmod(POST, { ...withBody, fields: ['Allow: 204'], tail: 'zz\r\nhello\r\n0\r\n\r\n' }),
      '400 closed',
    ],
    [
      'a chunk longer than its size',
      reqmod(POST, { ...withBody, fields: ['Allow: 204'], tail: '4\r\nhello\r\n0\r\n\r\n' }),
      '400 closed',
    ],
    [
      'a chunk line without end',
      reqmod(POST, { ...withBody, fields: ['Allow: 204'], tail: '5'.repeat(400) }),
      '400 closed',
    ],
  ])('%s', (_, bytes, expected) => {
    expect(answersTo(bytes)).toBe(expected);
    expect(answersTo(...bytes)).toBe(expected);
  });
});

test('replaces a held request with the block page', () => {
  const { connection, text } = openConnection();
  connection.receive(Buffer.from(reqmod(EVIL)));
  expect(text()).toBe(
    'ICAP/1.0 200 OK\r\nISTag: "1"\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nX-Lurecheck-Rule: list-blocks\r\n' +
      'Encapsulated: res-hdr=0, res-body=45\r\n\r\nHTTP/1.1 403 Forbidden\r\nContent-Length: 7\r\n\r\n7\r\n<p>held\r\n0\r\n\r\n',
  );
});

test('OPTIONS returns the methods, preview and limits that Squid requires', () => {
  const { connection, text } = openConnection();
  connection.receive(Buffer.from(OPTIONS));
  for (const line of [
    'Methods: REQMOD',
    'Preview: 0',
    'Allow: 204',
    'Max-Connections: 100',
    'Encapsulated: null-body=0',
  ])
    expect(text()).toContain(`${line}\r\n`);
  // Squid would count the time for which the options hold from this clock.
  expect(text()).not.toContain('Date:');
});

test('stops reading while the peer does not accept answers, and sends each answer afterwards', () => {
  let isTaking = false;
  const { connection, summary } = openConnection({ isTaking: () => isTaking });
  expect(connection.receive(Buffer.from(reqmod(GOOD).repeat(50)))).toBe(false);
  expect(summary()).toBe('204');
  isTaking = true;
  expect(connection.proceed()).toBe(true);
  expect(summary().split(' ')).toHaveLength(50);
});

test('an echo to a peer that does not read stops after one piece of the body', () => {
  const { connection, text } = openConnection({ isTaking: () => false });
  connection.receive(Buffer.from(reqmod(POST, { ...withBody, ...no204 })));
  const before = text().length;
  for (let times = 0; times < 100; times++) expect(connection.receive(Buffer.from('3\r\nabc\r\n'))).toBe(false);
  expect(text().length).toBe(before);
});

test('a stop completes the request in progress, and announces the close', () => {
  const { connection, summary, text } = openConnection();
  const bytes = reqmod(POST, { ...withBody, fields: ['Allow: 204'], tail: HELLO });
  connection.receive(Buffer.from(bytes.slice(0, -8)));
  connection.stop();
  expect(summary()).toBe('');
  connection.receive(Buffer.from(bytes.slice(-8)));
  expect(summary()).toBe('204 closed');
  expect(text()).toContain('Connection: close\r\n');
});

test('a stop closes an idle connection at once', () => {
  const { connection, summary } = openConnection();
  connection.receive(Buffer.from(reqmod(GOOD)));
  connection.stop();
  expect(summary()).toBe('204 closed');
});
