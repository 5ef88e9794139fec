import { type Static, Type } from '@sinclair/typebox';
import { CheckResultSchema } from '#src/checks/record/check-result.ts';
import { MessageItemSchema } from '#src/checks/record/message-record.ts';
import { nullable } from '#src/core/base/text/nullable.ts';

export const LoggedCheckSchema = Type.Object(
  {
    visibility: Type.Union([Type.Literal('public'), Type.Literal('private')], { description: 'Log of the check' }),
    client: nullable(
      Type.String(),
      'Keyed hash of the client, the same for all its checks; null in the public log, and for the command line',
    ),
    delivered: Type.Boolean({ description: 'False if the client disconnected before the answer' }),
    result: Type.Optional(CheckResultSchema),
    message: Type.Optional(MessageItemSchema),
    unreadable: nullable(Type.String(), 'Why the record cannot be read, and `result` is absent; else null'),
  },
  { $id: 'LoggedCheck', description: 'A check with its whole record' },
);

/** A check with its whole record. */
export type ShownLog = Static<typeof LoggedCheckSchema>;
