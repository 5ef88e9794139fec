import { expect, test } from 'bun:test';
import { storedCheckOf } from '#src/checks/store/write/stored-check.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { createSession } from '#src/parts/postgres/session/session.ts';
import { createWriteQueue, type WriteQueue } from '#src/parts/postgres/session/write-queue.ts';
import { openSpool } from '#src/parts/postgres/spool.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';

/** Between the last batch and the end of the pump lie fewer turns of the queue of promises. */
const TURNS = 40;

const newCheck = () => storedCheckOf(sampleRecord(), 'public', () => Buffer.alloc(32));

/** Whether a queue keeps a check while the event loop goes round a few times. */
async function isKept(queue: WriteQueue): Promise<boolean> {
  let isKept = false;
  void queue.add(newCheck()).then(() => {
    isKept = true;
  });
  for (let rounds = 0; rounds < 10 && !isKept; rounds++) await new Promise(setImmediate);
  return isKept;
}

test('stores a check that is added at any moment after the previous one', async () => {
  await using directory = temporaryDirectory();
  // No database is there, so that checks go to the spool.
  const url = { user: 'node', password: null, database: 'none', host: directory.path, port: 5432 } as const;
  const urls = [{ ...url, tls: 'plain', authorityFile: null } as const];
  await using queue = createWriteQueue({
    visibility: 'public',
    session: createSession({ urls, timeoutMs: 1000, max: 1, prepare: () => Promise.reject(new Error('away')) }),
    spool: openSpool(`${directory.path}/spool`),
    spoolRows: 1000,
    logger: createLogger('error', () => {}),
  });
  await until(async () => (await isKept(queue)) && queue.unavailableReason() !== null);
  for (let turns = 0; turns < TURNS; turns++) {
    await queue.add(newCheck());
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    expect([turns, await isKept(queue)]).toEqual([turns, true]);
  }
});
