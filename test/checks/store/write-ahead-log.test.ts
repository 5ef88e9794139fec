import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { holdCheckpoints } from './hold-checkpoints.ts';
import { longUrls } from './long-urls.ts';
import { openLog } from './open-log.ts';

const LIMIT_BYTES = 64 * 1024 * 1024;
const details = { unwrapped_urls: longUrls(16) };
const batch = () => Array.from({ length: 200 }, () => sampleRecord({ details }));
const BATCH_BYTES = 200 * details.unwrapped_urls.join('').length;

test('the write-ahead log stays short under load', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  const wal = `${directory.path}/public.sqlite-wal`;
  let longest = 0;
  for (let written = 0; written < 1.3 * LIMIT_BYTES; written += BATCH_BYTES) {
    await Promise.all(batch().map((record) => log.append(record)));
    longest = Math.max(longest, statSync(wal).size);
    await log.page({ ...EVERY_CHECK, limit: 50, cursor: null });
  }
  expect(longest).toBeLessThan(LIMIT_BYTES);
});

test('a long-lived reader blocks no check, and the write-ahead log is truncated after it', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  const path = `${directory.path}/public.sqlite`;
  await log.append(sampleRecord());
  {
    using _ = holdCheckpoints(path);
    for (let written = 0; written < LIMIT_BYTES; written += BATCH_BYTES) {
      await Promise.all(batch().map((record) => log.append(record)));
    }
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(LIMIT_BYTES / 2);
  }
  let batches = 0;
  for (; statSync(`${path}-wal`).size > LIMIT_BYTES / 2 && batches < 200; batches++) {
    await Promise.all(batch().map((record) => log.append(record)));
  }
  expect(batches).toBeLessThan(200);
});
