import { type Static, Type } from '@sinclair/typebox';
import { DecisionSchema } from '#src/checks/record/check-result.ts';
import { MESSAGE_VERDICT } from '#src/checks/record/message-verdict.ts';

const MessageLinkSchema = Type.Object(
  {
    url: Type.String({ description: 'The link as the message has it' }),
    malicious_probability: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
      description: 'Probability that the link is malicious; null if it was not checked',
    }),
    decision: Type.Union([DecisionSchema, Type.Null()], {
      description: 'Verdict on the link alone; null if it was not checked',
    }),
    request_id: Type.Union([Type.String(), Type.Null()], {
      description: 'Identifier of its check in the log; null likewise',
    }),
  },
  { $id: 'MessageLink', description: 'A link of a message' },
);

/** The answer to a request to check a message. */
export const MessageAnswerSchema = Type.Object(
  {
    request_id: Type.String({ description: 'Identifier of the request (UUIDv7)' }),
    timestamp: Type.String({ format: 'date-time', description: 'Beginning of the check' }),
    ...MESSAGE_VERDICT,
    links: Type.Array(MessageLinkSchema, { description: 'The links that were checked, the most important first' }),
    link_count: Type.Integer({ minimum: 0, description: 'Number of links of the message' }),
    unchecked: Type.Integer({
      minimum: 0,
      description: 'Number of its links without a verdict: beyond the most important ones, or beyond the limit',
    }),
    unread: Type.Integer({ minimum: 0, description: 'Number of attachments, pictures and scripts that were not read' }),
    is_whole: Type.Boolean({
      description: '`false` if anything else was not read, so that links may be missing, or links exceeded a limit',
    }),
    caution: Type.Boolean({
      description:
        '`true` if the message is allowed, although it is not whole, or has no link and parts that were not read',
    }),
  },
  { $id: 'MessageAnswer', description: 'Verdict on a message, and on its links' },
);

export type MessageAnswer = Static<typeof MessageAnswerSchema>;
