import { type CheckParts, type CheckService, createCheckService } from '#src/checks/check/check.ts';
import type { Target } from '#src/core/url/target.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';
import { indexList } from '#src/network/lists/named-list.ts';
import { parseList } from '#src/network/lists/parse.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';

/** Reserved domain without hosts (RFC 6761 §6.2), so that no real link leads there. */
const DOMAIN = 'lurecheck.test';

/** URLs with a fixed verdict, of which nothing is stored: they test that the service works. */
export const CANARIES = [
  { url: `http://allow.${DOMAIN}/`, decision: 'allow' },
  { url: `http://block.${DOMAIN}/`, decision: 'block' },
] as const;

/** They are classified by the active models, as if an operator had listed them. */
function canaryLists(): LocalLists {
  const listOf = (name: 'block' | 'allow') => [
    { name: 'selftest', index: indexList(parseList(`${name}.${DOMAIN}`)), changedAtMs: null },
  ];
  return { block: listOf('block'), allow: listOf('allow'), stored: [] };
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
  const lists = canaryLists();
  return createCheckService({
    ...parts,
    observe: ({ target }) =>
      Promise.resolve(skippedObservations('not_applicable', observeLists(lists, target, parts.clock.now()))),
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
