import { expect, test } from 'bun:test';
import { lurecheck } from '#test/support/executable.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const SYNCS = ['fdatasync', 'fsync'];

/** Lets a disk fail under a running process: every write to a file ends with an error, until it is disposed of. */
async function failWrites(
  pid: number,
  paths: readonly string[],
  error = 'EIO',
  calls: readonly string[] = ['pwrite64', ...SYNCS],
): Promise<AsyncDisposable> {
  const inject = ['-e', `inject=${calls.join()}:error=${error}`];
  const at = paths.flatMap((path) => ['-P', path]);
  const child = Bun.spawn(['strace', '-f', '-o', '/dev/null', ...at, ...inject, '-p', String(pid)], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const attached = Promise.withResolvers<void>();
  // Read to its end: a tracer that cannot say which threads are new ends.
  const drained = (async () => {
    let said = '';
    for await (const chunk of child.stderr) {
      said += Buffer.from(chunk).toString();
      if (said.includes('attached')) attached.resolve();
    }
    attached.reject(new Error(said));
  })();
  await attached.promise;
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGINT');
      await Promise.all([child.exited, drained]);
    },
  };
}

async function readiness({ url }: Service): Promise<[number, string]> {
  const answer = await fetch(`${url}/readyz`);
  return [answer.status, await answer.text()];
}

/** Asks until the answer has the status; the timeout of the test bounds it. */
async function readyOnce(service: Service, status: number): Promise<string> {
  for (;;) {
    const [found, body] = await readiness(service);
    if (found === status) return body;
    await Bun.sleep(100);
  }
}

const sentence = (visibility: string) => `The ${visibility} log cannot be written: the disk reports an error.`;

test.each(['public', 'private'])(
  'with a failing disk for its %s log the service is unready until the disk recovers, without a check',
  async (visibility) => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path);
    const isPrivate = visibility === 'private';
    await service.result('http://example.com/before', isPrivate);
    await readyOnce(service, 200);
    {
      await using _ = await failWrites(service.pid, [`${directory.path}/${visibility}.sqlite-wal`]);
      const refused = await service.check('http://example.com/refused', isPrivate);
      expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
      expect(await refused.text()).toContain('not answered: the disk reports an error');
      expect(await readyOnce(service, 503)).toContain(sentence(visibility));
      expect((await fetch(`${service.url}/livez`)).status).toBe(200);
      expect((await service.check('http://example.com/other', !isPrivate)).status).toBe(200);
    }
    await readyOnce(service, 200);
    await service.result('http://example.com/after', isPrivate);
    const shown = (await service.history()).items.map(({ url }) => new URL(url).pathname);
    expect(shown).toEqual(isPrivate ? ['/other'] : ['/after', '/before']);
  },
);

test('a check that was written and not synced is refused and logged as not delivered, and later ones are answered', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path);
  await service.result('http://example.com/before');
  {
    await using _ = await failWrites(service.pid, [`${directory.path}/public.sqlite-wal`], 'EIO', SYNCS);
    const refused = await service.check('http://example.com/refused');
    expect(refused.status).toBe(503);
    expect(await refused.text()).toContain('not answered: the disk reports an error');
  }
  await readyOnce(service, 200);
  await service.result('http://example.com/after');
  const { stdout } = await lurecheck(['log', '--data-dir', directory.path, '--format', 'json']);
  const entries: { readonly url: string; readonly not_delivered?: boolean }[] = JSON.parse(stdout);
  expect(entries.map(({ url, not_delivered }) => [new URL(url).pathname, not_delivered])).toEqual([
    ['/after', undefined],
    ['/refused', true],
    ['/before', undefined],
  ]);
});

test('a failing disk makes the service unready even if no check arrives', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path);
  await service.result('http://example.com/');
  await using _ = await failWrites(service.pid, [`${directory.path}/public.sqlite-wal`]);
  expect(await readyOnce(service, 503)).toContain(sentence('public'));
});

test('an exhausted disk quota is reported as such', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path);
  await service.result('http://example.com/');
  const path = `${directory.path}/public.sqlite`;
  await using _ = await failWrites(service.pid, [`${path}-wal`, `${path}.trial`], 'EDQUOT');
  const refused = await service.check('http://example.com/refused');
  expect(await refused.text()).toContain('not answered: the disk quota of this user is exhausted');
  expect(await readyOnce(service, 503)).toContain('cannot be written: the disk quota of this user is exhausted');
});
