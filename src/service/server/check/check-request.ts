import { type Static, Type } from '@sinclair/typebox';
import { isTargetProblem, MAX_URL_LENGTH, parseTarget } from '#src/core/url/target.ts';
import type { FieldFault } from '../http/field-errors.ts';

const urlFault: FieldFault = (value) => {
  if (typeof value !== 'string') return { code: 'invalid_body', message: 'must be a string' };
  const target = parseTarget(value);
  return isTargetProblem(target) ? target : null;
};

const flagFault: FieldFault = (value) =>
  typeof value === 'boolean' ? null : { code: 'invalid_body', message: 'must be true or false' };

/** The body of a request to check a URL. Nothing is coerced: no misspelt wish for privacy is overlooked. */
export const CheckRequestSchema = Type.Object(
  {
    url: Type.String({
      maxLength: MAX_URL_LENGTH,
      description:
        'The URL to check: absolute, `http:` or `https:`, with a host, at most 8,192 characters (UTF-16 code units)',
      fault: urlFault,
    }),
    private_mode: Type.Optional(
      Type.Boolean({
        // No `default` in the schema: some generators would make the member required.
        description:
          '`false` (default): logged in the public scan history. `true`: logged privately, never shown there',
        fault: flagFault,
      }),
    ),
    visit: Type.Optional(
      Type.Boolean({
        description:
          '`true` (default): the URL is probed as the service is configured. `false`: nothing is looked up for this check, and the skipped components are `disabled`',
        fault: flagFault,
      }),
    ),
  },
  {
    $id: 'CheckRequest',
    additionalProperties: false,
    description: 'What to check. Unknown and duplicate members are refused',
  },
);

export type CheckRequestJson = Static<typeof CheckRequestSchema>;
