import { type CheckRequest, createCheckService } from '#src/checks/check/check.ts';
import { cachedJson } from '#src/checks/record/cached-json.ts';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { describeEvent } from '#src/checks/record/describe-event.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { storedCheckOf } from '#src/checks/store/write/stored-check.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger, jsonLine } from '#src/core/base/logger.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { ordinaryUrl } from '#test/support/ordinary-urls.ts';
import { targetOf } from '#test/support/target.ts';

/**
 * `bun test/bench/measured-stages.ts DATA_DIR CHECKS WARM_UPS`: for each line that it reads, the processor time that the stages of a
 * check take in this process, in microseconds per check, and that of `JSON.stringify` of the same answers. Checks go
 * through each stage together, as in the service. Runs in the sources of an earlier commit, too.
 */
const TOGETHER = 64;

const [dataDir = '', checks = '', warmUps = ''] = process.argv.slice(2);
const observations = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });
const logger = createLogger('error', (line) => process.stderr.write(line));
await using log = await openLocalLog({ dataDir, access: 'serve', clock: systemClock, logger });

let records: CheckRecord[] = [];
const sums = { unit: 0, assess: 0, describe: 0, pack: 0, store: 0 };
let markedMicros = 0;
let asked = 0;

/** Adds the processor time since the last mark to a stage. */
function mark(stage: keyof typeof sums | null): void {
  const { user, system } = process.cpuUsage();
  if (stage) sums[stage] += user + system - markedMicros;
  markedMicros = user + system;
}

const service = createCheckService({
  observe: () => Promise.resolve(observations),
  classify: (target, seen) =>
    Promise.resolve({ observations: seen, assessment: assess(target, seen, MODELS, SETTINGS) }),
  store(record) {
    records.push(record);
    return Promise.resolve();
  },
  clock: systemClock,
  logger,
});

async function checkTogether(): Promise<void> {
  const urls = Array.from({ length: TOGETHER }, () => ordinaryUrl(asked++));
  let observed = 0;
  records = [];
  mark(null);
  const answers = await Promise.all(
    urls.map((url) => {
      const nowMs = systemClock.now();
      const request: CheckRequest = {
        ...{ target: targetOf(url), visibility: 'public', via: 'api', client: null },
        ...{ requestId: createRequestId(nowMs), startedAtMs: nowMs },
        onObserved: () => ++observed === TOGETHER && mark('assess'),
      };
      return service.check(request);
    }),
  );
  answers.forEach(cachedJson);
  mark('describe');
  for (const record of records) storedCheckOf(record, 'public', (client) => Buffer.from(client));
  mark('pack');
  for (const record of records) jsonLine({ ...describeEvent(record) });
  mark('store');
  for (const answer of answers) JSON.stringify(answer);
  mark('unit');
  const packedMicros = sums.pack;
  for (const record of records) storedCheckOf(record, 'public', (client) => Buffer.from(client));
  mark('pack');
  const againMicros = sums.pack - packedMicros;
  sums.pack = packedMicros;
  await Promise.all(records.map((record) => log.append(record)));
  mark('store');
  // The log packs for itself.
  sums.store -= againMicros;
}

for (let warm = 0; warm < Number(warmUps); warm += TOGETHER) await checkTogether();
for await (const _ of console) {
  for (const stage of Object.keys(sums) as (keyof typeof sums)[]) sums[stage] = 0;
  const batches = Math.ceil(Number(checks) / TOGETHER);
  for (let batch = 0; batch < batches; batch++) await checkTogether();
  const ofCheck = Object.entries(sums).map(([stage, micros]) => [stage, micros / batches / TOGETHER]);
  process.stdout.write(`${JSON.stringify(Object.fromEntries(ofCheck))}\n`);
}
