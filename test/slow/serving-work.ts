import { createCheckService } from '#src/checks/check/check.ts';
import { cachedJson } from '#src/checks/record/cached-json.ts';
import { describeEvent } from '#src/checks/record/describe-event.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { jsonLine } from '#src/core/base/logger.ts';
import type { AnalyzedPage } from '#src/engine/analyzers/page.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { type Observations, skippedObservations } from '#src/network/probes/observations.ts';
import { startServer } from '#test/service/server/running-server.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';

/** What is observed without a network. */
export const NOTHING: Observations = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });

/** What other threads and machines have to say of a target. */
export interface Seen {
  readonly observations: Observations;
  /** The page among them, as another thread judged it. */
  readonly page: AnalyzedPage | null;
}

/**
 * The service without sockets and disks: what its thread does for a body that is posted. It reads it, judges its URL,
 * describes, masks and writes down what was found, and makes the answer.
 */
export function openServing() {
  let seen: Seen = { observations: NOTHING, page: null };
  const { check } = createCheckService({
    observe: async () => seen.observations,
    classify: async (target, observations) => ({
      observations,
      assessment: assess(target, observations, MODELS, SETTINGS, { landing: seen.page, passed: [] }),
    }),
    store: async (record) => {
      cachedJson(record.result);
      jsonLine(describeEvent(record));
    },
    clock: systemClock,
    logger: { debug() {} },
  });
  const server = startServer({ check });
  const headers = { 'Content-Type': 'application/json' };
  return {
    /** Resolves to the status of the answer. */
    async post(body: string, looked: Seen = { observations: NOTHING, page: null }): Promise<number> {
      seen = looked;
      const response = await server.handle('/api/check-url', { method: 'POST', headers, body });
      await response.bytes();
      return response.status;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** What {@link openServing} opens. */
export type Serving = ReturnType<typeof openServing>;
