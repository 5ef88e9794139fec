import { type Engine, STORE_NONE } from '#src/app/engine.ts';
import type { CheckService } from '#src/checks/check/check.ts';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import type { Target } from '#src/core/url/target.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { type Observations, skippedObservations } from '#src/network/probes/observations.ts';
import type { DeepFinding, GateAnswer, HeldRequest } from '#src/parts/proxy/gate/gate.ts';

/** Returns everything that decides on links now; each change replaces a member. */
export function gateContext(engine: Pick<Engine, 'scoringContext'>): readonly unknown[] {
  const { models, settings, lists } = engine.scoringContext();
  return [models, settings, lists.block, lists.allow, lists.stored];
}

/** Domains of configured brands, collected again after a change only. */
export function domainsOfBrands(engine: Pick<Engine, 'scoringContext'>): () => ReadonlySet<string> {
  let of: unknown = null;
  let domains: ReadonlySet<string> = new Set();
  return () => {
    const { configuredBrands } = engine.scoringContext().models;
    if (of !== configuredBrands) {
      of = configuredBrands;
      domains = new Set(configuredBrands.flatMap((brand) => brand.domains));
    }
    return domains;
  };
}

/** Checks a host by DNS, registration and certificate, as a private check that is stored nowhere. */
export function hostProber(
  engine: Pick<Engine, 'checkWith'>,
): (target: Target, client: string | null) => Promise<DeepFinding> {
  const service = engine.checkWith(STORE_NONE);
  return async (target, client) => {
    let observations: Observations | null = null;
    const nowMs = systemClock.now();
    const { decision, malicious_probability: probability } = await service.check({
      ...{ target, client: client ?? '', visibility: 'private', visit: 'host', via: 'gate' },
      ...{ requestId: createRequestId(nowMs), startedAtMs: nowMs },
      onObserved: (seen) => {
        observations = seen;
      },
    });
    if (observations === null) throw new Error('a check ended without observations');
    return { decision, probability, observations };
  };
}

/** Returns the reasons for phishing of a held request, by its spelling. */
export function reasonsOf(
  engine: Pick<Engine, 'assess' | 'lists'>,
): (answer: Pick<GateAnswer, 'target'>) => readonly string[] {
  return ({ target }) => {
    if (target === null) return [];
    const seen = skippedObservations('disabled', observeLists(engine.lists, target, systemClock.now()));
    const { contributions } = engine.assess(target, seen).verdict;
    return [...new Set(contributions.filter(({ weight }) => weight > 0).map(({ code }) => code))];
  };
}

/**
 * Returns a function that records a held request in the private log, as a private check without a visit, and logs an event
 * without URL, host and client.
 */
export function heldRecorder(
  engine: Pick<Engine, 'checkWith'>,
  log: Pick<ScanLog, 'append'>,
  logger: Pick<Logger, 'info'>,
): (held: HeldRequest & { readonly queueId?: string }) => Promise<void> {
  const service: CheckService = engine.checkWith((record: CheckRecord) => log.append(record));
  return async ({ target, requestId, client, user, way, rule, isHeld, observations, queueId }) => {
    await service.check({
      target,
      visibility: 'private',
      via: way === 'milter' ? 'mail' : 'gate',
      visit: false,
      client,
      requestId,
      startedAtMs: systemClock.now(),
      gate: { way, rule, held: isHeld, ...(user !== null && { user }), ...(queueId && { queue_id: queueId }) },
      ...(observations && { observe: () => Promise.resolve(observations) }),
    });
    logger.info('gate.held', { request_id: requestId, way, rule, held: isHeld });
  };
}
