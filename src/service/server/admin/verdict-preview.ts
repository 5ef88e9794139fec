import { type Static, Type } from '@sinclair/typebox';
import type { ListChanged } from '#src/admin/lists/list-change.ts';
import type { Comparison } from '#src/admin/models/comparison.ts';
import { DecisionSchema } from '#src/checks/record/check-result.ts';
import { stringEnum } from '#src/checks/record/string-enum.ts';
import { listEffect } from './list-effect.ts';
import { QuarantineSchema } from './list-shapes.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const ExampleSchema = Type.Object(
  {
    url: Type.String({ description: 'URL of the check, as the public log has it' }),
    host: Type.String({ description: 'Its host' }),
    before: DecisionSchema,
    after: DecisionSchema,
  },
  { $id: 'VerdictChange', description: 'A logged check that would have another decision' },
);

const VerdictPreviewSchema = Type.Object(
  {
    checked: count('Latest public checks that were scored again'),
    changed: count('Those whose decision would change'),
    newly_blocked: count('Those that would be blocked and were not'),
    newly_allowed: count('Those that would be allowed and were not'),
    popular_hits: count('New entries of changed lists at one of the 100,000 most popular sites'),
    popular: Type.Optional(
      Type.Array(
        Type.Object(
          { entry: Type.String({ description: 'The entry' }), site: Type.String({ description: 'The popular site' }) },
          {
            $id: 'PopularSiteEntry',
            description: 'An entry at a popular site, which is a mistake more often than others',
          },
        ),
        { description: 'The first of them, at most 10; missing if there are none' },
      ),
    ),
    examples: Type.Array(ExampleSchema, { description: 'The latest of those that would change, at most 20' }),
    invalid_lines: Type.Array(
      Type.Object(
        {
          line: Type.Integer({ minimum: 1, description: 'Number of the line' }),
          text: Type.String({ description: 'The line' }),
          reason: Type.String({ description: 'Why it is invalid' }),
        },
        { $id: 'InvalidLine', description: 'A line of a list that cannot be read' },
      ),
      { description: 'Invalid lines that would be skipped, at most 10; a pack with any is refused' },
    ),
    held_back: Type.Optional(
      Type.Array(
        Type.Object(
          {
            entry: Type.String({ description: 'The entry' }),
            line: Type.Integer({ minimum: 1, description: 'Number of its line' }),
            code: QuarantineSchema,
            reason: Type.String({ description: 'Why it would not be applied' }),
          },
          { $id: 'HeldBackEntry', description: 'An entry that would be stored and not applied' },
        ),
        { description: 'Entries of a list that would not be applied, at most 10; missing if there are none' },
      ),
    ),
    left_out: Type.Optional(
      Type.Array(
        Type.Object(
          {
            entry: Type.String({ description: 'The entry' }),
            line: Type.Integer({ minimum: 1, description: 'Number of its line' }),
            code: stringEnum(['expired', 'duplicate'] as const, { description: 'Why it would not be stored' }),
          },
          { $id: 'LeftOutEntry', description: 'An entry that would not be stored' },
        ),
        { description: 'Expired and duplicate entries, at most 10; missing if there are none' },
      ),
    ),
    omitted: Type.Optional(
      Type.Object(
        {
          held_back: count('Entries that would be stored and not applied'),
          invalid: count('Invalid lines, and lines that no list can represent'),
          expired: count('Expired entries'),
          duplicates: count('Duplicate entries'),
        },
        {
          $id: 'OmittedEntries',
          description: 'Numbers of all that would not be applied; missing without a new content',
        },
      ),
    ),
    removed: Type.Optional(
      Type.Object(
        {
          count: count('Entries that would be removed'),
          first: Type.Array(Type.String(), { description: 'The first of them, at most 10' }),
        },
        { $id: 'RemovedEntries', description: 'What would be removed from a list; missing if nothing would be' },
      ),
    ),
    entries: count('Entries of the changed lists'),
  },
  { $id: 'VerdictPreview', description: 'What a change would do to the verdicts on logged checks' },
);

/** The answer to a change with `preview=true`. */
export const PreviewedChangeSchema = Type.Object(
  { preview: VerdictPreviewSchema },
  { $id: 'PreviewedChange', description: 'The effect of a change that was not made' },
);

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
