import type { Clock } from '#src/core/base/clock.ts';
import { MINUTE_MS } from '#src/core/base/clock.ts';
import type { Target } from '#src/core/url/target.ts';
import type { Assessment } from '#src/engine/fusion/fuse.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';
import { isListHit, observeLists } from '#src/network/probes/lists.ts';
import { type Observations, skippedObservations } from '#src/network/probes/observations.ts';
import type { LinkVerdict } from './rule.ts';

/** Classifies links without network. */
export interface LinkClassifier {
  readonly lists: LocalLists;
  assess(target: Target, observations: Observations): Assessment;
  /** Returns what the verdicts depend on; any other object after a change of the model, the lists or the thresholds. */
  context(): readonly unknown[];
}

/** Verdicts on links, remembered for at most a minute and until what they depend on changes. */
export interface LinkVerdicts {
  verdict(target: Target): LinkVerdict;
  listed(target: Target): LinkVerdict['listed'];
}

/** Maximum number of remembered verdicts, and maximum length of their URLs, in UTF-16 code units. */
const MAX_REMEMBERED = 50_000;
const MAX_REMEMBERED_URL = 512;

const BLOCKED: ReadonlySet<string> = new Set(['lists.blocked', 'lists.kept_blocked']);
const ALLOWED: ReadonlySet<string> = new Set(['lists.allowed', 'lists.kept_allowed']);

/** Creates an empty memory of verdicts. */
export function createLinkVerdicts({ lists, assess, context }: LinkClassifier, clock: Clock): LinkVerdicts {
  let verdicts = new Map<string, LinkVerdict>();
  let before = context();
  let emptiedMs = clock.monotonicMs();

  /** Forgets what may have changed; entries of lists expire by themselves. */
  function refresh(): void {
    const now = context();
    const hasChanged = now.some((one, at) => one !== before[at]);
    if (!hasChanged && clock.monotonicMs() - emptiedMs < MINUTE_MS) return;
    verdicts = new Map();
    emptiedMs = clock.monotonicMs();
    before = now;
  }

  function classify(target: Target): LinkVerdict {
    const observed = observeLists(lists, target, clock.now());
    return verdictOf(assess(target, skippedObservations('disabled', observed)));
  }

  function verdict(target: Target): LinkVerdict {
    refresh();
    const known = verdicts.get(target.url);
    if (known !== undefined) return known;
    const found = classify(target);
    if (target.url.length > MAX_REMEMBERED_URL) return found;
    const oldest = verdicts.size >= MAX_REMEMBERED ? verdicts.keys().next() : null;
    if (oldest && !oldest.done) verdicts.delete(oldest.value);
    verdicts.set(target.url, found);
    return found;
  }

  return {
    verdict,
    listed(target) {
      refresh();
      const observed = observeLists(lists, target, clock.now());
      // What no list covers need not be classified to know that.
      return observed.state === 'observed' && isListHit(observed.value) ? verdict(target).listed : null;
    },
  };
}

/** Returns what an assessment says of a link, and if a list decided it. */
export function verdictOf({ verdict: { probability, contributions }, decision }: Assessment): LinkVerdict {
  const has = (codes: ReadonlySet<string>) => contributions.some(({ code }) => codes.has(code));
  const isBlocked = decision === 'block' && has(BLOCKED);
  const isAllowed = decision === 'allow' && has(ALLOWED);
  return { probability, decision, listed: isBlocked ? 'block' : isAllowed ? 'allow' : null };
}
