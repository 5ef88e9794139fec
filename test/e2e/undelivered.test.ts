import { expect, test } from 'bun:test';
import { lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { serveWeb } from '#test/support/web-server.ts';

const WAYS = ['application/json', 'text/event-stream'];

test('a check whose client has disconnected is logged as not delivered', async () => {
  await using directory = temporaryDirectory();
  const visited = new Map<string, PromiseWithResolvers<void>>();
  const mayAnswer = Promise.withResolvers<void>();
  const visitOf = (path: string) => {
    const visit = visited.get(path) ?? Promise.withResolvers<void>();
    visited.set(path, visit);
    return visit;
  };
  await using site = await serveWeb(async (path) => {
    visitOf(path).resolve();
    await mayAnswer.promise;
    return { body: '<p>late' };
  });
  const asked: { isPrivate: boolean; leaves: boolean; accept: string; path: string }[] = [];
  for (const isPrivate of [false, true]) {
    for (const leaves of [false, true]) {
      for (const accept of WAYS) asked.push({ isPrivate, leaves, accept, path: `/${asked.length}` });
    }
  }
  {
    await using service = await startService(directory.path, [
      ...['--network', 'full', '--egress-allow', '127.0.0.0/8', '--egress-port', String(site.port)],
      ...['--client-concurrency', '8', '--connections-per-address', '8', '--deadline-seconds', '60'],
    ]);
    const leaving = new AbortController();
    const answers = asked.map(async ({ isPrivate, leaves, accept, path }) => {
      const url = `http://127.0.0.1:${site.port}${path}`;
      const answer = await fetch(`${service.url}/api/check-url`, {
        method: 'POST',
        headers: { accept, 'content-type': 'application/json' },
        body: JSON.stringify({ url, private_mode: isPrivate }),
        ...(leaves ? { signal: leaving.signal } : {}),
      });
      return await answer.text();
    });
    const settled = Promise.allSettled(answers);
    await Promise.all(asked.map(({ path }) => visitOf(path).promise));
    leaving.abort();
    // Whoever is answered now came after them: by then the service knows that they have left.
    await (await fetch(`${service.url}/livez`)).text();
    mayAnswer.resolve();
    expect((await settled).map(({ status }) => status === 'rejected')).toEqual(asked.map(({ leaves }) => leaves));
    while (service.output.stdout.split('check.done').length <= asked.length) await Bun.sleep(10);
    const { items } = await service.history();
    expect(items.map((item) => Object.keys(item).length)).toEqual([11, 11, 11, 11]);
  }
  for (const flags of [[], ['--private']]) {
    const read = async (format: string) =>
      (await lurecheck(['log', '--data-dir', directory.path, '--format', format, ...flags])).stdout;
    const entries: Record<string, unknown>[] = JSON.parse(await read('json'));
    const lost = entries.filter((entry) => entry['not_delivered'] === true).map(({ url }) => url);
    const expected = asked.filter(({ isPrivate, leaves }) => leaves && isPrivate === flags.length > 0);
    expect(lost.toSorted()).toEqual(expected.map(({ path }) => `http://127.0.0.1:${site.port}${path}`));
    expect(entries.filter((entry) => 'not_delivered' in entry)).toHaveLength(lost.length);
    const headings = (await read('text')).split('\n').filter((line) => line.endsWith('  not delivered'));
    expect(headings).toHaveLength(lost.length);
  }
});
