import { expect, test } from 'bun:test';
import { rawExchange, requestBytes } from '#test/support/raw-exchange.ts';
import { startServer } from './running-server.ts';

interface UrlVector {
  readonly id: string;
  readonly input: string;
  readonly status: 200 | 400;
}

const { vectors }: { vectors: UrlVector[] } = await Bun.file(
  new URL('../../vectors/url-format.json', import.meta.url),
).json();

for (const { id, input, status } of vectors) {
  test(`url-format vector ${id} is answered ${status}`, async () => {
    await using server = startServer();
    // JSON.stringify escapes lone surrogates, so that the bytes are UTF-8 whatever the vector holds.
    const body = JSON.stringify({ url: input });
    const headers = { 'Content-Type': 'application/json' };
    const response = await rawExchange(server.port, requestBytes(server.port, 'POST', '/api/check-url', headers, body));
    expect(response.status).toBe(status);
    const answer = JSON.parse(Buffer.from(response.body, 'latin1').toString());
    if (status === 200) expect(answer.url).toBe(input);
    else expect(answer.errors).toEqual([{ field: 'url', message: expect.any(String) }]);
    expect(server.requests.length).toBe(status === 200 ? 1 : 0);
  });
}
