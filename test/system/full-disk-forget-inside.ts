import { statfsSync, writeFileSync } from 'node:fs';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { openLog } from '../checks/store/open-log.ts';
import { expectSound } from '../checks/store/sound.ts';

/** Runs with a small file system at DIRECTORY: fills a hundredth less than all of it, forgets most checks, and prints what became of it. */
const [directory = ''] = process.argv.slice(2);
const CHECKS = 12_000;
const KEPT = 500;
const free = () => {
  const { bavail, bsize, blocks } = statfsSync(directory);
  return { bytes: bavail * bsize, part: bavail / blocks };
};

const report: Record<string, unknown> = {};
{
  await using log = await openLog(directory, { reserveBytes: 0 });
  for (let done = 0; done < CHECKS; done += 1000) {
    const records = Array.from({ length: 1000 }, (_, i) => sampleRecord({ atMs: done + i, visibility: 'public' }));
    await Promise.all(records.map((record) => log.append(record)));
  }
}
const room = statfsSync(directory);
writeFileSync(`${directory}/ballast`, Buffer.alloc(free().bytes - Math.floor((room.blocks * room.bsize) / 100), 1));
report['freeBefore'] = free().part < 0.0101;
{
  await using log = await openLog(directory, { reserveBytes: 0 });
  const { usedBytes } = log.size('public');
  report['removed'] = await log.purge('public', CHECKS - KEPT);
  report['kept'] = (await Array.fromAsync(log.read('public', EVERY_CHECK))).length;
  report['givenBack'] = free().bytes > 0.8 * usedBytes;
}
expectSound(`${directory}/public.sqlite`);
process.stdout.write(JSON.stringify(report));
