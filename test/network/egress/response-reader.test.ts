import { describe, expect, test } from 'bun:test';
import { FailureError } from '#src/core/base/failure.ts';
import { createResponseReader, type RawResponse } from '#src/network/egress/http/response-reader.ts';
import { machineSlowness } from '#test/support/cpu-time.ts';
import { createRandom } from '#test/support/random.ts';
import { ODD_ANSWERS } from './odd-answers.ts';

const LIMITS = { headerBytes: 256 * 1024, wireBytes: 4 * 1024 * 1024, bodyBytes: 2 * 1024 * 1024 };

/** What a reader makes of bytes that come in these pieces, and then the connection ends. */
function readPieces(pieces: Iterable<Uint8Array>, limits = LIMITS, allowHttp09 = false): RawResponse | string | null {
  const reader = createResponseReader(limits, { isBodyNeeded: () => true, allowHttp09 });
  try {
    for (const piece of pieces) if (reader.push(piece)) return reader.finish(false);
    return reader.finish(true);
  } catch (error) {
    if (error instanceof FailureError) return error.code;
    throw error;
  }
}

const read = (text: string) => readPieces([Buffer.from(text, 'latin1')]);

/** The same bytes in pieces of `size()` each. */
function* inPieces(bytes: Uint8Array, size: () => number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const end = at + size();
    yield bytes.subarray(at, end);
    at = end;
  }
}

/** What can be compared: the text of a body in place of its bytes. */
const plain = (response: ReturnType<typeof readPieces>) =>
  response === null || typeof response === 'string'
    ? response
    : {
        ...response,
        headers: [...response.headers],
        body: Buffer.from(response.body).toString('latin1'),
        // Bytes behind an answer may not have been read yet (`kept-connections.test.ts`).
        isReusable: undefined,
      };

describe('a response has the same result for any chunk size:', () => {
  const random = createRandom(20_261_122);
  for (const { name, bytes } of ODD_ANSWERS) {
    // What a huge answer adds to the law, it takes in time.
    if (bytes.length > 300_000) continue;
    test(name, () => {
      const whole = plain(readPieces([bytes]));
      expect(plain(readPieces(inPieces(bytes, () => (bytes.length > 10_000 ? 97 : 1))))).toEqual(whole);
      expect(plain(readPieces(inPieces(bytes, () => 1 + random.below(64))))).toEqual(whole);
    });
  }
});

test.each([
  ['HTTP/1.1 200 OK\r\nA: b\r\n\r\n', 200],
  ['HTTP/1.1 404\r\n\r\n', 404],
  ['HTTP/1.1\r\n\r\n', 200],
  ['http/1.0 301 moved\n\n', 301],
  ['\r\nHTTP/1.1 200 OK\r\n\r\n', 200],
  ['\r\n\r\nHTTP/1.1 200 OK\r\n\r\n', 200],
  ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n', 200],
  ['HTTP/1.1 -200 OK\r\n\r\n', 200],
  ['HTTP/1.1 2000 OK\r\n\r\n', 2000],
])('the status of %j is %d', (text, status) => {
  expect(read(text)).toMatchObject({ status });
});

test.each([
  'SSH-2.0-OpenSSH_9.9\r\n\r\n',
  '12345HTTP/1.1 200 OK\r\n\r\n',
  'HTTP/1.1 99 Low\r\n\r\n',
  'HTTP/1.1 10000 High\r\n\r\n',
  'HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\n'.repeat(9),
  'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<p>\n',
])('%j is malformed', (text) => {
  expect(read(text)).toBe('response_malformed');
});

test('accepts up to eight informational responses, and uses only the final one', () => {
  const early = 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n';
  const response = read(`${early.repeat(8)}HTTP/1.1 200 OK\r\nA: b\r\n\r\n`);
  expect(typeof response === 'object' && response && [...response.headers]).toEqual([['a', 'b']]);
});

test('a response that ends within its head returns null', () => {
  for (const text of ['', 'HT', 'HTTP/1.1 200', 'HTTP/1.1 200 OK\r\nA: b\r\n']) expect(read(text)).toBeNull();
});

test('does not read a body that is not needed, and does not report it as truncated', () => {
  const reader = createResponseReader(LIMITS, {
    isBodyNeeded: ({ status }) => status !== 302,
    allowHttp09: false,
  });
  expect(reader.push(Buffer.from('HTTP/1.1 302 Found\r\nContent-Length: 9\r\n\r\nabc'))).toBe(true);
  expect(plain(reader.finish(false))).toMatchObject({ status: 302, body: '', truncated: false });
});

test('decodes chunks in HTTP/1.1 and later, but not in earlier versions', () => {
  const sent = (version: string) => `${version} 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n`;
  for (const version of ['HTTP/1.1', 'HTTP/1.2', 'HTTP/2.0'])
    expect(plain(read(sent(version)))).toMatchObject({ body: 'a' });
  for (const version of ['HTTP/1.0', 'HTTP/0.9', 'HTTP', 'HTTP/x']) {
    expect(plain(read(sent(version)))).toMatchObject({ body: '1\r\na\r\n0\r\n\r\n' });
  }
});

test('accepts any status from 100 to 9999, with leading zeros', () => {
  const statusOf = (digits: string) => {
    const response = read(`HTTP/1.1 ${digits} Odd\r\n\r\n`);
    return typeof response === 'object' ? response?.status : response;
  };
  expect(['200', '0200', '999', '9999'].map(statusOf)).toEqual([200, 200, 999, 9999]);
  expect(['0', '99', '10000'].map(statusOf)).toEqual(Array(3).fill('response_malformed'));
});

test('accepts up to four bytes before the status line', () => {
  expect(read('1234HTTP/1.1 200 OK\r\n\r\n')).toMatchObject({ status: 200 });
});

test('unfolds, trims and joins header lines, and ignores invalid ones', () => {
  const head =
    'HTTP/1.1 200 OK\nX-A:\n  b \n c\nnonsense\n: c\nX B: d\nX-C : e\nX-A: f \nLocation: /one\nlocation: /two\nSet-Cookie: a=1;Expires=Thu,01-Jan-2099\nset-cookie: b=2\n\n';
  const headersOf = (text: string) => {
    const response = read(text);
    return typeof response === 'object' && response && Object.fromEntries(response.headers);
  };
  const cookies = 'a=1;Expires=Thu,01-Jan-2099\nb=2';
  const headers = { 'x-a': 'b c, f', 'x-c': 'e', location: '/one', 'set-cookie': cookies };
  expect(headersOf(head)).toEqual(headers);
  expect(headersOf(head.replaceAll(' ', '\t').replace('\t', ' '))).toEqual(headers);
});

test.each([
  ['Content-Length: 3', 'abcdef', 'abc', false],
  ['Content-Length: 9', 'abc', 'abc', true],
  ['Content-Length: 3, 3', 'abcdef', 'abc', false],
  ['Content-Length: -3', 'abcdef', 'abcdef', false],
  ['Content-Length: 3x', 'abcdef', 'abcdef', false],
  ['X: y', 'abcdef', 'abcdef', false],
  ['Transfer-Encoding: gzip, chunked', '3\r\nabc\r\n0\r\n\r\n', 'abc', false],
  ['Content-Length: 1\r\nTransfer-Encoding: CHUNKED', '3\nabc\n0\n\n', 'abc', false],
  ['Transfer-Encoding: chunked', '03 ;a="b"\r\nabc\r\n0\r\nX: y\r\n\r\n', 'abc', false],
  ['Transfer-Encoding: chunked', '3\r\nabc\r\n', 'abc', true],
  ['Transfer-Encoding: chunked', '3\r\nabcX\r\n0\r\n\r\n', 'abc', true],
  ['Transfer-Encoding: chunked', '3\r\nabc\r\nzz\r\n', 'abc', true],
  ['Transfer-Encoding: chunked', `3\r\nabc\r\n1;${'x'.repeat(20_000)}`, 'abc', true],
])('frames a body with %s as browsers do', (header, sent, body, truncated) => {
  expect(plain(read(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n${sent}`))).toMatchObject({ body, truncated });
});

test('returns chunks in an HTTP/1.0 response as text', () => {
  const answer = 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n';
  expect(plain(read(answer))).toMatchObject({ body: '3\r\nabc\r\n0\r\n\r\n' });
});

test.each([204, 205, 304])('a response with status %d has no body', (status) => {
  expect(plain(read(`HTTP/1.1 ${status} Odd\r\nContent-Length: 3\r\n\r\nabc`))).toMatchObject({
    body: '',
    truncated: false,
  });
});

test('limits the length of the head, excluding the body', () => {
  const limits = { ...LIMITS, headerBytes: 64 };
  const head = (length: number) => {
    const start = 'HTTP/1.1 200 OK\r\nA: ';
    return `${start}${'b'.repeat(length - start.length - 4)}\r\n\r\n`;
  };
  expect(plain(readPieces([Buffer.from(`${head(64)}body`)], limits))).toMatchObject({ body: 'body' });
  expect(readPieces([Buffer.from(`${head(65)}body`)], limits)).toBe('response_header_too_large');
});

test.each([
  ['of one byte', '1\r\na\r\n', 'a', true],
  ['with zeros before its size', `${'0'.repeat(100)}1\r\na\r\n0\r\n\r\n`, 'a', false],
  ['with capitals in its size', `A\r\n${'a'.repeat(10)}\r\n0\r\n\r\n`, 'a'.repeat(10), false],
  ['with spaces behind its size', '1  \r\na\r\n0\r\n\r\n', 'a', false],
  ['with spaces before its size', '1\r\na\r\n 1\r\nb\r\n0\r\n\r\n', 'a', true],
  ['with a sign before its size', '1\r\na\r\n+1\r\nb\r\n0\r\n\r\n', 'a', true],
  ['with junk behind its size', '1\r\na\r\n1x\r\nb\r\n0\r\n\r\n', 'a', true],
  ['of a size that no number holds', '1\r\na\r\n1000000000000\r\nb', 'a', true],
  ['with trailers behind the last', '1\r\na\r\n0\r\nA: b\r\nC: d\r\n\r\n', 'a', false],
  ['without the empty line at the end', '1\r\na\r\n0\r\nA: b\r\n', 'a', true],
  ['with 999 trailers', `1\r\na\r\n0\r\n${'A: b\r\n'.repeat(999)}\r\n`, 'a', false],
  ['with 1000 trailers', `1\r\na\r\n0\r\n${'A: b\r\n'.repeat(1000)}\r\n`, 'a', true],
  ['with a line of 16 KiB', `1\r\na\r\n1;${'x'.repeat(16_381)}\r\nb\r\n0\r\n\r\n`, 'ab', false],
  ['with a line of one byte more', `1\r\na\r\n1;${'x'.repeat(16_382)}\r\nb\r\n0\r\n\r\n`, 'a', true],
])('frames a body with a chunk %s', (_, sent, body, truncated) => {
  const response = plain(read(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${sent}`));
  expect(response).toMatchObject({ body, truncated });
});

test('ends a body at its content length, without waiting for more', () => {
  const reader = createResponseReader(LIMITS, { isBodyNeeded: () => true, allowHttp09: false });
  expect(reader.push(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab'))).toBe(false);
  expect(reader.push(Buffer.from('cd'))).toBe(true);
  expect(plain(reader.finish(false))).toMatchObject({ body: 'abc', truncated: false });
});

test('stores no more bytes than the limits permit', () => {
  const limits = { headerBytes: 100, wireBytes: 20, bodyBytes: 10 };
  const answer = (header: string) => [Buffer.from(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n${'x'.repeat(50)}`)];
  expect(plain(readPieces(answer('A: b'), limits))).toMatchObject({ body: 'x'.repeat(10), truncated: true });
  expect(plain(readPieces(answer('Content-Encoding: br'), limits))).toMatchObject({
    body: 'x'.repeat(20),
    truncated: true,
  });
  expect(readPieces(answer(`A: ${'b'.repeat(100)}`), limits)).toBe('response_header_too_large');
});

test('reads a head in linear time, for any content', () => {
  for (const filler of ['\r', ' ', '\t', 'A: \r', '\n ', ':', 'a']) {
    const length = LIMITS.headerBytes - 100;
    const bytes = Buffer.from(`HTTP/1.1 200 OK\r\nX: ${filler.repeat(length / filler.length)}y`);
    const before = process.cpuUsage();
    readPieces(inPieces(bytes, () => 1000));
    const { user } = process.cpuUsage(before);
    // Some milliseconds; with a step for each pair of bytes it would be minutes.
    expect(user / 1000 / machineSlowness()).toBeLessThan(1000);
  }
});

describe('a response without a status line', () => {
  const page = `<title>Sign in</title>${'x'.repeat(300_000)}`;

  test('is read as a page if HTTP/0.9 is allowed, for any chunk size', () => {
    for (const size of [1, 7, 8, 64 * 1024, page.length]) {
      const response = readPieces(
        inPieces(Buffer.from(page), () => size),
        LIMITS,
        true,
      );
      expect(plain(response)).toMatchObject({ status: 200, headers: [], body: page, truncated: false });
    }
  });

  test('is refused otherwise, and after an informational response', () => {
    expect(read(page)).toBe('response_malformed');
    const behind = Buffer.from(`HTTP/1.1 103 Early\r\n\r\n${page}`);
    expect(readPieces([behind], LIMITS, true)).toBe('response_malformed');
  });
});
