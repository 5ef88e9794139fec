import { isPositive, mapWith } from '#src/core/base/guard.ts';
import { readFacts } from '../fact-file.ts';
import file from './site-counts.json' with { type: 'json' };

const counts = readFacts('site-counts.json', file, mapWith(isPositive));
const { all = 0 } = counts;
if (all === 0) throw new Error('site-counts.json must state the number of all domains');

/** The share of all registered domains that are under a suffix, or sites under a platform, as published; null if unknown. */
export function publishedShare(suffix: string): number | null {
  const count = suffix === 'all' ? undefined : counts[suffix];
  return count === undefined ? null : count / all;
}
