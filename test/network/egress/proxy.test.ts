import { describe, expect, test } from 'bun:test';
import { FailureError } from '#src/core/base/failure.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { dial } from '#src/network/egress/connect/dial.ts';
import { openTunnel, openUplink } from '#src/network/egress/connect/uplink.ts';
import { createHeldClock } from '#test/support/held-clock.ts';
import { PATIENT_SECONDS } from '#test/support/patience.ts';
import { type Op, serveScript } from './script-server.ts';

const TARGET = { address: '192.0.2.7', port: 443 };
const never = () => new AbortController().signal;
const send = (data: string): Op => ({ op: 'send', data });

/** Whether a proxy that says this opens a tunnel, or why not, and what it was asked. */
async function ask(ops: readonly Op[], to = TARGET, signal = never(), proxy: Parameters<typeof openTunnel>[1] = {}) {
  let asked = '';
  await using server = await serveScript((_, request) => {
    asked = request;
    return ops;
  });
  const socket = await dial({ address: '127.0.0.1', port: server.port }, never());
  const outcome = await openTunnel(socket, proxy, to, signal).then(
    () => 'open',
    (error) => `${error.code} ${error.message}`,
  );
  if (outcome !== 'open') expect(socket.destroyed).toBe(true);
  // What follows is for the next reader alone.
  expect(socket.listenerCount('data')).toBe(0);
  socket.destroy();
  return { outcome, asked };
}

describe('a proxy', () => {
  test.each([
    'HTTP/1.1 200 OK\r\n\r\n',
    'HTTP/1.0 200 Connection established\r\nVia: x\r\n\r\n',
    'HTTP/1.1 299\r\n\r\n',
  ])('opens a tunnel with the answer %j', async (answer) => {
    expect((await ask([send(answer), { op: 'hang' }])).outcome).toBe('open');
  });

  test('may send its answer in pieces', async () => {
    const pieces = [...'HTTP/1.1 200 OK\r\n\r\n'].map(send);
    expect((await ask([...pieces, { op: 'hang' }])).outcome).toBe('open');
  });

  test('receives an address and port of either family, and credentials if configured', async () => {
    const opened = send('HTTP/1.1 200 OK\r\n\r\n');
    expect((await ask([opened])).asked).toBe('CONNECT 192.0.2.7:443 HTTP/1.1\r\nHost: 192.0.2.7:443\r\n\r\n');
    const known = await ask([opened], TARGET, never(), { credentials: 'jane:pässword' });
    const basic = Buffer.from('jane:pässword').toString('base64');
    expect(known.asked).toBe(
      `CONNECT 192.0.2.7:443 HTTP/1.1\r\nHost: 192.0.2.7:443\r\nProxy-Authorization: Basic ${basic}\r\n\r\n`,
    );
    const six = await ask([opened], { address: '2001:db8::7', port: 80 });
    expect(six.asked).toStartWith('CONNECT [2001:db8::7]:80 HTTP/1.1\r\n');
  });

  test.each([
    ['HTTP/1.1 407 No\r\n\r\n', 'the proxy answered 407'],
    ['HTTP/1.1 302 Found\r\n\r\n', 'the proxy answered 302'],
    ['HTTP/1.1 020 Odd\r\n\r\n', 'the proxy answered 020'],
    ['HTTP/2.0 200 OK\r\n\r\n', 'something else than HTTP'],
    ['HTTP/1.1 2000 OK\r\n\r\n', 'something else than HTTP'],
    [' HTTP/1.1 200 OK\r\n\r\n', 'something else than HTTP'],
    ['HTTP/1.1 200 OK\r\n\r\nx', 'the proxy sent more than its answer'],
    ['x'.repeat(8193), 'its answer has no end'],
  ])('is reported as failed if it answers %j', async (answer, reason) => {
    const { outcome } = await ask([send(answer), { op: 'hang' }]);
    expect(outcome).toStartWith('proxy_failed 192.0.2.7:443: ');
    expect(outcome).toContain(reason);
  });

  test('may send an answer of 8 KiB', async () => {
    const start = 'HTTP/1.1 200 OK\r\nA: ';
    const longest = `${start}${'x'.repeat(8192 - start.length - 4)}\r\n\r\n`;
    expect((await ask([send(longest), { op: 'hang' }])).outcome).toBe('open');
  });

  test('fails if the proxy closes the connection, and ends with the check', async () => {
    expect((await ask([send('HTTP/1.1 200'), { op: 'end' }])).outcome).toStartWith('proxy_failed');
    const { outcome } = await ask([{ op: 'hang' }], TARGET, AbortSignal.timeout(50));
    expect(outcome).toStartWith('aborted');
  });
});

describe('a connection through a proxy', () => {
  function open(egress_proxy: { readonly address: string; readonly port: number } | null) {
    const tools = { clock: createHeldClock(), logger: createLogger('error', () => {}) };
    return openUplink({ egress_proxy, connect_timeout_seconds: PATIENT_SECONDS }, async () => true, tools);
  }
  const codeOf = (connecting: Promise<unknown>) =>
    connecting.then(
      () => 'open',
      (error) => (error instanceof FailureError ? error.code : `${error}`),
    );

  test('fails with a proxy failure if the proxy is unreachable, unlike a direct connection', async () => {
    const nobody = { address: '127.0.7.7', port: 9 };
    using proxied = open(nobody);
    expect(await codeOf(proxied.connect(TARGET, never()))).toBe('proxy_failed');
    using direct = open(null);
    expect(await codeOf(direct.connect(nobody, never()))).toBe('connection_refused');
    expect(direct.isCircuitOpen()).toBe(false);
  });

  test('ends with the check', async () => {
    await using server = await serveScript(() => [{ op: 'hang' }]);
    using proxied = open({ address: '127.0.0.1', port: server.port });
    expect(await codeOf(proxied.connect(TARGET, AbortSignal.timeout(50)))).toBe('aborted');
  });
});
