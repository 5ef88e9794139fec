import { Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/string-enum.ts';
import type { FeedbackState } from '#src/checks/store/feedback/feedback-queue.ts';
import { FEEDBACK_STATES } from '#src/checks/store/feedback/feedback-schema.ts';
import { member, textMember, timeOrNull } from '#src/core/base/text/checked-member.ts';

/** Input of the acts on feedback. */
export const FeedbackChangeSchema = Type.Object(
  {
    state: member(
      stringEnum<FeedbackState>(FEEDBACK_STATES, {
        description: '`accepted` adds an entry, `rejected` does not, `waiting` takes either back',
      }),
      (value) => FEEDBACK_STATES.some((one) => one === value),
      'must be waiting, accepted or rejected',
    ),
    entry: Type.Optional(textMember('Entry to add; by default the reported URL and what is below it')),
    expires: Type.Optional(timeOrNull('When the entry expires; in 90 days by default, null for never')),
  },
  { $id: 'FeedbackChange', additionalProperties: false, description: 'What becomes of a report' },
);
