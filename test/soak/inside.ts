import { mkdirSync, writeFileSync } from 'node:fs';
import { PUBLIC } from '#test/support/place.ts';
import { createRandom } from '#test/support/random.ts';
import { startService } from '#test/support/service.ts';
import { clientAddress, UNLIMITED_BLOCK } from './addresses.ts';
import { ask, PORT, type Reply } from './ask.ts';
import { createClockShift } from './clock-shift.ts';
import { happen, type Stage } from './faults.ts';
import type { SoakFigures } from './figures.ts';
import { openFiles, residentMib } from './gauge.ts';
import { createLedger } from './ledger.ts';
import { createLimitWatch } from './limit-watch.ts';
import { startLives } from './lives.ts';
import { offence, startLoad } from './load.ts';
import { judgeMemory } from './memory-verdict.ts';
import { nextOfMix } from './mix.ts';
import { startPart } from './part.ts';
import { FAULT_KINDS, planSoak } from './plan.ts';
import { readLog } from './read-logs.ts';
import { measureWait } from './seventh.ts';
import { PATIENT_SITE, soakSites, type Temper } from './sites.ts';
import { watchService } from './watch.ts';
import type { WorldReport } from './world.ts';

/**
 * Runs in namespaces of its own, with a small file system at DISK: `inside.ts MINUTES SEED DISK DISK_BYTES SCRATCH`. Prints the
 * figures.
 */
const [minutes = '', seed = '', disk = '', diskBytes = '', scratch = ''] = process.argv.slice(2);
const dataDir = `${disk}/data`;
/** More violations than that say nothing more. */
const MAX_VIOLATIONS = 50;
/** Clients that ask on and on. */
const GREEDY = 3;
const GREEDY_PER_SECOND = 2;
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
const random = createRandom(Number(seed));
const ledger = createLedger();
const limits = createLimitWatch();
const answers: Record<string, number> = {};
let addresses = 0;

await using parts = new AsyncDisposableStack();
const world = parts.use(await startPart('world.ts'));
const { zone, authority, urls }: WorldReport = JSON.parse(world.firstLine);
const zonePath = `${scratch}/zone.json`;
const authorityPath = `${scratch}/authority.pem`;
writeFileSync(zonePath, JSON.stringify(zone));
writeFileSync(authorityPath, authority);
mkdirSync(dataDir, { recursive: true });

const clock = createClockShift(`${scratch}/clock`);
const settings: Readonly<Record<string, string>> = {
  listen: `[::]:${PORT}`,
  network: 'full',
  'rate-limit': '20',
  'rate-limit-keys': String(REMEMBERED_CLIENTS),
  'rate-limit-cidr': `${UNLIMITED_BLOCK}=0`,
  'retention-days': '30',
  'dns-server': PUBLIC.resolver,
  'egress-ca': authorityPath,
};
const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
const lives = parts.use(await startLives(() => startService(dataDir, flags, clock.env)));
const stage: Stage = {
  lives,
  clock,
  disk: { path: disk, sizeBytes: Number(diskBytes) },
  zonePath,
  resolver: await startPart('resolver.ts', [zonePath]),
};
parts.use(await startPart('bare.ts'));
parts.defer(() => stage.resolver[Symbol.asyncDispose]());
using watch = watchService(lives, violate);

const urlsOf = Map.groupBy(Object.entries(soakSites(Date.now())), ([, { temper }]) => temper);
const urlsWith = (temper: Temper) => (urlsOf.get(temper) ?? []).map(([name]) => urls[name] ?? '');
const mixParts = {
  random,
  open: ledger.open,
  urls: { honest: urlsWith('honest'), hostile: urlsWith('hostile'), slow: urlsWith('slow'), heavy: urlsWith('heavy') },
};

function worstOf(waitsMs: readonly number[]): SoakFigures['livezMs'] {
  const sorted = waitsMs.toSorted((a, b) => a - b);
  return { asked: sorted.length, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0, most: sorted.at(-1) ?? 0 };
}

/** What holds for every reply, whatever was asked. */
function note(reply: Reply, number?: number, isUnfinished = false): void {
  const kind = reply.kind === 'answered' ? String(reply.status) : reply.kind;
  answers[kind] = (answers[kind] ?? 0) + 1;
  const wrong = offence(reply) ?? (number === undefined ? null : ledger.close(number, reply));
  if (wrong !== null && !(reply.kind === 'silent' && lives.explains(reply))) violate(wrong);
  if (reply.kind === 'cut' && !isUnfinished && !lives.explains(reply))
    violate(`cut without an answer: ${reply.problem}`);
}

async function sendMixed(): Promise<void> {
  const { number, isBad, ...request } = nextOfMix(mixParts);
  const reply = await ask({ ...request, from: clientAddress(addresses++) });
  note(reply, number, request.isUnfinished);
  if (reply.kind !== 'answered') return;
  if (isBad && reply.status < 400) violate(`a bad request was told ${reply.status}`);
  if (!isBad && reply.status >= 400 && reply.status !== 503)
    violate(`a good request was told ${reply.status}: ${reply.body.slice(0, 300)}`);
}

const REFUSED = { method: 'POST', path: '/api/check-url', body: '{"url":"ftp://flood.example/"}' } as const;

async function sendOne(): Promise<void> {
  const reply = await ask({ ...REFUSED, from: clientAddress(addresses++) });
  note(reply);
  if (reply.kind === 'answered' && reply.status !== 400 && reply.status !== 503)
    violate(`a newcomer was told ${reply.status}`);
}

let greedyTurn = 0;
async function sendGreedy(): Promise<void> {
  const from = clientAddress(16_000_000 + (greedyTurn++ % GREEDY));
  const life = lives.count;
  const reply = await ask({ ...REFUSED, from });
  note(reply);
  limits.note(from, life, reply);
}

say(`it runs, with ${Object.keys(urls).length} sites around it; ${plan.faults.length} faults will come`);
const warmUp = [startLoad(plan.checksPerSecond, sendMixed), startLoad(plan.addressesPerSecond, sendOne)];
await Bun.sleep(plan.warmUpSeconds * 1000);
await Promise.all(warmUp.map((load) => load.end()));
const filesBefore = openFiles(lives.pid);
say(
  `warm: ${ledger.acknowledged} checks answered, ${residentMib(lives.pid).toFixed(0)} MiB, ${filesBefore.all} open files`,
);

const wait = await measureWait({
  goodUrl: urls[PATIENT_SITE] ?? '',
  slowUrls: urlsWith('slow'),
  open: ledger.open,
  close: (number, reply) => note(reply, number),
});
wait.problems.forEach(violate);
say(`a seventh client waits ${wait.aloneMs.toFixed(0)} ms alone, ${wait.besideMs.toFixed(0)} ms beside others`);

const load = [
  startLoad(plan.checksPerSecond, sendMixed),
  startLoad(plan.addressesPerSecond, sendOne),
  startLoad(GREEDY * GREEDY_PER_SECOND, sendGreedy),
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
if (ready.kind !== 'answered' || ready.body !== '{"status":"ready","notices":[]}')
  violate(`/readyz at the end: ${JSON.stringify(ready)}`);
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
  clientAddresses: addresses,
  answers,
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
