import { mkdirSync } from 'node:fs';
import { createRandom } from '#test/support/random.ts';
import { startService } from '#test/support/service.ts';
import { UNLIMITED_BLOCK } from './addresses.ts';
import { ask, PORT } from './ask.ts';
import { createClients } from './clients.ts';
import { createClockShift } from './clock-shift.ts';
import { happen, type Stage } from './faults.ts';
import type { SoakFigures } from './figures.ts';
import { openFiles, residentMib } from './gauge.ts';
import { createLedger } from './ledger.ts';
import { createLimitWatch, LIMIT } from './limit-watch.ts';
import { startLives } from './lives.ts';
import { startLoad } from './load.ts';
import { judgeMemory } from './memory-verdict.ts';
import { FAULT_KINDS, planSoak } from './plan.ts';
import { readLog } from './read-logs.ts';
import { measureWait } from './seventh.ts';
import { PATIENT_SITE } from './sites.ts';
import { startSurroundings } from './surroundings.ts';
import { watchService } from './watch.ts';

/**
 * Runs in namespaces of its own, with a small file system at DISK: `inside.ts MINUTES SEED DISK DISK_BYTES SCRATCH`. Prints the
 * figures.
 */
const [minutes = '', seed = '', disk = '', diskBytes = '', scratch = ''] = process.argv.slice(2);
const dataDir = `${disk}/data`;
/** More violations than that say nothing more. */
const MAX_VIOLATIONS = 50;
const GREEDY_PER_SECOND = 6;
/** Clients that the limiter is told to remember: fewer than come in a minute, so that it has to forget some. */
const REMEMBERED_CLIENTS = 8000;
const SETTLE_MS = 60_000;
/** Descriptors that a service may have come to need since it was young: the threads that read pages have some. */
const MORE_FILES = 24;

const violations: string[] = [];
const violate = (what: string) => {
  if (violations.length < MAX_VIOLATIONS) violations.push(what);
};
const startedMs = performance.now();
const say = (what: string) =>
  process.stderr.write(`${((performance.now() - startedMs) / 1000).toFixed(0).padStart(5)} s  ${what}\n`);

const plan = planSoak(Number(minutes), Number(seed));
const ledger = createLedger();
const limits = createLimitWatch();

await using surroundings = await startSurroundings(scratch);
const { urls, urlsBy } = surroundings;
const clock = createClockShift(`${scratch}/clock`);
const settings: Readonly<Record<string, string>> = {
  ...surroundings.settings,
  listen: `[::]:${PORT}`,
  'rate-limit': String(LIMIT),
  'rate-limit-keys': String(REMEMBERED_CLIENTS),
  'rate-limit-cidr': `${UNLIMITED_BLOCK}=0`,
  'retention-days': '30',
  // A disk that others fill would have the oldest checks forgotten, and here each is asked for in the end.
  'disk-floor-percent': '0',
};
const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
mkdirSync(dataDir, { recursive: true });
await using lives = await startLives(() => startService(dataDir, flags, clock.env));
const stage: Stage = { lives, clock, surroundings, disk: { path: disk, sizeBytes: Number(diskBytes) } };
using watch = watchService(lives, violate);
const random = createRandom(Number(seed));
const clients = createClients({ random, urls: urlsBy, lives, ledger, limits, violate });

say(`it runs, with ${Object.keys(urls).length} sites around it; ${plan.faults.length} faults will come`);
const warmUp = [
  startLoad(plan.checksPerSecond, clients.sendMixed),
  startLoad(plan.addressesPerSecond, clients.sendNewcomer),
];
await Bun.sleep(plan.warmUpSeconds * 1000);
await Promise.all(warmUp.map((load) => load.end()));
const filesBefore = openFiles(lives.pid);
say(
  `warm: ${ledger.acknowledged} checks answered, ${residentMib(lives.pid).toFixed(0)} MiB, ${filesBefore.all} open files`,
);

const wait = await measureWait({
  goodUrl: urls[PATIENT_SITE] ?? '',
  slowUrls: urlsBy.slow,
  clients,
});
wait.problems.forEach(violate);
say(`a seventh client waits ${wait.aloneMs.toFixed(0)} ms alone, ${wait.besideMs.toFixed(0)} ms beside others`);

const load = [
  startLoad(plan.checksPerSecond, clients.sendMixed),
  startLoad(plan.addressesPerSecond, clients.sendNewcomer),
  startLoad(GREEDY_PER_SECOND, clients.sendGreedy),
];
const faultyFromMs = performance.now();
const secondsIn = () => (performance.now() - faultyFromMs) / 1000;
for (const { kind, atSeconds, lastsSeconds } of plan.faults) {
  await Bun.sleep(Math.max(0, atSeconds - secondsIn()) * 1000);
  const problems = await happen(kind, stage, lastsSeconds);
  problems.forEach(violate);
  say(
    `${kind}: ${ledger.acknowledged} checks answered, ${residentMib(lives.pid).toFixed(0)} MiB, ${violations.length} violations`,
  );
}
await Bun.sleep(Math.max(0, plan.faultySeconds - secondsIn()) * 1000);
await Promise.all(load.map((one) => one.end()));
say('the load is off');

const isSettled = () =>
  openFiles(lives.pid).all <= filesBefore.all + MORE_FILES && openFiles(lives.pid).sockets <= filesBefore.sockets;
const settledByMs = performance.now() + SETTLE_MS;
while (!isSettled() && performance.now() < settledByMs) await Bun.sleep(250);
const filesAfter = openFiles(lives.pid);
if (!isSettled()) violate(`open files did not come back: ${JSON.stringify({ filesBefore, filesAfter })}`);
const ready = await ask({ path: '/readyz', from: '127.0.0.1' });
// Where the clock has jumped by more than a year, the model is old.
const isWell = (body: string) => /^\{"status":"ready","notices":\[(?:"The model is \d+ days old\.")?\]\}$/.test(body);
if (ready.kind !== 'answered' || !isWell(ready.body)) violate(`/readyz at the end: ${JSON.stringify(ready)}`);
const rssAfterMib = residentMib(lives.pid);
const memory = judgeMemory(watch.memory);
(await lives.finish()).forEach(violate);

const logs = { public: readLog(dataDir, 'public'), private: readLog(dataDir, 'private') };
for (const problem of [
  ...memory.problems,
  ...limits.judge(),
  ...logs.public.problems,
  ...logs.private.problems,
  ...ledger.judge({ public: logs.public.rows, private: logs.private.rows }),
]) {
  violate(problem);
}
if (limits.refused === 0) violate('nobody was refused for asking too much');

const figures: SoakFigures = {
  minutes: Number(minutes),
  seed: Number(seed),
  faults: Object.fromEntries(
    FAULT_KINDS.map((kind) => [kind, plan.faults.filter((fault) => fault.kind === kind).length]),
  ),
  lives: lives.count,
  clientAddresses: clients.addresses,
  answers: clients.answers,
  acknowledged: ledger.acknowledged,
  overLimit: { admitted: limits.admitted, refused: limits.refused },
  waitMs: { alone: wait.aloneMs, beside: wait.besideMs },
  livezMs: worstOf(watch.livezMs),
  bareMs: worstOf(watch.bareMs),
  rssMib: { after: rssAfterMib, most: memory.mostMib, growth: memory.growthMib },
  openFiles: { before: filesBefore.all, after: filesAfter.all },
  logged: {
    public: logs.public.rows.length,
    private: logs.private.rows.length,
    mib: (logs.public.sizeBytes + logs.private.sizeBytes) / 2 ** 20,
  },
  violations,
};
process.stdout.write(JSON.stringify(figures));

function worstOf(waitsMs: readonly number[]): SoakFigures['livezMs'] {
  const sorted = waitsMs.toSorted((a, b) => a - b);
  return { asked: sorted.length, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0, most: sorted.at(-1) ?? 0 };
}
