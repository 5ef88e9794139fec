import { expect, test } from 'bun:test';
import { startServer } from './running-server.ts';

async function ask(url: string, headers: Record<string, string>) {
  const response = await fetch(url, { headers, decompress: false });
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
}

test('a file is sent compressed if the client accepts gzip, and decompresses to the same bytes', async () => {
  await using server = startServer();
  const url = `${server.url}/swagger/swagger-ui.css`;
  const plain = await ask(url, { 'Accept-Encoding': 'identity' });
  expect(plain.response.headers.get('content-encoding')).toBeNull();
  for (const accepted of ['gzip', 'br, gzip;q=0.5', 'GZIP']) {
    const { response, bytes } = await ask(url, { 'Accept-Encoding': accepted });
    expect([accepted, response.headers.get('content-encoding')]).toEqual([accepted, 'gzip']);
    expect(response.headers.get('vary')).toBe('accept-encoding');
    expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
    expect(Bun.gunzipSync(bytes)).toEqual(plain.bytes);
  }
  for (const refused of ['gzip;q=0', 'br', 'xgzip', 'gzip;q=0.000']) {
    const { response } = await ask(url, { 'Accept-Encoding': refused });
    expect([refused, response.headers.get('content-encoding')]).toEqual([refused, null]);
  }
});

test('a request with a matching If-None-Match gets 304 without a body', async () => {
  await using server = startServer();
  for (const path of ['/', '/swagger', '/swagger/json']) {
    const url = `${server.url}${path}`;
    const etag = (await ask(url, {})).response.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[^"]+"$/);
    for (const known of [etag, `"other", ${etag}`]) {
      const { response, bytes } = await ask(url, { 'If-None-Match': known });
      expect([path, known, response.status, bytes.length]).toEqual([path, known, 304, 0]);
      expect(response.headers.get('etag')).toBe(etag);
    }
    expect((await ask(url, { 'If-None-Match': '"other"' })).response.status).toBe(200);
  }
});
