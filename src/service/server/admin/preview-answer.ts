import { type Static, Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/bounded-schema.ts';
import { DecisionSchema } from '#src/checks/record/check-result.ts';
import { QUARANTINES } from '#src/network/lists/stored/guard.ts';

export const QuarantineSchema = stringEnum(QUARANTINES, {
  $id: 'Quarantine',
  description: 'Why an entry is not applied: what it would cover too much of',
});

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

/** The effect of a change on the verdicts of logged checks. */
export type ChangePreview = Static<typeof VerdictPreviewSchema>;
