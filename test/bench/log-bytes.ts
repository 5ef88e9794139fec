import { Database } from 'bun:sqlite';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { type CheckRecord, recordCheck } from '#src/checks/record/check-record.ts';
import { describeCheck } from '#src/checks/record/describe-check.ts';
import { BLOCK_CHECKS, blockOf } from '#src/checks/store/domains/block.ts';
import { indexBlock } from '#src/checks/store/domains/index-block.ts';
import { openDatabase } from '#src/checks/store/file/database.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { hostOf } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { sampleResult } from '../interfaces/ui/sample-result.ts';

/**
 * `bun test/bench/log-bytes.ts URLS [CHECKS]`: what a check takes on disk once the log is closed, over the URLs of a file, a
 * line each, round and round, checked without a network; and one in which everything was looked at, which is the same each
 * time but for its host.
 */
const [file = '', count = '100000'] = process.argv.slice(2);
const checks = Number(count);
const CHECKS_AT_ONCE = 200;
const OBSERVATIONS = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });

const targets = readFileSync(file, 'utf8')
  .split('\n')
  .flatMap((line) => {
    const target = parseTarget(line);
    return isTargetProblem(target) ? [] : target;
  });

function withoutNetwork(i: number): CheckRecord {
  const target = targets[i % targets.length];
  if (!target) throw new Error(`${file} has no URL`);
  const startedAtMs = Date.now();
  const began = performance.now();
  const assessment = assess(target, OBSERVATIONS, MODELS, SETTINGS);
  const elapsedMs = performance.now() - began;
  const result = describeCheck({
    requestId: createRequestId(startedAtMs),
    via: 'api',
    startedAtMs,
    elapsedMs,
    stagesMs: { observe: elapsedMs / 50, assess: elapsedMs },
    target,
    observations: OBSERVATIONS,
    assessment,
  });
  return recordCheck({ visibility: 'public', result, host: target.host, client: null }).record;
}

function lookedAt(i: number): CheckRecord {
  const startedAtMs = Date.now();
  const host = hostOf(`www.site${i}.example.co.uk`);
  const sample = sampleResult({ url: `https://${host.text}/account/verify` });
  const result = {
    ...sample,
    request_id: createRequestId(startedAtMs),
    timestamp: new Date(startedAtMs).toISOString(),
  };
  return recordCheck({ visibility: 'public', result, host, client: null }).record;
}

for (const [name, recordAt] of Object.entries({ 'without a network': withoutNetwork, 'all looked at': lookedAt })) {
  await using directory = temporaryDirectory();
  await fill(directory.path, recordAt);
  const path = `${directory.path}/public.sqlite`;
  const bytes = readdirSync(directory.path).reduce((sum, entry) => sum + statSync(join(directory.path, entry)).size, 0);
  process.stdout.write(`${name.padEnd(20)} ${(bytes / checks).toFixed(1)} bytes a check, of which\n`);
  for (const [table, share] of sharesOf(path)) {
    process.stdout.write(`  ${table.padEnd(32)} ${(share / checks).toFixed(1).padStart(7)}\n`);
  }
  process.stdout.write(`  ${indexMicros(path).toFixed(2)} µs of processor time a check to index the domains\n`);
}

async function fill(dataDir: string, recordAt: (i: number) => CheckRecord): Promise<void> {
  const logger = createLogger('warn', (line) => process.stderr.write(line));
  await using log = await openLocalLog({ dataDir, access: 'serve', clock: systemClock, logger });
  for (let done = 0; done < checks; done += CHECKS_AT_ONCE) {
    const length = Math.min(CHECKS_AT_ONCE, checks - done);
    await Promise.all(Array.from({ length }, (_, i) => log.append(recordAt(done + i))));
  }
}

/** What it costs to index all blocks of a log once more, each in a transaction of its own, by the processor. */
function indexMicros(path: string): number {
  using database = openDatabase(path);
  const log = { database, db: drizzle(database) };
  database.run('delete from check_domains');
  database.run('delete from domain_blocks');
  const index = database.transaction((block: number) => indexBlock(log, block));
  const blocks = blockOf(checks);
  const before = process.cpuUsage();
  for (let block = 0; block < blocks; block++) index.immediate(block);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (blocks * BLOCK_CHECKS);
}

/** Bytes of the payloads of columns that hold most of a check. */
function sharesOf(path: string): [string, number][] {
  using database = new Database(path, { readonly: true });
  const sum = (what: string, table: string) =>
    database.query<{ bytes: number | null }, []>(`select sum(${what}) as bytes from ${table}`).get()?.bytes ?? 0;
  return [
    ['packed record', sum('length(record)', 'checks')],
    ['URL', sum('length(cast(url as blob))', 'checks')],
    ['index of domains', sum('length(entries)', 'check_domains')],
    ['blocked sites and suffixes', sum('2 * length(name)', 'blocked')],
  ];
}
