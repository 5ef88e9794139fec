import { rmSync, writeFileSync } from 'node:fs';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { openLog } from '../checks/store/open-log.ts';
import { expectSound } from '../checks/store/sound.ts';

/**
 * Runs with a small file system at DIRECTORY: `full-disk-inside.ts DIRECTORY RESERVE_BYTES`. Fills it with checks, makes
 * room, and prints what the log said to that.
 */
const [directory = '', reserve = '0'] = process.argv.slice(2);
const ballast = `${directory}/ballast`;
const START_MS = Date.UTC(2026, 0, 1);
writeFileSync(ballast, Buffer.alloc(600 * 1024, 1));
writeFileSync(`${directory}/spare`, Buffer.alloc(256 * 1024, 1));

const accepted: string[] = [];
const refusals = new Set<string>();

/** Appends until the log refuses ten in a row. */
async function fill(log: ScanLog): Promise<number> {
  const before = accepted.length;
  for (let refused = 0; refused < 10; ) {
    const record = sampleRecord({ atMs: START_MS + accepted.length, visibility: 'public' });
    try {
      await log.append(record);
      accepted.push(record.result.request_id);
      refused = 0;
    } catch (error) {
      refusals.add(error instanceof Error && 'code' in error ? String(error.code) : String(error));
      refused++;
    }
  }
  return accepted.length - before;
}

const missing = async (log: ScanLog) =>
  (await Promise.all(accepted.map((id) => log.find('public', id)))).filter((entry) => entry === null).length;

const report: Record<string, unknown> = {};
{
  await using log = await openLog(directory, { reserveBytes: Number(reserve) });
  report['first'] = await fill(log);
  report['pageWhileFull'] = (await log.page({ ...EVERY_CHECK, limit: 50, cursor: null })).items.length;
  report['missingWhileFull'] = await missing(log);
  rmSync(ballast);
  report['second'] = await fill(log);
  report['missing'] = await missing(log);
}
// Without room for SQLite's shared memory a log cannot even be read: then the refusal says what to do.
try {
  await using _ = await openLog(directory, { reserveBytes: Number(reserve) });
  report['restartOnFullDisk'] = 'opened';
} catch (error) {
  report['restartOnFullDisk'] = error instanceof Error && 'code' in error ? error.code : String(error);
  rmSync(`${directory}/spare`);
}
{
  await using log = await openLog(directory, { reserveBytes: Number(reserve) });
  report['missingAfterRestart'] = await missing(log);
  report['notices'] = log.notices();
}
expectSound(`${directory}/public.sqlite`);
report['refusals'] = [...refusals];
process.stdout.write(JSON.stringify(report));
