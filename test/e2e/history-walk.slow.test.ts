import { expect, test } from 'bun:test';
import { HistoryPageSchema } from '#src/checks/record/history-page.ts';
import { lurecheck } from '#test/support/executable.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

async function walk({ url }: Service, after: string, wait = 0) {
  const query = new URLSearchParams({ after, wait: String(wait) });
  const page = parseAs(HistoryPageSchema, await (await fetch(`${url}/api/history?${query}`)).json());
  return { urls: page.items.map((item) => item.url), next: page.next_cursor ?? '' };
}

const checkUrl = (n: number) => `https://host${n}.example/`;

test('reading the history by cursor continues across a restart and a deletion, and waits for new checks', async () => {
  await using directory = temporaryDirectory();
  let place = '';
  {
    await using service = await startService(directory.path);
    await service.result(checkUrl(1));
    await service.result('https://private.example/', true);
    await service.result(checkUrl(2));
    const first = await walk(service, place);
    expect(first.urls).toEqual([1, 2].map(checkUrl));
    place = first.next;
    const waiting = walk(service, place, 60);
    await service.result('https://private.example/', true);
    await service.result(checkUrl(3));
    const third = await waiting;
    expect(third.urls).toEqual([checkUrl(3)]);
    place = third.next;
    // It is over once the service is told to stop, long before its time.
    const last = walk(service, place, 60);
    await service.result('https://private.example/', true);
    await service.stop();
    expect((await last).urls).toEqual([]);
  }
  await using service = await startService(directory.path);
  const gone = await lurecheck(['history', 'delete', '--before', '2100-01-01', '--yes', '--data-dir', directory.path]);
  expect(gone.exitCode).toBe(0);
  expect((await walk(service, place)).urls).toEqual([]);
  await lurecheck(['check', '--record', 'public', '--network', 'none', '--data-dir', directory.path, checkUrl(4)]);
  await service.result(checkUrl(5));
  expect((await walk(service, place)).urls).toEqual([4, 5].map(checkUrl));
});
