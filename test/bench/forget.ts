import { statSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { DAY_MS, systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/**
 * `bun test/bench/forget.ts [ROWS] [A_SECOND]`: how long a check waits to be logged while as many others are forgotten, what
 * that costs, and when the room is back with the system.
 */
const rows = Number(process.argv[2] ?? 1_000_000);
const aSecond = Number(process.argv[3] ?? 500);
const TICK_MS = 10;
const KEPT = 1000;
const START_MS = Date.now() - 100 * DAY_MS;

await using directory = temporaryDirectory();
const path = `${directory.path}/public.sqlite`;
const logger = createLogger('warn', (line) => process.stderr.write(line));
await using log = await openLocalLog({ dataDir: directory.path, access: 'serve', clock: systemClock, logger });

const templates = Array.from({ length: 2000 }, (_, i) =>
  sampleRecord({ url: `https://www.site${Math.floor(i ** 2 / 2000)}.${['com', 'net', 'co.uk'][i % 3]}/a?id=${i}` }),
);

function append(index: number, atMs: number): Promise<void> {
  const template = templates[index % templates.length] ?? sampleRecord();
  const result = { ...template.result, timestamp: new Date(atMs).toISOString(), request_id: createRequestId(atMs) };
  return log.append({ ...template, result });
}

for (let done = 0; done < rows; done += KEPT) {
  await Promise.all(Array.from({ length: KEPT }, (_, i) => append(i, START_MS + done + i)));
}

/** Waits of checks at a steady rate, counted from when each was due, until `isOver`. */
async function load(isOver: () => boolean): Promise<number[]> {
  const waits: number[] = [];
  const started = performance.now();
  const pending: Promise<void>[] = [];
  for (let sent = 0; !isOver(); ) {
    for (; sent < ((performance.now() - started) / 1000) * aSecond; sent++) {
      const due = started + (sent / aSecond) * 1000;
      pending.push(append(sent, Date.now()).then(() => void waits.push(performance.now() - due)));
    }
    await Bun.sleep(TICK_MS);
  }
  await Promise.all(pending);
  return waits;
}

const calmUntil = performance.now() + 10_000;
report('alone', await load(() => performance.now() > calmUntil));
const before = statSync(path).size;
const cpu = process.cpuUsage();
const started = performance.now();
let isDone = false;
const purged = log.purge('public', Date.now() - DAY_MS).finally(() => {
  isDone = true;
});
report('while others are forgotten', await load(() => isDone));
const removed = await purged;
const { user, system } = process.cpuUsage(cpu);
const seconds = (performance.now() - started) / 1000;
process.stdout.write(
  `${removed} forgotten in ${seconds.toFixed(1)} s, ${((user + system) / removed).toFixed(0)} µs of processor time each ` +
    `with the checks beside them; ${before} bytes before, ${statSync(path).size} after, ${statSync(`${path}-wal`).size} in the write-ahead log\n`,
);

function report(name: string, waitsMs: readonly number[]): void {
  const sorted = waitsMs.toSorted((a, b) => a - b);
  const at = (q: number) => (sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0).toFixed(1);
  process.stdout.write(
    `${name}: ${sorted.length} waits, p50 ${at(0.5)} p99 ${at(0.99)} p99.9 ${at(0.999)} longest ${at(1)} ms, ` +
      `${sorted.filter((ms) => ms > 50).length} over 50 ms; ${loadavg()[0]?.toFixed(1)} processes ran or waited to on ${cpus().length} cores\n`,
  );
}
