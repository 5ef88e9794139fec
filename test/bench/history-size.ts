import { statSync } from 'node:fs';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { fillHistory, ONCE_DOMAIN } from './fill-history.ts';
import { COMMON_DOMAIN, RARE_DOMAIN } from './load-urls.ts';

/** `bun test/bench/history-size.ts [CHECKS]`: what it costs to read a log of so many checks. */
const checks = Number(process.argv[2] ?? 5_000_000);
const TIMES = 40;

await using directory = temporaryDirectory();
const began = performance.now();
await fillHistory(directory.path, checks);
const { size } = statSync(`${directory.path}/public.sqlite`);
process.stdout.write(
  `${checks} checks in ${((performance.now() - began) / 1000).toFixed(0)} s, ${(size / checks).toFixed(0)} bytes each\n`,
);
const logger = createLogger('warn', (line) => process.stderr.write(line));
await using log = await openLocalLog({ dataDir: directory.path, access: 'read', clock: systemClock, logger });
const page = (filter: Partial<typeof EVERY_CHECK>) => () =>
  log.page({ ...EVERY_CHECK, ...filter, limit: 50, cursor: null });

for (const [name, read] of Object.entries({
  'a page': page({}),
  'what was blocked': page({ decision: 'block' }),
  'a common suffix': page({ domain: COMMON_DOMAIN }),
  'a rare site': page({ domain: RARE_DOMAIN }),
  'a site that was checked once, first of all': page({ domain: ONCE_DOMAIN }),
  'a site that never was': page({ domain: 'never.example' }),
  'the overview': () => log.stats(),
})) {
  const costs: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const before = process.cpuUsage();
    await read();
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1000);
  }
  const [median = 0, most = 0] = [costs.toSorted((a, b) => a - b)[TIMES / 2], Math.max(...costs)];
  process.stdout.write(
    `${name.padEnd(44)} ${median.toFixed(1).padStart(6)} ms of processor time, ${most.toFixed(1)} at most\n`,
  );
}
