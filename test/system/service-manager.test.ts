import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { reload } from '#test/support/reload.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** What stands in for a service manager: a real datagram socket, which the runtime of the tests cannot open. */
async function openManager(name: string) {
  const child = Bun.spawn(['python3', join(import.meta.dir, 'notify-socket.py'), name], {
    stdout: 'pipe',
    stdin: 'ignore',
  });
  const messages: string[] = [];
  const bound = Promise.withResolvers<void>();
  const collected = (async () => {
    let text = '';
    for await (const chunk of child.stdout) {
      text += Buffer.from(chunk).toString();
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      messages.push(...lines.map((line): string => JSON.parse(line)));
      if (messages[0] === 'bound') bound.resolve();
    }
    bound.reject(new Error('the receiver has ended'));
  })();
  await bound.promise;
  messages.shift();
  return {
    messages,
    /** Waits until there are so many. */
    async until(count: number, of: (message: string) => boolean = () => true) {
      while (messages.filter(of).length < count) await new Promise(setImmediate);
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await collected;
    },
  };
}

const start = (folder: string, name: string, more: Readonly<Record<string, string>> = {}): Promise<Service> =>
  startService(folder, [], { NOTIFY_SOCKET: name, ...more });

describe('a service manager', () => {
  test.each(['a path', 'an abstract name'])(
    'under %s is notified when the service is ready, reloads and stops',
    async (kind) => {
      await using directory = temporaryDirectory();
      const path = join(directory.path, 'notify.sock');
      const name = kind === 'a path' ? path : `@${path}`;
      await using manager = await openManager(name);
      const beforeUs = process.hrtime.bigint();
      const service = await start(directory.path, name);
      await manager.until(1);
      expect(manager.messages).toEqual(['READY=1']);
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
      await reload(service);
      await manager.until(3);
      expect(manager.messages[1]).toMatch(/^RELOADING=1\nMONOTONIC_USEC=\d+$/);
      expect(manager.messages[2]).toBe('READY=1');
      // By the system's clock, which ran before this process did.
      const [, microseconds = '0'] = /USEC=(\d+)/.exec(manager.messages[1] ?? '') ?? [];
      const { stdout } = Bun.spawnSync([
        'python3',
        '-c',
        'import time; print(time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000)',
      ]);
      const nowUs = BigInt(stdout.toString().trim());
      expect(BigInt(microseconds)).toBeLessThanOrEqual(nowUs);
      expect(BigInt(microseconds)).toBeGreaterThan(nowUs - (process.hrtime.bigint() - beforeUs) / 1000n - 1n);
      expect(await service.stop()).toBe(0);
      await manager.until(4);
      expect(manager.messages.slice(3)).toEqual(['STOPPING=1']);
      expect(service.output.stdout).not.toContain('service_manager');
    },
  );

  test('gets heartbeats if it requests them from this process', async () => {
    await using directory = temporaryDirectory();
    const name = `@${directory.path}`;
    await using manager = await openManager(name);
    const isAlive = (message: string) => message === 'WATCHDOG=1';
    {
      await using _service = await start(directory.path, name, { WATCHDOG_USEC: '20000' });
      await manager.until(3, isAlive);
    }
    const before = manager.messages.length;
    await using _other = await start(directory.path, name, { WATCHDOG_USEC: '20000', WATCHDOG_PID: '1' });
    await manager.until(before + 1);
    expect(manager.messages.slice(before)).toEqual(['READY=1']);
  });

  test.each(['/nowhere/notify.sock', 'vsock:2:1234', '@'])(
    'at %s that cannot be reached causes a warning',
    async (name) => {
      await using directory = temporaryDirectory();
      await using service = await start(directory.path, name);
      await service.result('http://example.com/');
      while (!service.output.stdout.includes('service_manager.unreachable')) await new Promise(setImmediate);
    },
  );
});
