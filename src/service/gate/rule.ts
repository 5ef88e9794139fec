import type { Target } from '#src/core/url/target.ts';

/** Rules of the gate, by the names that `X-Lurecheck-Rule` has. `late`, `failed` and `override` come before the others. */
export type GateRule =
  | 'unreadable'
  | 'list-allows'
  | 'list-blocks'
  | 'inner'
  | 'deep'
  | 'spelling'
  | 'doubtful'
  | 'passed';

/** What is known of a link without a network. */
export interface LinkVerdict {
  readonly probability: number;
  readonly decision: 'allow' | 'warn' | 'block';
  /** Decision of the operator's lists; null if none covers the link, or none decides alone. */
  readonly listed: 'block' | 'allow' | null;
}

/** What the rule asks, each only when it is needed. */
export interface RuleFacts {
  readonly target: Target | null;
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

/** Returns the first rule that applies; see the manual, `lurecheck help drop-in`. */
export function ruleFor(facts: RuleFacts): GateRule {
  const { target, isNavigation, thresholds } = facts;
  if (target === null) return 'unreadable';
  const listed = facts.listed(target);
  if (listed !== null) return listed === 'allow' ? 'list-allows' : 'list-blocks';
  if (facts.isInside(target)) return 'inner';
  if (facts.isKnownBad(target)) return 'deep';
  // Pictures, scripts and calls of APIs are decided by lists and memory alone.
  if (!isNavigation) return 'passed';
  const { probability } = facts.verdict(target);
  if (probability >= thresholds.gate) return 'spelling';
  return probability >= thresholds.warn ? 'doubtful' : 'passed';
}
