import { Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/bounded-schema.ts';

/** Schema of a condition. */
export const ConditionSchema = Type.Object(
  {
    code: Type.String({ description: 'Stable name, such as `backup_old`' }),
    severity: stringEnum(['warning', 'error'], {
      description:
        '`error`: checks are refused, or something is not applied; `warning`: it works with less, or will fail',
    }),
    since: Type.String({ format: 'date-time', description: 'When it began, or was first noticed, ISO 8601 UTC' }),
    args: Type.Unsafe<Readonly<Record<string, string | number>>>(
      Type.Object(
        {},
        {
          $id: 'ConditionArgs',
          description: 'Values of its sentence, for one in another language; empty for the public',
          additionalProperties: Type.Union([Type.String(), Type.Number()]),
          examples: [{ days: 3 }],
        },
      ),
    ),
    message: Type.String({ description: 'The condition in English' }),
    remedy: Type.Union([Type.String(), Type.Null()], { description: 'What to do; null if the message says it' }),
  },
  { $id: 'Condition', description: 'A state of the service that needs the operator' },
);
