import { type CheckParts, type CheckService, createCheckService } from '#src/checks/check/check.ts';
import type { Target } from '#src/core/url/target.ts';
import { type Observations, skippedObservations } from '#src/network/probes/observations.ts';

/** Reserved domain without hosts (RFC 6761 §6.2), so that no real link leads there. */
const DOMAIN = 'lurecheck.test';

/** URLs with a fixed verdict, of which nothing is stored: they test that the service works. */
export const CANARIES = [
  { url: `http://allow.${DOMAIN}/`, decision: 'allow' },
  { url: `http://block.${DOMAIN}/`, decision: 'block' },
] as const;

/** They are classified by the active models, as if an operator had listed them. */
function observeCanary(target: Target): Observations {
  const hit = { list: 'selftest', entry: target.host.text, line: 1 };
  const isBlocked = canaryDecision(target) === 'block';
  const value = { blocked: isBlocked ? hit : null, allowed: isBlocked ? null : hit };
  return skippedObservations('not_applicable', { state: 'observed', value, elapsedMs: 0 });
}

/**
 * Answers checks of canaries like all others, from the request to the result, but without probes, log records, counts
 * or events.
 */
export function withCanaries(
  service: CheckService,
  parts: Pick<CheckParts, 'classify' | 'clock' | 'logger'>,
): CheckService {
  let canaries: CheckService | null = null;
  return {
    check(request) {
      if (!isCanary(request.target)) return service.check(request);
      // Saved pages are not used.
      const { observe: _, ...alone } = request;
      canaries ??= createCanaryService(parts);
      return canaries.check(alone);
    },
  };
}

function createCanaryService(parts: Pick<CheckParts, 'classify' | 'clock' | 'logger'>): CheckService {
  return createCheckService({
    ...parts,
    observe: ({ target }) => Promise.resolve(observeCanary(target)),
    store: async () => {},
  });
}

const HOSTS: ReadonlySet<string> = new Set(CANARIES.map(({ url }) => new URL(url).hostname));

/** Returns the fixed decision on a target; null if it is not among {@link CANARIES}. */
export function canaryDecision({ host }: Target): 'allow' | 'block' | null {
  return CANARIES.find(({ url }) => new URL(url).hostname === host.text)?.decision ?? null;
}

/** Reports whether a target is one of {@link CANARIES}. */
export function isCanary({ host }: Target): boolean {
  return HOSTS.has(host.text);
}
