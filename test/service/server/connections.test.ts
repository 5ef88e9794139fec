import { expect, test } from 'bun:test';
import { rawExchange, requestBytes } from '#test/support/raw-exchange.ts';
import { resultOf, startServer } from './running-server.ts';

const KEPT_OPEN = { 'Content-Type': 'application/json', Connection: 'keep-alive' };

function check(port: number, url: string): Uint8Array {
  return requestBytes(port, 'POST', '/api/check-url', KEPT_OPEN, JSON.stringify({ url }));
}

function chunkedCheck(port: number, url: string): Uint8Array {
  const json = JSON.stringify({ url });
  const headers = { ...KEPT_OPEN, 'Transfer-Encoding': 'chunked' };
  const head = requestBytes(port, 'POST', '/api/check-url', headers, undefined);
  return Buffer.concat([head, Buffer.from(`${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`)]);
}

test('a check that is pipelined with another request is answered, or was never started', async () => {
  await using server = startServer({
    // As a real one, which waits for its log at least.
    async check(request) {
      await new Promise(setImmediate);
      return resultOf(request);
    },
  });
  const { port } = server;
  const get = (path: string) => requestBytes(port, 'GET', path, { Connection: 'keep-alive' }, undefined);
  const writes = {
    'a check and a check': [check(port, 'http://a.example/'), check(port, 'http://b.example/')],
    'a check and a page': [check(port, 'http://a.example/'), get('/livez')],
    'a check in chunks and a page': [chunkedCheck(port, 'http://a.example/'), get('/livez')],
    'a large check and a page': [check(port, `http://a.example/${'a'.repeat(8_000)}`), get('/livez')],
    'three checks': ['a', 'b', 'c'].map((name) => check(port, `http://${name}.example/`)),
  };
  for (const [what, requests] of Object.entries(writes)) {
    const before = server.requests.length;
    const { received } = await rawExchange(port, Buffer.concat(requests), { responses: requests.length });
    // The connection may be closed before the check begins; whoever is answered now came after it.
    await (await fetch(`${server.url}/livez`)).text();
    const answered = received.split('"malicious_probability"').length - 1;
    expect([what, server.requests.length - before]).toEqual([what, answered]);
  }
  expect(server.log).toEqual([]);
});

test('a message that is not a valid HTTP/1.1 request gets a bare status or no answer, as documented', async () => {
  await using server = startServer();
  const head = (line: string, ...fields: string[]) => `${line} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`;
  const long = 'x'.repeat(40_000);
  const host = 'Host: localhost';
  const refused: [status: number | null, bytes: string][] = [
    [400, 'nonsense\r\n\r\n'],
    [400, head('GET /')],
    [400, head('OPTIONS *', host)],
    [400, head('POST /api/check-url', host, 'Content-Length: 3', 'Transfer-Encoding: chunked')],
    [413, head('POST /api/check-url', host, 'Content-Length: 70000000')],
    [431, head('GET /', host, `X-Long: ${long}`)],
    [431, head(`GET /${long}`, host)],
    [505, `GET / HTTP/2.0\r\n${host}\r\n\r\n`],
    [null, head('FOO /', host)],
  ];
  for (const [expected, bytes] of refused) {
    const { status, headers, body, received } = await rawExchange(server.port, Buffer.from(bytes));
    expect([bytes.slice(0, 40), status, body]).toEqual([bytes.slice(0, 40), expected, '']);
    if (expected === null) expect(received).toBe('');
    else expect([...headers]).toEqual([['connection', 'close']]);
  }
});
