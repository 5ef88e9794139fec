import { expect, test } from 'bun:test';
import { temporaryDirectory } from '../store/temporary-directory.ts';

/** Runs the script with a file system of its own, of `size`, at a directory that nobody else sees. */
async function runOnSmallDisk(size: string, reserveBytes: number): Promise<Record<string, unknown>> {
  await using directory = temporaryDirectory();
  const script = `set -e; mount -t tmpfs -o size=${size},mode=700 none "$1"; exec "$0" "${import.meta.dir}/full-disk-inside.ts" "$1" ${reserveBytes}`;
  // Whoever is not root needs a user namespace to mount.
  const flags = process.getuid?.() === 0 ? ['-m'] : ['-rm'];
  const child = Bun.spawn(['unshare', ...flags, 'sh', '-c', script, process.execPath, directory.path], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: 60_000,
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

test.each([
  ['to the last byte', 0],
  ['down to its reserve', 512 * 1024],
])(
  'a disk that is full %s refuses checks, loses none, and recovers by itself',
  async (_, reserveBytes) => {
    const report = await runOnSmallDisk('3m', reserveBytes);
    expect(report).toMatchObject({
      missingWhileFull: 0,
      missing: 0,
      missingAfterRestart: 0,
      pageWhileFull: 50,
      refusals: ['log_unavailable'],
    });
    expect(report['first']).toBeGreaterThan(50);
    expect(report['second']).toBeGreaterThan(10);
  },
  90_000,
);
