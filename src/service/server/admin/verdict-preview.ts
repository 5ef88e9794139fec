import type { Static } from '@sinclair/typebox';
import type { ListChanged } from '#src/admin/lists/list-change.ts';
import type { Comparison } from '#src/admin/models/comparison.ts';
import type { PreviewedChangeSchema } from './answers/preview-answer.ts';
import { listEffect } from './list-effect.ts';

/** An example of it. */
export const PREVIEWED_CHANGE = {
  preview: {
    checked: 10_000,
    changed: 1,
    newly_blocked: 1,
    newly_allowed: 0,
    popular_hits: 0,
    examples: [
      { url: 'http://paypal.com.verify.example/', host: 'paypal.com.verify.example', before: 'warn', after: 'block' },
    ],
    invalid_lines: [],
    entries: 0,
  },
} satisfies Static<typeof PreviewedChangeSchema>;

/** Result of scoring logged checks again. */
export interface ScoredAgain {
  readonly comparison: Comparison;
  /** Number of entries of the changed lists. */
  readonly entries: number;
  /** New entries at popular sites; none by default. */
  readonly popular?: {
    readonly first: readonly { readonly entry: string; readonly site: string }[];
    readonly count: number;
  };
  /** The changed lists; none by default. */
  readonly changed?: readonly ListChanged[];
}

const MAX_EXAMPLES = 20;

/** Describes the effect of a change. */
export function previewOf({
  comparison,
  entries,
  popular = { first: [], count: 0 },
  changed = [],
}: ScoredAgain): Static<typeof PreviewedChangeSchema> {
  const counts = [...comparison.changes].map(([change, checks]) => ({ after: change.split(' ').at(-1), checks }));
  const sum = (some: typeof counts) => some.reduce((total, { checks }) => total + checks, 0);
  return {
    preview: {
      checked: comparison.compared,
      changed: sum(counts),
      newly_blocked: sum(counts.filter(({ after }) => after === 'block')),
      newly_allowed: sum(counts.filter(({ after }) => after === 'allow')),
      popular_hits: popular.count,
      ...(popular.count > 0 && { popular: popular.first.map(({ entry, site }) => ({ entry, site })) }),
      examples: comparison.changed.slice(0, MAX_EXAMPLES).map(({ check: { url }, now, other }) => ({
        ...{ url, host: URL.parse(url)?.hostname ?? '', before: now.decision, after: other.decision },
      })),
      ...listEffect(changed),
      entries,
    },
  };
}
