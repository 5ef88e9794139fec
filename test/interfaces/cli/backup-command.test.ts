import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { run } from '#src/interfaces/cli/index.ts';
import { RECORDED_BACKUP } from '#src/parts/backup/archive/scheduled-backups.ts';
import { auditLines } from '#test/support/audit-lines.ts';
import { silentIo } from '#test/support/silent-io.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

test('a backup is recorded, unless the service that starts the command records it', async () => {
  await using directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const logger = createLogger('error', () => {});
  await (await openLocalLog({ dataDir, access: 'serve', clock: systemClock, logger }))[Symbol.asyncDispose]();
  const backUp = async (name: string, environment: Record<string, string>) => {
    const io = silentIo();
    const path = join(directory.path, name);
    const code = await run(['backup', 'create', path, '--data-dir', dataDir], { ...io, environment });
    expect([name, code, io.errors()]).toEqual([name, 0, expect.anything()]);
  };
  await backUp('monday.backup', {});
  await backUp('tuesday.backup', { [RECORDED_BACKUP]: '1' });
  expect(auditLines(dataDir)).toEqual([{ action: 'backup.create', subject: 'monday.backup', detail: {} }]);
});
