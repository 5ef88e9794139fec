import { statSync } from 'node:fs';
import { loadavg } from 'node:os';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { openLog } from '../checks/store/open-log.ts';
import { expectSound } from '../checks/store/sound.ts';

/**
 * Runs with a small file system at DIRECTORY: `small-box-inside.ts DIRECTORY CHECKS BYTES`. Logs so many checks while the
 * log is held to a size, and prints what became of them. A trim goes on beside each batch and ends before the next one
 * begins, so that the result doesn't depend on how a busy machine shares its processors. By hand, for a day of a small
 * box: a million checks and 500 MB, on a disk of 1 GB.
 */
const [directory = '', count = '', size = ''] = process.argv.slice(2);
const [checks, bytes] = [Number(count), Number(size)];
const CHECKS_AT_ONCE = 50;
const BATCHES_PER_TRIM = 4;
const START_MS = Date.UTC(2026, 0, 1);
const path = `${directory}/public.sqlite`;
const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

const report: Record<string, unknown> = {};
{
  await using log = await openLog(directory);
  const template = sampleRecord({ details: { page: { title: 'a title of a page '.repeat(25), forms: [] } } });
  const waits: number[] = [];
  let largest = 0;
  let removed = 0;
  let trimming = Promise.resolve(0);
  for (let done = 0; done < checks; done += CHECKS_AT_ONCE) {
    if (done % (CHECKS_AT_ONCE * BATCHES_PER_TRIM) === 0) {
      removed += await trimming;
      trimming = log.trim('public', { rows: 0, bytes }, 0);
    }
    await Promise.all(
      Array.from({ length: CHECKS_AT_ONCE }, async (_, i) => {
        const { request_id, timestamp } = sampleRecord({ atMs: START_MS + done + i }).result;
        const began = performance.now();
        await log.append({ ...template, result: { ...template.result, request_id, timestamp } });
        waits.push(performance.now() - began);
      }),
    );
    largest = Math.max(largest, sizeOf(path));
  }
  removed += await trimming;
  for (let more = -1; more !== 0; removed += more) more = await log.trim('public', { rows: 0, bytes }, 0);
  const kept = (await Array.fromAsync(log.read('public', EVERY_CHECK))).map(({ result }) =>
    Date.parse(result.timestamp),
  );
  const sorted = waits.toSorted((a, b) => a - b);
  report['isWithinBound'] = largest <= bytes && sizeOf(path) + sizeOf(`${path}-wal`) <= bytes;
  report['hasForgotten'] = removed > checks / 4;
  report['keepsTheNewest'] =
    kept.length === checks - removed && kept.every((atMs, i) => atMs === START_MS + checks - 1 - i);
  report['notices'] = log.notices();
  // For whoever runs it by hand: on a busy machine a wait says more of the machine than of the log.
  report['seen'] = {
    removed,
    largest,
    p50: sorted[Math.floor(checks / 2)],
    p999: sorted[Math.floor(checks * 0.999)],
    longest: sorted.at(-1),
    over50: sorted.filter((ms) => ms > 50).length,
    load: loadavg(),
  };
}
expectSound(path);
process.stdout.write(JSON.stringify(report));
