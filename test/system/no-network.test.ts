import { expect, test } from 'bun:test';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveDns } from '#test/network/egress/dns-server.ts';
import { HANG_MS } from '#test/support/patience.ts';

/** The system calls of one check that have to do with the network, and the files of the resolver that it opened. */
async function networkCalls(...flags: readonly string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lurecheck-'));
  try {
    const trace = join(folder, 'trace');
    const check = [process.execPath, 'src/main.ts', 'check', ...flags, 'https://www.example.net/'];
    const child = Bun.spawn(['strace', '-f', '-qq', '-e', 'trace=%network,openat', '-o', trace, ...check], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'inherit',
      timeout: HANG_MS,
    });
    expect(await child.exited).toBe(0);
    const lines = (await readFile(trace, 'utf8')).split('\n');
    return lines.filter((line) =>
      line.includes('openat') ? /"\/etc\/(?:resolv|hosts|nsswitch)/.test(line) : line !== '',
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('a check without the network opens no socket and does not read the resolver configuration', async () => {
  expect(await networkCalls('--network', 'none')).toEqual([]);
});

test('a check that may only use DNS connects to the resolver, and to nothing else', async () => {
  await using dns = await serveDns(() => ({ rcode: 'NXDOMAIN' }));
  const { port } = dns.endpoint;
  const calls = await networkCalls('--network', 'dns', '--dns-server', `127.0.0.1:${port}`);
  const peers = calls.flatMap(
    (line) =>
      /connect\(.*sin_port=htons\((\d+)\), sin_addr=inet_addr\("([\d.]+)"\)/.exec(line)?.slice(1, 3).join(' ') ?? [],
  );
  expect([...new Set(peers)]).toEqual([`${port} 127.0.0.1`]);
  expect(dns.queries.length).toBeGreaterThan(0);
});
