import type { Static } from '@sinclair/typebox';
import type { PreviewedVerdicts } from '#src/admin/lists/preview-change.ts';
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

const MAX_EXAMPLES = 20;

/** Describes the effect of a change. */
export function previewOf({
  comparison,
  entries,
  popular = { first: [], count: 0 },
  changed = [],
}: PreviewedVerdicts): Static<typeof PreviewedChangeSchema> {
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
