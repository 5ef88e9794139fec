import { expect, test } from 'bun:test';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { executable } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/**
 * Runs shell commands in a root that nothing can write to but a folder of its own, `$DATA`; `$LURECHECK` is the executable.
 * There is a /proc where that is wanted.
 */
async function runInside(commands: string, { withProc }: { readonly withProc: boolean }) {
  await using directory = temporaryDirectory();
  const [root, data] = [join(directory.path, 'root'), join(directory.path, 'data')];
  await Promise.all([mkdir(root), mkdir(data)]);
  const setUp = [
    'set -e',
    'mount --bind / "$ROOT"',
    'mount -o remount,bind,ro "$ROOT"',
    ...(withProc ? ['mount -t proc proc "$ROOT/proc"'] : []),
    'mount --bind /dev "$ROOT/dev"',
    'mount --bind "$DATA" "$ROOT$DATA"',
    'exec chroot "$ROOT" /bin/sh -c "$COMMANDS"',
  ].join('\n');
  // Whoever is not root needs a user namespace to own the others.
  const flags = process.getuid?.() === 0 ? ['-mpf'] : ['-rmpf'];
  const child = Bun.spawn(['unshare', ...flags, 'sh', '-c', setUp], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: process.env['PATH'] ?? '', ROOT: root, DATA: data, COMMANDS: commands, LURECHECK: await executable() },
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { stdout, stderr, exitCode };
}

test('a read-only root is sufficient, except for the data directory', async () => {
  const listen = '--listen "unix:$DATA/http.sock"';
  const { stdout, stderr, exitCode } = await runInside(
    [
      'touch /etc/x 2>/dev/null && exit 3',
      'export HOME=/nowhere',
      `"$LURECHECK" serve ${listen} --network none --data-dir "$DATA" > "$DATA/out" 2> "$DATA/err" &`,
      `until "$LURECHECK" healthcheck ${listen} 2>/dev/null; do kill -0 $! || exit 4; done`,
      '"$LURECHECK" check --network none --record public --data-dir "$DATA" --format tsv http://example.com/ || exit 5',
      'kill $! && wait $! && "$LURECHECK" log --data-dir "$DATA" --format tsv',
    ].join('\n'),
    { withProc: true },
  );
  const [ready, checked, logged, ...rest] = stdout.split('\n');
  expect({ stderr, exitCode, ready, rest }).toEqual({ stderr: '', exitCode: 0, ready: 'ready', rest: [''] });
  expect(checked).toStartWith('http://example.com/\t');
  expect(logged).toBe(checked ?? '');
});

test('without /proc the runtime aborts before the program starts, as README and manual state', async () => {
  const { stdout, stderr, exitCode } = await runInside('"$LURECHECK" version', { withProc: false });
  // Should a new runtime say it better, or do without, the README has to change.
  expect([stdout, stderr, exitCode]).toEqual(['', expect.stringContaining('panic(main thread): abort() called'), 134]);
});
