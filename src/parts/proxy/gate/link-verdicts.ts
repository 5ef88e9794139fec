import { type Clock, MINUTE_MS } from '#src/core/base/clock.ts';
import type { Target } from '#src/core/url/target.ts';
import type { Assessment } from '#src/engine/fusion/fuse.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';
import { isListHit, observeLists } from '#src/network/probes/lists.ts';
import { type Observations, skippedObservations } from '#src/network/probes/observations.ts';

/** Rules of the gate, by the names that `X-Lurecheck-Rule` has. `failed` and `override` come before the others. */
export type GateRule =
  | 'unreadable'
  | 'late'
  | 'list-allows'
  | 'list-blocks'
  | 'inner'
  | 'deep'
  | 'spelling'
  | 'doubtful'
  | 'passed';

/** Verdict on a link without network. */
export interface LinkVerdict {
  readonly probability: number;
  readonly decision: 'allow' | 'warn' | 'block';
  /** Decision of the operator's lists; null if none covers the link, or none decides alone. */
  readonly listed: 'block' | 'allow' | null;
}

/** Inputs of the rule, each computed when needed. */
interface RuleFacts {
  readonly target: Target | null;
  /** Host and path of a URL that cannot be classified, for the lists; null if none can be read. */
  readonly listTarget: Target | null;
  /** True if the service has no time for the model; lists and memory still decide. */
  readonly isBehind: boolean;
  readonly isNavigation: boolean;
  listed(target: Target): LinkVerdict['listed'];
  verdict(target: Target): LinkVerdict;
  isInside(target: Target): boolean;
  /** True if a deep lookup found that the place is to be blocked. */
  isKnownBad(target: Target): boolean;
  readonly thresholds: { readonly warn: number; readonly gate: number };
}

/** Rules by which a request is held. */
const HOLDING: ReadonlySet<GateRule> = new Set(['list-blocks', 'deep', 'spelling']);

/** Returns true if a rule holds a request. */
export const isHolding = (rule: GateRule): rule is 'list-blocks' | 'deep' | 'spelling' => HOLDING.has(rule);

/** Returns true if a list of the operator decides. */
export const isListRule = (rule: GateRule): boolean => rule === 'list-blocks' || rule === 'list-allows';

/** Rules by which a request passes unexamined. */
const UNEXAMINED = ['late', 'unreadable', 'failed'] as const;

/** Returns true if a rule lets a request pass, and nothing says that it is harmless. */
export const isUnexamined = (rule: string): rule is (typeof UNEXAMINED)[number] =>
  UNEXAMINED.some((one) => one === rule);

/** Returns the first rule that applies; see the manual, `lurecheck help drop-in`. */
export function ruleFor(facts: RuleFacts): GateRule {
  const { target, listTarget, isNavigation, thresholds } = facts;
  const named = target ?? listTarget;
  const listed = named && facts.listed(named);
  if (listed !== null) return listed === 'allow' ? 'list-allows' : 'list-blocks';
  if (target === null) return 'unreadable';
  if (facts.isInside(target)) return 'inner';
  if (facts.isKnownBad(target)) return 'deep';
  // Pictures, scripts and calls of APIs are decided by lists and memory alone.
  if (!isNavigation) return 'passed';
  if (facts.isBehind) return 'late';
  const { probability } = facts.verdict(target);
  if (probability >= thresholds.gate) return 'spelling';
  return probability >= thresholds.warn ? 'doubtful' : 'passed';
}

/** Classifies links without network. */
export interface LinkClassifier {
  readonly lists: LocalLists;
  assess(target: Target, observations: Observations): Assessment;
  /** Returns what the verdicts depend on; any other object after a change of the model, the lists or the thresholds. */
  context(): readonly unknown[];
}

/** Maximum number of remembered verdicts, and maximum length of their URLs, in UTF-16 code units. */
const MAX_REMEMBERED = 50_000;
const MAX_REMEMBERED_URL = 512;

const BLOCKED: ReadonlySet<string> = new Set(['lists.blocked', 'lists.kept_blocked']);
const ALLOWED: ReadonlySet<string> = new Set(['lists.allowed', 'lists.kept_allowed']);

/** Creates an empty memory of verdicts, which forgets them after a minute, and once what they depend on changes. */
export function createLinkVerdicts({ lists, assess, context }: LinkClassifier, clock: Clock) {
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
    listed(target: Target) {
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
