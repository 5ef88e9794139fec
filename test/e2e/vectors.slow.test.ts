import { afterAll, beforeAll, expect, test } from 'bun:test';
import { CLIENT_VECTORS, expectAnswer, vectorBytes } from '#test/support/client-vectors.ts';
import { rawExchange, requestBytes } from '#test/support/raw-exchange.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const opened = new AsyncDisposableStack();
let service: Service;
let port = 0;

beforeAll(async () => {
  const directory = opened.use(temporaryDirectory());
  service = opened.use(await startService(directory.path));
  port = Number(new URL(service.url).port);
});
afterAll(() => opened.disposeAsync());

/** What it told beside its checks. */
function complaints(): string[] {
  // A foreign host name is the operator's business.
  const events = service.events().filter(({ level, event }) => level !== 'info' && event !== 'request.misdirected');
  return [...events.map(({ event }) => event), ...service.output.stderr.split('\n').filter(Boolean)];
}

/** The newest public check, which is another one as soon as a public check is logged. */
async function newestPublic(): Promise<string | undefined> {
  return (await service.history()).items[0]?.request_id;
}

// Those with settings of their own and the slow ones are played against the server in this process.
for (const vector of CLIENT_VECTORS.filter(({ slow, config }) => !slow && !config)) {
  test(`the executable withstands api-client vector ${vector.id}`, async () => {
    const before = await newestPublic();
    const response = await rawExchange(port, vectorBytes(vector, port));
    expectAnswer(vector, response);
    const isLogged = (await newestPublic()) !== before;
    if (response.status !== 200) expect(isLogged).toBe(false);
    if (vector.expect.publicLog !== undefined) expect(isLogged).toBe(vector.expect.publicLog);
    expect(complaints()).toEqual([]);
  });
}

const urls: { vectors: { id: string; input: string; status: 200 | 400 }[] } = await Bun.file(
  new URL('../vectors/url-format.json', import.meta.url),
).json();

for (const { id, input, status } of urls.vectors) {
  test(`the executable answers url-format vector ${id} with ${status}`, async () => {
    const before = await newestPublic();
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ url: input });
    const response = await rawExchange(port, requestBytes(port, 'POST', '/api/check-url', headers, body));
    expect(response.status).toBe(status);
    expect((await newestPublic()) !== before).toBe(status === 200);
    expect(complaints()).toEqual([]);
  });
}
