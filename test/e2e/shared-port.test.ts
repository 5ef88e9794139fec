import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const CONNECTIONS = 60;

/** The flags of a process that shares its port; its limiter is away, so that it needs none. */
async function sharing(folder: string): Promise<readonly string[]> {
  const key = join(folder, 'key');
  await Bun.write(key, new Uint8Array(32));
  return ['--reuse-port', '--limiter', 'redis://127.0.0.1:1', '--client-key-file', key];
}

const at = (service: Service) => ['--listen', new URL(service.url).host];

const checksOf = (service: Service) => service.events().filter(({ event }) => event === 'check.done').length;

/** Checks on a connection of its own. */
async function checkOnce(url: string): Promise<number> {
  const headers = { 'content-type': 'application/json', connection: 'close' };
  const answer = await fetch(`${url}/api/check-url`, {
    method: 'POST',
    headers,
    body: '{"url":"http://example.com/"}',
  });
  await answer.arrayBuffer();
  return answer.status;
}

describe('with reuse_port', () => {
  test('two processes share the connections of one port, and each logs its checks', async () => {
    await using directory = temporaryDirectory();
    const flags = await sharing(directory.path);
    await using one = await startService(join(directory.path, 'one'), flags);
    await using other = await startService(join(directory.path, 'other'), [...flags, ...at(one)]);
    expect(other.url).toBe(one.url);
    for (let n = 0; n < CONNECTIONS; n++) expect(await checkOnce(one.url)).toBe(200);
    // What a process tells is whole once it has ended.
    expect([await one.stop(), await other.stop()]).toEqual([0, 0]);
    const [ofOne = 0, ofOther = 0] = [one, other].map(checksOf);
    expect(Math.min(ofOne, ofOther)).toBeGreaterThan(0);
    expect(ofOne + ofOther).toBe(CONNECTIONS);
    const told = one.events().find(({ event }) => event === 'log.apart');
    expect([told?.level, told?.['message']]).toEqual(['warn', expect.stringContaining('its own logs')]);
  });

  test('one process serves the port after the other has ended', async () => {
    await using directory = temporaryDirectory();
    const flags = await sharing(directory.path);
    await using one = await startService(join(directory.path, 'one'), flags);
    const other = await startService(join(directory.path, 'other'), [...flags, ...at(one)]);
    expect(await other.stop()).toBe(0);
    for (let n = 0; n < 20; n++) expect(await checkOnce(one.url)).toBe(200);
  });

  test('two processes cannot share a data directory', async () => {
    await using directory = temporaryDirectory();
    const flags = await sharing(directory.path);
    await using one = await startService(directory.path, flags);
    const { exitCode, stderr } = await lurecheck(['serve', ...flags, ...at(one), '--data-dir', directory.path]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(directory.path)]);
  });
});

test('two processes cannot share a port unless both have reuse_port', async () => {
  await using directory = temporaryDirectory();
  const flags = await sharing(directory.path);
  for (const [ofFirst, ofSecond] of [
    [flags, []],
    [[], flags],
  ]) {
    await using one = await startService(join(directory.path, 'one'), ofFirst);
    const second = ['serve', ...(ofSecond ?? []), ...at(one), '--data-dir', join(directory.path, 'other')];
    const { exitCode, stderr } = await lurecheck(second);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('another program already listens there')]);
  }
});
