import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { failureOf, writeFailure } from '#src/checks/store/file/fault.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

test.each(['SQLITE_IOERR', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_FULL', 'ENOSPC', ''])(
  'if a trial write beside the log succeeds, the failure %p is unchanged and no file remains',
  async (code) => {
    await using directory = temporaryDirectory();
    const path = join(directory.path, 'log.sqlite');
    await Bun.write(path, 'x'.repeat(100_000));
    const error = failureOf('disk I/O error', code);
    expect(writeFailure(path, error)).toBe(error);
    expect(readdirSync(directory.path)).toEqual(['log.sqlite']);
  },
);

test('if the trial write fails without a specific reason, the first failure is unchanged', async () => {
  const error = failureOf('disk I/O error', 'SQLITE_IOERR_WRITE');
  expect(writeFailure('/nowhere/log.sqlite', error)).toBe(error);
});
