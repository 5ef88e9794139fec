import { cachedJson } from '#src/checks/record/cached-json.ts';
import { recordCheck } from '#src/checks/record/check-record.ts';
import { describeCheck } from '#src/checks/record/describe-check.ts';
import { describeEvent } from '#src/checks/record/describe-event.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { jsonLine } from '#src/core/base/text/json-line.ts';
import { readBrands } from '#src/engine/analyzers/brand.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { scoreUrl } from '#src/engine/lexical/score.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { NOW_MS } from '#test/support/now.ts';
import { ordinaryUrl } from '#test/support/ordinary-urls.ts';
import { targetOf } from '#test/support/target.ts';
import { quantileOf } from './statistics.ts';
import { tableOf } from './table.ts';

/**
 * `bun test/bench/stages.ts`: what each stage of a check takes in this process, one after the other and nothing else. What
 * `bun run bench` counts beyond their sum is HTTP, the log, and that stages take turns in the processor's caches.
 */
const ROUNDS = 100;

const URLS = Array.from({ length: 400 }, (_, n) => ordinaryUrl(n));

/** Of what a stage took, the typical lucky batch: the others were interrupted. */
const LUCKY = 0.25;

const observations = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });
const delaysMicros = new Map<string, number[]>();

/** Short enough that a busy machine leaves many a batch uninterrupted. */
const BATCH = 16;

/** Does a stage for all URLs and takes down how long one of them took, batch by batch. */
function stage<In, Out>(name: string, inputs: readonly In[], work: (input: In) => Out): Out[] {
  const outputs: Out[] = [];
  const taken = delaysMicros.get(name) ?? [];
  for (let start = 0; start < inputs.length; start += BATCH) {
    const batch = inputs.slice(start, start + BATCH);
    const startedMs = performance.now();
    for (const input of batch) outputs.push(work(input));
    taken.push(((performance.now() - startedMs) * 1000) / batch.length);
  }
  delaysMicros.set(name, taken);
  return outputs;
}

for (let round = 0; round < ROUNDS; round++) {
  const targets = stage('target', URLS, targetOf);
  stage('of assess: URL model', targets, (target) => scoreUrl(MODELS.lexical, target));
  stage('of assess: brands', targets, (target) => readBrands(target, MODELS.knowledge));
  const finished = stage('assess', targets, (target) => ({
    target,
    assessment: assess(target, observations, MODELS, SETTINGS),
    observations,
    requestId: createRequestId(NOW_MS),
    via: 'api' as const,
    startedAtMs: NOW_MS,
    elapsedMs: 1.25,
    stagesMs: { observe: 0.25, assess: 1 },
  }));
  const answered = stage('answer: described, fitted, written as JSON', finished, (check) => ({
    visibility: 'public' as const,
    result: describeCheck(check),
    host: check.target.host,
    client: null,
  }));
  const records = stage('record: masked', answered, (check) => recordCheck(check).record);
  stage('record: written as JSON, where it is not the answer’s', records, ({ result }) => cachedJson(result));
  stage('line', records, (record) => jsonLine({ ...describeEvent(record) }));
}

const rows = [...delaysMicros].map(([name, micros]) => [
  name,
  quantileOf(
    micros.toSorted((a, b) => a - b),
    LUCKY,
  ).toFixed(1),
]);
process.stdout.write(`${tableOf(['stage', 'µs a check'], rows).join('\n')}\n`);
