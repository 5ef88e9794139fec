import { writeSync } from 'node:fs';
import type { LogAccess } from '#src/checks/store/open-files.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { openLog } from './open-log.ts';

/**
 * A process that appends until it is killed, or COUNT checks: `append-child.ts DIRECTORY ACCESS [COUNT]`. It writes
 * visibility and id of each check to standard output once the log has accepted it.
 */
const [directory = '', access = 'serve', count = '1e9'] = process.argv.slice(2);
const CONCURRENCY = 20;

await using log = await openLog(directory, { access: access as LogAccess });
let next = 0;

async function appendOn(): Promise<void> {
  while (next < Number(count)) {
    const i = next++;
    const visibility = i % 3 === 0 ? 'private' : 'public';
    const record = sampleRecord({
      visibility,
      url: `https://www.site${i % 100}.example/`,
      atMs: Date.now(),
      result: { decision: i % 5 === 0 ? 'block' : 'allow', malicious_probability: (i % 97) / 97 },
    });
    await log.append(record);
    writeSync(1, `${visibility} ${record.result.request_id}\n`);
  }
}

await Promise.all(Array.from({ length: CONCURRENCY }, appendOn));
