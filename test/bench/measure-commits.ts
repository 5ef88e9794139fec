import { join } from 'node:path';
import { BLOCK_CHECKS } from '#src/checks/store/domains/block.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { NOW_MS } from '#test/support/now.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { urlOf } from './load-urls.ts';
import { firstThreadMicros } from './process-figures.ts';
import type { SampleSheet } from './samples.ts';

/** Blocks before any counts: until then the compiler is at work. */
const WARM_UP_BLOCKS = 4;

/** Checks that are committed together, as under load. */
const TOGETHER = 64;

/** Commits that write the index of a block: the one that completes the block, and those that share its cells. */
const INDEXING_COMMITS = 10;

/** Measures in this process what it costs the serving thread to commit checks together with a part of the domain index. */
export async function measureCommits(rounds: number, folder: string, sheet: SampleSheet): Promise<void> {
  const logger = createLogger('error', (line) => process.stderr.write(line));
  const dataDir = join(folder, 'commits');
  await using log = await openLocalLog({ dataDir, access: 'serve', clock: systemClock, logger });
  const blocks = WARM_UP_BLOCKS + rounds;
  for (let n = 1; n < blocks * BLOCK_CHECKS; n += TOGETHER) {
    const records = Array.from({ length: TOGETHER }, (_, i) =>
      sampleRecord({ url: urlOf(n + i), atMs: NOW_MS + n + i }),
    );
    const before = await firstThreadMicros(process.pid);
    await Promise.all(records.map((record) => log.append(record)));
    const millis = ((await firstThreadMicros(process.pid)) - before) / 1000;
    const sinceComplete = Math.floor(((n + TOGETHER) % BLOCK_CHECKS) / TOGETHER);
    const indexes = sinceComplete < INDEXING_COMMITS;
    if (indexes && n > WARM_UP_BLOCKS * BLOCK_CHECKS) sheet.add('indexCommit', 'own', millis);
  }
}
