import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { lurecheck } from '#test/support/executable.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { startService } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';
import { filesWith } from '../checks/store/files-of.ts';
import { openLog } from '../checks/store/open-log.ts';
import { expectSound } from '../checks/store/sound.ts';

/**
 * Runs with a small file system at DIRECTORY: `full-disk-delete-inside.ts DIRECTORY served|alone LEFT…`. For each LEFT, fills
 * it until so many bytes are left, deletes a domain, makes room, deletes once more, and prints what became of it.
 */
const [directory = '', how = '', ...lefts] = process.argv.slice(2);
const WORD = 'zx81qqtrace';
const CHECKS = 3000;
const ballast = `${directory}/ballast`;
const dataDir = `${directory}/data`;
const data = ['--data-dir', dataDir];

async function fillLog(): Promise<void> {
  await using log = await openLog(dataDir);
  const records = Array.from({ length: CHECKS }, (_, i) =>
    sampleRecord({
      visibility: 'public',
      atMs: Date.UTC(2026, 0, 1) + i,
      url: i % 3 === 0 ? `https://h${i}.${WORD}.example/` : `https://h${i}.kept.example/`,
      details: { page: { title: 'a title '.repeat(i % 60), forms: [] } },
    }),
  );
  await Promise.all(records.map((record) => log.append(record)));
}

const deleteDomain = () => lurecheck(['history', 'delete', '--domain', `${WORD}.example`, '--yes', ...data]);
const deletions = async () => (await lurecheck(['history', 'deletions', ...data])).stdout;
const isNoneOpen = async () => !(await deletions()).includes('incomplete');

async function attempt(left: number): Promise<Record<string, unknown>> {
  rmSync(dataDir, { recursive: true, force: true });
  await fillLog();
  const report: Record<string, unknown> = {};
  {
    // The floor of free disk would make room by itself.
    await using _ = how === 'served' ? await startService(dataDir, ['--disk-floor-percent', '0']) : null;
    const { bavail, bsize } = statfsSync(directory);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - left, 1));
    const full = await deleteDomain();
    report['full'] = `${full.exitCode} ${full.stdout}${full.stderr.replaceAll(directory, '')}`;
    rmSync(ballast);
    // A service may be done with it as soon as there is room.
    report['isAskedFor'] = full.stderr.includes('The deletion is incomplete') || !(await isNoneOpen());
    // A service goes on by itself.
    if (how === 'served') await until(isNoneOpen);
    const again = await deleteDomain();
    report['again'] = `${again.exitCode} ${again.stdout}${again.stderr}`;
  }
  report['left'] = filesWith(dataDir, WORD);
  report['deletions'] = (await deletions()).replaceAll(/\S+Z {2}domain #[\da-f]{64} {2}/g, '');
  await using log = await openLog(dataDir);
  report['notices'] = log.notices();
  report['kept'] = (await Array.fromAsync(log.read('public', EVERY_CHECK))).length;
  expectSound(`${dataDir}/public.sqlite`);
  return report;
}

const reports: Record<string, unknown>[] = [];
for (const left of lefts) reports.push(await attempt(Number(left)));
// A service forgets in steps, and one that is small enough may just fit: again, until none did.
for (let more = 0; how === 'served' && !reports.some(({ isAskedFor }) => isAskedFor) && more < 8; more += 1) {
  reports.push(await attempt(Number(lefts.at(-1))));
}
process.stdout.write(JSON.stringify({ reports }));
