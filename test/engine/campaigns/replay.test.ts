import { expect, test } from 'bun:test';
import type { Engine } from '#src/app/engine.ts';
import { createCheckService } from '#src/checks/check/check.ts';
import { readShape } from '#src/core/base/text/json-shape.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { ObservedSchema } from '#src/interfaces/cli/check/observed-schema.ts';
import { replay } from '#src/interfaces/cli/check/replay.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { createHeldClock } from '#test/support/held-clock.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

test('sightings are stored with the observations, and re-scoring gives the same verdict', async () => {
  const seen: unknown[] = [];
  const learnt: string[] = [];
  const { check } = createCheckService({
    observe: async () => skippedObservations('disabled', { state: 'skipped', reason: 'disabled' }),
    classify: async (target, observations) => ({
      observations,
      assessment: assess(target, observations, MODELS, SETTINGS),
    }),
    async store() {},
    campaigns: {
      sightingsOf: () => ({ path: { sites: 4, since: '2026-06-15' }, form: null }),
      learn: (target, { assessment }, client) => learnt.push(`${client} ${target.url} ${assessment.isSuspicious}`),
    },
    clock: createHeldClock(),
    logger: { debug() {} },
  });
  const url = 'http://secure-login-verify.top/gykolrhup/start';
  const request = {
    target: targetOf(url),
    requestId: '01900000-0000-7000-8000-000000000000',
    via: 'api' as const,
    startedAtMs: Date.UTC(2026, 0, 31, 12),
    onObserved: (observations: unknown) => seen.push(observations),
  };
  const answer = await check({ ...request, visibility: 'public', client: 'a client' });
  expect(answer.analysis_details.reasons.map(({ code }) => code)).toContain('lists.path_elsewhere');
  expect(learnt).toEqual([`a client ${url} true`]);

  const kept = readShape(ObservedSchema, JSON.parse(JSON.stringify({ ...answer, observations: seen[0] })));
  if ('problem' in kept) throw new Error(kept.problem);
  const engine: Pick<Engine, 'assess'> = {
    assess: (target, observations) => assess(target, observations, MODELS, SETTINGS),
  };
  const [again] = await Array.fromAsync(replay({ place: 'file', answers: [kept.value], isList: false }, engine));
  expect(JSON.stringify(again)).toBe(JSON.stringify({ result: { ...answer, observations: seen[0] } }));

  // A private check is told nothing, nor is the operator's own, and nothing is learnt from either.
  await check({ ...request, visibility: 'private', client: 'a client' });
  await check({ ...request, visibility: 'public', client: null });
  expect(seen.slice(1).every((observations) => !Object.hasOwn(observations as object, 'campaign'))).toBe(true);
  expect(learnt).toHaveLength(1);
});
