import { type Static, Type } from '@sinclair/typebox';
import type { Comparison } from '#src/admin/models/comparison.ts';
import { DecisionSchema } from '#src/checks/record/check-result.ts';

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
    popular_hits: count('Entries of changed lists at one of the 10,000 most popular sites'),
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
            reason: Type.String({ description: 'Why it would not be applied' }),
          },
          { $id: 'HeldBackEntry', description: 'An entry that would be stored and not applied' },
        ),
        { description: 'Entries of a list that would not be applied, at most 10; missing if there are none' },
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
  /** Number of those at a popular site. */
  readonly popularHits: number;
  /** Invalid lines that would be skipped; none by default. */
  readonly invalidLines?: readonly { readonly line: number; readonly text: string; readonly reason: string }[];
  /** Entries that would not be applied; none by default. */
  readonly heldBack?: readonly { readonly entry: string; readonly line: number; readonly reason: string }[];
}

const MAX_EXAMPLES = 20;

/** Describes the effect of a change. */
export function previewOf({
  comparison,
  entries,
  popularHits,
  invalidLines = [],
  heldBack = [],
}: ScoredAgain): Static<typeof PreviewedChangeSchema> {
  const counts = [...comparison.changes].map(([change, checks]) => ({ after: change.split(' ').at(-1), checks }));
  const sum = (some: typeof counts) => some.reduce((total, { checks }) => total + checks, 0);
  return {
    preview: {
      checked: comparison.compared,
      changed: sum(counts),
      newly_blocked: sum(counts.filter(({ after }) => after === 'block')),
      newly_allowed: sum(counts.filter(({ after }) => after === 'allow')),
      popular_hits: popularHits,
      examples: comparison.changed.slice(0, MAX_EXAMPLES).map(({ check: { url }, now, other }) => ({
        ...{ url, host: URL.parse(url)?.hostname ?? '', before: now.decision, after: other.decision },
      })),
      invalid_lines: [...invalidLines],
      ...(heldBack.length > 0 && { held_back: [...heldBack] }),
      entries,
    },
  };
}
