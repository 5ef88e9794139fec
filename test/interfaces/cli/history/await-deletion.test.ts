import { expect, test } from 'bun:test';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { openPictureStore } from '#src/checks/store/pictures/picture-store.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { awaitDeletion } from '#src/interfaces/cli/history/await-deletion.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

test('a deletion without a running service takes the pictures of its checks along', async () => {
  await using directory = temporaryDirectory();
  const opening = { dataDir: directory.path, clock: systemClock, logger: createLogger('error', () => {}) };
  const open = () => openPictureStore({ ...opening, bounds: { days: 7, bytes: 1e9 }, freeBytes: () => 1e9 });
  const records = ['a', 'b'].map((name) => sampleRecord({ url: `https://${name}.example/` }));
  const [gone = '', kept = ''] = records.map(({ result }) => result.request_id);
  {
    await using log = await openLocalLog({ ...opening, access: 'serve' });
    await using pictures = open();
    pictures.hold('public', 'hash', Buffer.from('RIFF'));
    for (const record of records) {
      await log.append(record);
      pictures.store('public', record.result.request_id, 'hash');
    }
  }
  await using log = await openLocalLog({ ...opening, access: 'read' });
  const id = log.deletions.ask('public', { by: 'domain', wanted: 'a.example' });
  const { deletion } = await awaitDeletion({ ...opening, log, visibility: 'public', id });
  expect(deletion?.removed).toBe(1);
  await using pictures = open();
  expect([pictures.has('public', gone), pictures.has('public', kept)]).toEqual([false, true]);
});
