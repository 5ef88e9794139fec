import { type Static, Type } from '@sinclair/typebox';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { stringEnum } from './bounded-schema.ts';
import { VIAS } from './decided-by.ts';
import type { HistoryItem } from './history-page.ts';
import { BlockedSchema, DecisionCountsSchema } from './stats.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const VisibilitySchema = stringEnum(VISIBILITIES, { $id: 'Visibility', description: 'A log' });

const PassedSchema = Type.Union(
  [
    Type.Object(
      {
        requests: count('Requests or mails'),
        unexamined: count('Those that passed unexamined: nothing says that they are harmless'),
      },
      { $id: 'Passed', description: 'What a protection let pass or held' },
    ),
    Type.Null(),
  ],
  { description: 'Null if the service has none' },
);

/** Schema of {@link Activity}. */
export const ActivitySchema = Type.Object(
  {
    logs: Type.Array(VisibilitySchema, { description: 'The counted logs: those that the key may read, and the node' }),
    hours: Type.Array(DecisionCountsSchema, {
      description:
        'Checks of the last 24 hours, the oldest first, whichever way they came; the last hour is the current one',
    }),
    blocked_sites: Type.Array(BlockedSchema, {
      description: 'Sites of the latest blocked checks, the most frequent first',
    }),
    blocked_counted: count('Number of these checks: at most 500 of each log'),
    node: Type.Object(
      {
        since: Type.String({ format: 'date-time', description: 'Start of the counts: of the node, or 24 hours ago' }),
        sources: Type.Array(
          Type.Object(
            {
              via: stringEnum(VIAS, { description: 'How the requests came' }),
              checks: count('Checks that were logged'),
            },
            { $id: 'SourceCount', description: 'Checks that came in one way' },
          ),
          { description: 'Checks by the way in which they came, in the counted logs' },
        ),
        gate: PassedSchema,
        mail: PassedSchema,
      },
      { $id: 'NodeActivity', description: 'What this node counts in memory, in whole hours' },
    ),
  },
  { $id: 'Activity', description: 'What passed within the last 24 hours' },
);

/** Events of the last 24 hours. */
export type Activity = Static<typeof ActivitySchema>;

/** The verdict on a mail in the live view, without anything of the mail. */
export interface LiveMail extends Pick<HistoryItem, 'request_id' | 'timestamp' | 'decision' | 'malicious_probability'> {
  /** Log of the checks of its links. */
  readonly visibility: Visibility;
  readonly caution: boolean;
  /** Codes of the strongest reasons that speak for the verdict. */
  readonly reasons: readonly string[];
  readonly link_count: number;
}

/** A check in the live view. */
export interface LiveCheck extends HistoryItem {
  readonly visibility: Visibility;
}
