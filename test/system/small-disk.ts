import { appendFileSync } from 'node:fs';
import { HANG_MS } from '#test/support/patience.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/**
 * Runs a script of this folder with a file system of its own, of `size`, at a directory that nobody else sees; the
 * directory is its first argument. Returns the JSON that it printed.
 */
export async function runOnSmallDisk(
  script: string,
  size: string,
  args: readonly string[] = [],
): Promise<Record<string, unknown>> {
  await using directory = temporaryDirectory();
  const mount = `set -e; mount -t tmpfs -o size=${size},mode=700 none "$2"; exec "$0" "$@"`;
  // Whoever is not root needs a user namespace to mount.
  const flags = process.getuid?.() === 0 ? ['-m'] : ['-rm'];
  const command = ['unshare', ...flags, 'sh', '-c', mount, process.execPath, `${import.meta.dir}/${script}`];
  const child = Bun.spawn([...command, directory.path, ...args], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: HANG_MS,
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Writes a file that takes what room there is, down to the last page. */
export function fillDisk(path: string): void {
  for (const bytes of [1024 * 1024, 4096]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(bytes, 1));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
  }
}
