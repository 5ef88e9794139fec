import { expect, test } from 'bun:test';
import { readdir, readlink } from 'node:fs/promises';
import { PATIENT_MS } from '#test/support/patience.ts';
import { targetOf } from '#test/support/target.ts';
import { serveDns } from './dns-server.ts';
import { openLoopback } from './loopback.ts';
import { type Op, serveScript } from './script-server.ts';

const HOPS = 1000;

/** What servers do with a connection, one after the other. */
const SCRIPTS: readonly (readonly Op[])[] = [
  [{ op: 'send', data: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi' }, { op: 'end' }],
  // The server leaves the connection open.
  [{ op: 'send', data: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi' }, { op: 'hang' }],
  [{ op: 'send', data: 'HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 9\r\n\r\n' }, { op: 'hang' }],
  [{ op: 'send', data: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n' }, { op: 'hang' }],
  [{ op: 'send', data: 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhi' }, { op: 'rst' }],
  [{ op: 'send', data: 'nonsense' }, { op: 'hang' }],
];

async function openSockets(): Promise<number> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(links)).filter((link) => link.startsWith('socket:')).length;
}

test(`${HOPS} hops in sequence, each with its own DNS lookup, leave no socket open`, async () => {
  let hop = 0;
  await using server = await serveScript(() => SCRIPTS[hop++ % SCRIPTS.length] ?? []);
  await using dns = await serveDns(({ type }) =>
    type === 'A' ? { answers: [{ name: '@', type: 'A', ttl: 0, data: '127.0.0.1' }] } : {},
  );
  await using egress = openLoopback([server.port], { dns_server: [dns.endpoint] });
  const before = await openSockets();
  const url = targetOf(`http://site.test:${server.port}/`);
  const request = { url, timeoutMs: PATIENT_MS, skipRedirectBody: true };
  const { signal } = new AbortController();
  let answered = 0;
  for (let i = 0; i < HOPS; i++) {
    await egress
      .client()
      .fetchHop(request, signal)
      .then(
        () => answered++,
        () => {},
      );
  }
  await server.closed();
  expect(hop).toBe(HOPS);
  expect(answered).toBeGreaterThan(HOPS / 2);
  // Sockets of an earlier test file in this process may close meanwhile.
  expect(await openSockets()).toBeLessThanOrEqual(before);
});
