import { expect, test } from 'bun:test';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openLog } from './open-log.ts';

const FIRST_PAGE = { ...EVERY_CHECK, limit: 50, cursor: null };

test.each(['public', 'private'] as const)(
  'the %s log records which answers were not delivered, and the history does not',
  async (visibility) => {
    await using directory = temporaryDirectory();
    const other = visibility === 'public' ? 'private' : 'public';
    const records = Array.from({ length: 3 }, (_, i) => sampleRecord({ visibility, atMs: i }));
    const [latest, lost, taken] = records.map(({ result }) => result.request_id).toReversed();
    {
      await using log = await openLog(directory.path);
      await Promise.all(records.map((record) => log.append(record)));
      const before = await log.page(FIRST_PAGE);
      log.markUndelivered(visibility, lost ?? '');
      log.markUndelivered(other, taken ?? '');
      await log.append(sampleRecord({ visibility: other }));
      await log.append(sampleRecord({ visibility: 'private' }));
      expect(await log.find(visibility, lost ?? '')).toMatchObject({ result: records[1]?.result, isDelivered: false });
      if (visibility === 'public') expect(await log.page(FIRST_PAGE)).toEqual(before);
      // What is noted as the log closes is kept as well.
      log.markUndelivered(visibility, latest ?? '');
    }
    await using log = await openLog(directory.path, { access: 'read' });
    const found = await Promise.all([latest, lost, taken].map((id) => log.find(visibility, id ?? '')));
    expect(found.map((entry) => entry?.isDelivered)).toEqual([false, false, true]);
  },
);
