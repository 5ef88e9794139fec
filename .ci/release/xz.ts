/**
 * Compresses by xz(1): level 1, because level 2 makes a release 2 % smaller for twice the time. Blocks of a fixed size
 * and a fixed number of threads make the same bytes on every machine with the same version of xz.
 *
 * @throws Error if xz is not installed or fails.
 */
export async function xzCompressed(bytes: Uint8Array): Promise<Uint8Array> {
  const command = ['xz', '--stdout', '-1', '--threads=4', '--block-size=16MiB'];
  const child = Bun.spawn(command, { stdin: bytes, stdout: 'pipe', stderr: 'inherit' });
  const compressed = await child.stdout.bytes();
  if ((await child.exited) !== 0) throw new Error('xz failed');
  return compressed;
}
