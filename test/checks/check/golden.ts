import { createCheckService } from '#src/checks/check/check.ts';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { describeEvent } from '#src/checks/record/describe-event.ts';
import { storedCheckOf } from '#src/checks/store/write/stored-check.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { VISIBILITIES } from '#src/core/base/visibility.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { NO_PAGES } from '#src/engine/assess/stops.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { createHeldClock } from '#test/support/held-clock.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { ordinaryUrl } from '#test/support/ordinary-urls.ts';

/** URLs in the golden set, each checked publicly and privately. */
const URLS = 5000;

/** Checks that share a digest: a changed one is looked for among so few. */
const TOGETHER = 100;

const STARTED_MS = Date.parse('2026-01-31T12:00:00Z');

/** Returns SHA-256 of the answers, stored rows and log lines of the golden set, 100 URLs each. */
export async function goldenDigests(): Promise<readonly string[]> {
  const digests: string[] = [];
  for (let first = 0; first < URLS; first += TOGETHER) {
    const hasher = new Bun.CryptoHasher('sha256');
    for (let n = first; n < first + TOGETHER; n++) for (const text of await outputsOf(n)) hasher.update(text);
    digests.push(hasher.digest('hex').slice(0, 16));
  }
  return digests;
}

const records: CheckRecord[] = [];
const clock = createHeldClock();
const service = createCheckService({
  observe: ({ target }) =>
    Promise.resolve(
      skippedObservations('disabled', observeLists({ block: [], allow: [], stored: [] }, target, STARTED_MS)),
    ),
  classify: async (target, seen) => ({
    observations: seen,
    assessment: assess(target, seen, MODELS, SETTINGS, NO_PAGES),
  }),
  store: async (record) => void records.push(record),
  clock,
  logger: { debug() {} },
});

/** Returns all that a check of the n-th URL gives to anybody: to its client, to each log, to the operator. */
async function outputsOf(n: number): Promise<(string | Uint8Array)[]> {
  const outputs: (string | Uint8Array)[] = [];
  const target = parseTarget(ordinaryUrl(n));
  if (isTargetProblem(target)) throw new Error(`${ordinaryUrl(n)}: ${target}`);
  for (const visibility of VISIBILITIES) {
    const requestId = `019c13f7-9800-7a11-8b3c-${n.toString(16).padStart(12, '0')}`;
    const request = {
      target,
      visibility,
      client: '192.0.2.1',
      requestId,
      startedAtMs: STARTED_MS,
      via: 'api',
    } as const;
    outputs.push(JSON.stringify(await service.check(request)));
    const [record] = records.splice(0);
    if (!record) throw new Error('a check was not stored');
    const { record: packed, ...row } = storedCheckOf(record, visibility, () => Buffer.alloc(32, 7));
    outputs.push(JSON.stringify(row), packed);
    createLogger(
      'info',
      (line) => outputs.push(line),
      () => STARTED_MS,
    ).info('check.done', describeEvent(record));
  }
  return outputs;
}

if (import.meta.main) {
  await Bun.write(`${import.meta.dir}/golden.json`, `${JSON.stringify(await goldenDigests(), null, 2)}\n`);
}
