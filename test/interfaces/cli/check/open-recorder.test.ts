import { expect, test } from 'bun:test';
import { openLog } from '#src/app/open-log.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { openRecorder } from '#src/interfaces/cli/check/open-recorder.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const BYTES = 400_000;
const logger = createLogger('error', () => {});
const placeIn = (path: string) => ({
  data_dir: path,
  log_database: [],
  log_database_private: [],
  retention_bytes: BYTES,
});

/** Logs more than the bound, and returns how many bytes are used then. */
async function recordMany(path: string): Promise<number> {
  const config = placeIn(path);
  {
    await using recorder = await openRecorder(config, logger);
    const url = (n: number) => `https://site${n}.example/${'x'.repeat(400)}`;
    await Promise.all(
      Array.from({ length: 2000 }, (_, n) => recorder.append(sampleRecord({ url: url(n), atMs: n + 1 }))),
    );
  }
  await using read = await openLog(config, 'read', logger);
  return read.local?.size('public').usedBytes ?? 0;
}

test('a command that logs checks keeps the bound of the log', async () => {
  await using directory = temporaryDirectory();
  expect(await recordMany(directory.path)).toBeLessThanOrEqual(BYTES);
});

test('it leaves that to a service that runs on the data directory', async () => {
  await using directory = temporaryDirectory();
  await using _service = await openLog(placeIn(directory.path), 'serve', logger);
  expect(await recordMany(directory.path)).toBeGreaterThan(BYTES);
});
