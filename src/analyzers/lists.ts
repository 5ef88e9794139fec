import type { ListHit, ListHits } from '#src/probes/list-hits.ts';
import type { Observation } from '#src/probes/probe.ts';
import type { Analyzer, Feature } from './analyzer.ts';

type ListFeatureName = 'lists.blocked' | 'lists.allowed';

/** What the lists analyzer looks at. */
export interface ListsSubject {
  readonly observations: { readonly lists: Observation<ListHits> };
}

/** Says which of the operator's lists a target is on. On both, both are said, and the weights decide. */
export const listsAnalyzer: Analyzer<'lists', ListsSubject, ListFeatureName> = {
  component: 'lists',
  features: ['lists.blocked', 'lists.allowed'],
  analyze({ observations: { lists } }) {
    if (lists.state !== 'observed') return null;
    const { blocked, allowed } = lists.value;
    const features: Feature<ListFeatureName>[] = [];
    if (blocked) features.push({ name: 'lists.blocked', value: 1, message: sentence(blocked, 'block') });
    if (allowed) features.push({ name: 'lists.allowed', value: 1, message: sentence(allowed, 'allow') });
    return { features, terms: [] };
  },
};

function sentence({ list, entry, line }: ListHit, kind: 'block' | 'allow'): string {
  return `The URL is on the ${kind} list ${list}: line ${line}, ${entry}`;
}
