import { rmSync, writeFileSync } from 'node:fs';
import { executable } from '#test/support/executable.ts';
import { HANG_MS } from '#test/support/patience.ts';
import { startService } from '#test/support/service.ts';

/** Runs with a small file system at DIRECTORY: starts the service in ways that must fail, and prints what it said. */
const [directory = ''] = process.argv.slice(2);
const report: Record<string, unknown> = {};
const used = `${directory}/used`;

async function serve(dataDir: string, under: readonly string[] = []): Promise<{ exitCode: number; stderr: string }> {
  const flags = ['--listen', '127.0.0.1:0', '--network', 'none', '--data-dir', dataDir];
  const child = Bun.spawn([...under, await executable(), 'serve', ...flags], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    env: {},
    timeout: HANG_MS,
  });
  const stderr = await child.stderr.text();
  return { exitCode: await child.exited, stderr };
}

/** A disk that fails in one kind of call on one file. */
const failing = (path: string, call: string) => [
  'strace',
  '-f',
  '-qq',
  '-o',
  '/dev/null',
  '-P',
  path,
  '-e',
  `inject=${call}:error=EIO`,
];

{
  await using service = await startService(used);
  await service.result('http://example.com/');
}
report['lock unreadable'] = await serve(used, failing(`${used}/serve.lock`, 'fcntl'));
report['log unreadable'] = await serve(used, failing(`${used}/public.sqlite`, 'pread64'));
report['shared memory refused'] = await serve(used, failing(`${used}/public.sqlite-shm`, 'pwrite64'));
try {
  writeFileSync(`${directory}/ballast`, Buffer.alloc(64 * 1024 * 1024, 1));
} catch {
  // As much as there is room for.
}
report['full'] = await serve(`${directory}/new`);
rmSync(`${directory}/ballast`);
Bun.spawnSync(['mount', '-o', 'remount,ro', directory]);
report['read-only'] = await serve(used);
report['read-only, new'] = await serve(`${directory}/newer`);
process.stdout.write(JSON.stringify(report));
