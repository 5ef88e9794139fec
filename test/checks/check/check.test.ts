import { describe, expect, test } from 'bun:test';
import { type CheckParts, type CheckRequest, type CheckStage, createCheckService } from '#src/checks/check/check.ts';
import type { DescribedCheck } from '#src/checks/record/check-record.ts';
import { UnavailableError } from '#src/core/base/errors/operation-error.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { createHeldClock } from '#test/support/held-clock.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

const NOTHING_SEEN = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });

/** Creates a service in which observing takes two seconds, classifying a quarter and storing one. */
function openService(parts: Partial<CheckParts> = {}) {
  const clock = createHeldClock(7000);
  const stored: DescribedCheck[] = [];
  const take = (ms: number) => {
    clock.nowMs += ms;
  };
  const service = createCheckService({
    async observe(_, { onProbe }) {
      take(500);
      onProbe?.('dns');
      take(1500);
      return NOTHING_SEEN;
    },
    async classify(target, observations) {
      take(250);
      return { observations, assessment: assess(target, observations, MODELS, SETTINGS) };
    },
    async store(check) {
      take(1000);
      stored.push(check);
    },
    clock,
    logger: { debug() {} },
    ...parts,
  });
  return { service, stored };
}

function requestFor(url: string, more: Partial<CheckRequest> = {}): CheckRequest {
  return {
    target: targetOf(url),
    visibility: 'private',
    client: 'a client',
    requestId: '01900000-0000-7000-8000-000000000000',
    via: 'api',
    startedAtMs: Date.UTC(2026, 0, 31, 12),
    ...more,
  };
}

describe('a check', () => {
  test('is stored as it is answered, with its client and host', async () => {
    const { service, stored } = openService();
    const request = requestFor('https://example.com/a');
    const result = await service.check(request);
    expect(stored).toEqual([{ visibility: 'private', client: 'a client', host: request.target.host, result }]);
    expect(result).toMatchObject({
      url: 'https://example.com/a',
      request_id: request.requestId,
      timestamp: '2026-01-31T12:00:00.000Z',
    });
  });

  test('is answered only once it is on disk, and not at all if it cannot be stored', async () => {
    const disk = Promise.withResolvers<void>();
    const { service } = openService({ store: () => disk.promise });
    let isAnswered = false;
    const checked = service.check(requestFor('https://example.com/')).finally(() => {
      isAnswered = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    disk.reject(new UnavailableError('log_unavailable', 'The disk is full.', 1));
    expect(await checked.catch((error: unknown) => error)).toMatchObject({ code: 'log_unavailable' });
  });

  test('reports its duration in seconds by stage', async () => {
    const { service } = openService();
    const { analysis_details } = await service.check(requestFor('https://example.com/'));
    expect(analysis_details.analysis_time).toBe(2.25);
    expect(analysis_details.timings).toEqual({ observe: 2, assess: 0.25 });
  });

  test('reports each stage and probe as it happens, in seconds since the check began', async () => {
    const { service } = openService();
    const stages: CheckStage[] = [];
    await service.check(requestFor('https://example.com/', { onStage: (stage) => stages.push(stage) }));
    expect(stages.map(({ stage, state, elapsed_seconds }) => `${stage} ${state} ${elapsed_seconds}`)).toEqual([
      'observe started 0',
      'dns finished 0.5',
      'observe finished 2',
      'assess started 2',
      'assess finished 2.25',
      'log started 2.25',
      'log finished 3.25',
    ]);
  });

  test('uses supplied observations of a saved page, and passes them on', async () => {
    const observe = () => Promise.reject(new Error('looked at the network'));
    const { service } = openService({ observe });
    const seen: unknown[] = [];
    await service.check(
      requestFor('https://example.com/', {
        observe: async () => NOTHING_SEEN,
        onObserved: (observations) => seen.push(observations),
      }),
    );
    expect(seen).toEqual([NOTHING_SEEN]);
  });
});
