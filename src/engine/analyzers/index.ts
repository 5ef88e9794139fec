import { brandAnalyzer } from './brand.ts';
import { certificateAnalyzer } from './certificate.ts';
import { dnsAnalyzer } from './dns.ts';
import { listsAnalyzer } from './lists.ts';
import { pageAnalyzer } from './page.ts';
import { redirectsAnalyzer } from './redirects.ts';
import { registrationAnalyzer } from './registration.ts';
import { urlAnalyzer } from './url.ts';

/**
 * Every analyzer, in the order in which the API lists their scores. A new one is one file and one entry here: its
 * component, its score, its schema and its features follow, and the program then refuses to start without its weights.
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

/** A part of the engine that judges one kind of evidence and has a score of its own. */
export type Component = (typeof ANALYZERS)[number]['component'];

/** The components that judge, in the order of the registry. */
export const COMPONENTS: readonly Component[] = ANALYZERS.map(({ component }) => component);

/** The names of all features that the analyzers may emit, which the fusion model must weigh. */
export const FEATURE_NAMES: readonly string[] = ANALYZERS.flatMap(({ features }) => [...features]);

/** A value for each component, in the order of the registry. */
export function byComponent<T>(of: (component: Component) => T): Record<Component, T> {
  // Complete, because the type itself is made of the list.
  return Object.fromEntries(COMPONENTS.map((component) => [component, of(component)])) as Record<Component, T>;
}
