import type { Target } from '#src/core/url/target.ts';

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
export interface RuleFacts {
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
