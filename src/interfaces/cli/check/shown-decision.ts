import type { CheckResult } from '#src/checks/record/check-result.ts';
import { loadPageKnowledge, type PageKnowledge } from '#src/core/knowledge/index.ts';
import { hostOf } from '#src/core/url/host.ts';
import type { Decision } from '#src/engine/fusion/fuse.ts';
import type { Extras } from './check-one.ts';

/** Opened for the first words that contradict their link: most messages have none. */
let knowledge: PageKnowledge | null = null;

/**
 * Returns the decision to show for a link of a message: at least a warning if its words are a brand's own address, and it
 * leads elsewhere. The check itself knows no words.
 */
export function shownDecision({ decision, in_message }: CheckResult & Extras): Decision {
  const { says = null, goes_to = null } = in_message ?? {};
  return decision === 'allow' && says !== null && goes_to !== null && isOfBrand(says, goes_to) ? 'warn' : decision;
}

function isOfBrand(says: string, goesTo: string): boolean {
  knowledge ??= loadPageKnowledge();
  const { ownersOf } = knowledge.brands;
  const [brand] = ownersOf(hostOf(says));
  return brand !== undefined && !ownersOf(hostOf(goesTo)).includes(brand);
}
