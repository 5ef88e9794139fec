import { expect, test } from 'bun:test';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openFeedback } from '#src/checks/store/feedback/feedback-queue.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openLog } from '../open-log.ts';

test('every file in the data directory is accessible only to its owner', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  for (const visibility of ['public', 'private'] as const) await log.append(sampleRecord({ visibility }));
  using feedback = openFeedback({ dataDir: directory.path, now: Date.now });
  expect(feedback).toBeDefined();
  const files = readdirSync(directory.path).filter((name) => statSync(join(directory.path, name)).isFile());
  expect(files.length).toBeGreaterThan(6);
  for (const name of files) expect([name, statSync(join(directory.path, name)).mode & 0o777]).toEqual([name, 0o600]);
});
