import type { PlatformName } from '#src/engine/lexical/reason.ts';
import { brandAnalyzer } from './brand.ts';
import { certificateAnalyzer } from './certificate.ts';
import { dnsAnalyzer } from './dns.ts';
import { listsAnalyzer } from './lists.ts';
import type { Place } from './page/brand-claim.ts';
import type { OwnSitePhrase } from './page/brand-signals.ts';
import type { BlockedTool } from './page/evasion-signals.ts';
import type { SecretName } from './page/signal.ts';
import { pageAnalyzer } from './page.ts';
import { redirectsAnalyzer } from './redirects.ts';
import type { UnderOneDay } from './registration.ts';
import { registrationAnalyzer } from './registration.ts';
import { urlAnalyzer } from './url.ts';

/**
 * Every analyzer, in the order in which the API lists their scores. A new one is one file and one entry here: its
 * component, score, schema and features follow, and the program refuses to start without its weights.
 */
export const ANALYZERS = [
  urlAnalyzer,
  brandAnalyzer,
  pageAnalyzer,
  redirectsAnalyzer,
  dnsAnalyzer,
  registrationAnalyzer,
  certificateAnalyzer,
  listsAnalyzer,
] as const;

/** Name of a part of the engine that classifies one kind of evidence and has its own score. */
export type Component = (typeof ANALYZERS)[number]['component'];

/** Names of the components, in the order of the registry. */
export const COMPONENTS: readonly Component[] = ANALYZERS.map(({ component }) => component);

/** Names of all features of the analyzers, which the fusion model must weigh. */
export const FEATURE_NAMES: readonly string[] = ANALYZERS.flatMap(({ features }) => [...features]);

/** Returns a value for each component, in the order of the registry. */
export function byComponent<T>(of: (component: Component) => T): Record<Component, T> {
  const values: Partial<Record<Component, T>> = {};
  for (const component of COMPONENTS) values[component] = of(component);
  // Complete, because the type is derived from the list.
  return values as Record<Component, T>;
}

/** English words of the analyzers in the `args` of reasons; all other words come from sites and names. */
export type ReasonWord = SecretName | Place | OwnSitePhrase | BlockedTool | UnderOneDay | PlatformName;
