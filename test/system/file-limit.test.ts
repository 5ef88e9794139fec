import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { executable, lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const SENTENCE = 'the file has reached the size limit of this process';

/** What `ulimit -f` sets, of a process that runs. */
function limitFiles(pid: number, bytes: number | 'unlimited'): void {
  const { success, stderr } = Bun.spawnSync(['prlimit', '--pid', String(pid), `--fsize=${bytes}:unlimited`]);
  if (!success) throw new Error(stderr.toString());
}

test('a file size limit is reported as such, loses no check, and has no effect once it is raised', async () => {
  await using directory = temporaryDirectory();
  let answered = 0;
  {
    await using service = await startService(directory.path);
    const askUntil = async (status: number) => {
      for (;;) {
        const answer = await service.check(`http://example.com/${answered}`);
        if (answer.status === 200) answered++;
        if (answer.status === status) return answer;
        await answer.text();
      }
    };
    await askUntil(200);
    // In the middle of a page, and above all that there is.
    limitFiles(service.pid, statSync(`${directory.path}/public.sqlite-wal`).size + 100_001);
    const refused = await askUntil(503);
    expect(await refused.json()).toMatchObject({ code: 'log_unavailable', detail: expect.stringContaining(SENTENCE) });
    const ready = await fetch(`${service.url}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([
      503,
      expect.stringContaining(`cannot be written: ${SENTENCE}`),
    ]);
    expect(service.output.stdout).toContain('EFBIG');
    limitFiles(service.pid, 'unlimited');
    await askUntil(200);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  }
  const log = await lurecheck(['log', '--data-dir', directory.path, '--format', 'tsv']);
  expect(log.stdout.trim().split('\n')).toHaveLength(answered);
});

test('a service whose file size limit is too small reports that at the start', async () => {
  await using directory = temporaryDirectory();
  const dataDir = `${directory.path}/data`;
  const limited = ['-c', 'ulimit -f 16; exec "$0" "$@"', await executable(), 'serve'];
  const child = Bun.spawn(['sh', ...limited, '--listen', '127.0.0.1:0', '--data-dir', dataDir], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stderr] = await Promise.all([child.stderr.text(), child.stdout.text(), child.exited]);
  expect(child.exitCode).toBe(1);
  expect(stderr).toContain(SENTENCE);
  expect(stderr).toContain('ulimit -f');
});
