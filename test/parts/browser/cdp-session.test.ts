import { describe, expect, test } from 'bun:test';
import { PassThrough } from 'node:stream';
import { type CdpEvent, createCdpSession } from '#src/parts/browser/cdp/cdp-session.ts';
import { pipeTransport } from '#src/parts/browser/cdp/pipe-transport.ts';
import { openSocketTransport } from '#src/parts/browser/cdp/socket-transport.ts';
import { MAX_CDP_BYTES } from '#src/parts/browser/cdp/transport.ts';
import { PATIENT_MS } from '#test/support/patience.ts';

type Command = { readonly id: number; readonly method: string; readonly sessionId?: string };

/** A browser at the other end of two pipes, which answers each command as a function says. */
function browserThat(answer: (command: Command, send: (text: string) => void) => void) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const send = (text: string) => void output.write(`${text}\0`);
  input.on('data', (chunk: Uint8Array) => {
    for (const text of Buffer.from(chunk).toString().split('\0').filter(Boolean)) answer(JSON.parse(text), send);
  });
  return { cdp: createCdpSession(pipeTransport(input, output)), send, end: () => output.destroy() };
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
  );

describe('a command', () => {
  test('returns its own answer, in whatever order answers come', async () => {
    const held: number[] = [];
    const { cdp } = browserThat(({ id }, send) => {
      held.push(id);
      if (held.length === 3) for (const one of held.toReversed()) send(`{"id":${one},"result":{"product":"p${one}"}}`);
    });
    using _ = cdp;
    const products = [1, 2, 3].map(() => cdp.call('Browser.getVersion', {}));
    expect((await Promise.all(products)).map(({ product }) => product)).toEqual(['p1', 'p2', 'p3']);
  });

  test('is refused, times out, gets too long an answer, or loses its browser', async () => {
    const { cdp, end } = browserThat(({ id, method }, send) => {
      if (method === 'Page.navigate') send(`{"id":${id},"error":{"message":"no page"}}`);
      if (method === 'Browser.close') send(`{"id":${id},"result":"${'x'.repeat(MAX_CDP_BYTES)}"}`);
    });
    expect(await codeOf(cdp.call('Page.navigate', { url: 'about:blank' }))).toBe('refused: Page.navigate: no page');
    const late = cdp.call('Page.enable', {}, { timeoutMs: 1, sessionId: 'S' });
    expect(await codeOf(late)).toStartWith('timeout: no answer');
    expect(await codeOf(cdp.call('Browser.close', {}))).toStartWith('too_long: ');
    const lost = codeOf(cdp.call('Browser.getVersion', {}, { timeoutMs: PATIENT_MS }));
    end();
    expect(await lost).toBe('closed: the browser ended during Browser.getVersion');
    await cdp.closed;
    expect(await codeOf(cdp.call('Page.enable', {}))).toBe('closed: the browser ended before Page.enable');
  });
});

test('a browser that does not answer in time ends the conversation, and every other command', async () => {
  const { cdp } = browserThat(() => {});
  const ofPage = codeOf(cdp.call('Page.enable', {}, { timeoutMs: PATIENT_MS, sessionId: 'S' }));
  expect(await codeOf(cdp.call('Browser.getVersion', {}, { timeoutMs: 1 }))).toStartWith('timeout: no answer');
  expect(await ofPage).toBe('closed: the browser hung during Page.enable');
  expect(await cdp.closed).toBe('hung');
});

test('events are passed on with their page until the listener leaves', async () => {
  const { cdp, send } = browserThat(({ id }, answer) => answer(`{"id":${id},"result":{}}`));
  using _ = cdp;
  const events: CdpEvent[] = [];
  const leave = cdp.listen((event) => events.push(event));
  send('{"method":"Page.loadEventFired","params":{},"sessionId":"S"}');
  await cdp.call('Page.enable', {});
  leave();
  send('{"method":"Page.loadEventFired","params":{},"sessionId":"S"}');
  await cdp.call('Page.enable', {});
  expect(events).toEqual([{ method: 'Page.loadEventFired', params: {}, sessionId: 'S' }]);
});

test('a running browser is asked for its path, and spoken to over a WebSocket', async () => {
  const paths: string[] = [];
  await using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, self) {
      const { pathname, host } = new URL(request.url);
      paths.push(pathname);
      if (pathname === '/json/version') return Response.json({ webSocketDebuggerUrl: `ws://other/devtools/${host}` });
      return self.upgrade(request) ? undefined : new Response(null, { status: 400 });
    },
    websocket: {
      message: (socket, text) => void socket.send(`{"id":${JSON.parse(String(text)).id},"result":{"product":"it"}}`),
    },
  });
  const address = `ws://127.0.0.1:${server.port}`;
  using cdp = createCdpSession(await openSocketTransport(address, PATIENT_MS));
  expect(await cdp.call('Browser.getVersion', {})).toEqual({ product: 'it' });
  expect(paths).toEqual(['/json/version', `/devtools/127.0.0.1:${server.port}`]);
  await server.stop(true);
  await cdp.closed;
  expect(await codeOf(openSocketTransport(address, PATIENT_MS))).toBe(`closed: no browser answers at ${address}`);
});
