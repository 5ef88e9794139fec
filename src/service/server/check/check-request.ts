import { type Static, Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/bounded-schema.ts';
import { isTargetProblem, MAX_URL_LENGTH, parseTarget } from '#src/core/url/target.ts';
import { type FieldFault, flagField, textFault } from '../http/field-errors.ts';

const urlFault: FieldFault = (value) => {
  if (typeof value !== 'string') return textFault(value);
  const target = parseTarget(value);
  return isTargetProblem(target) ? target : null;
};

const WINDOWS = ['desktop', 'phone'] as const;

const windowFault: FieldFault = (value) =>
  WINDOWS.some((one) => one === value) ? null : { code: 'invalid_body', message: 'must be "desktop" or "phone"' };

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
      // No `default` in the schema: some generators would make the member required.
      flagField('`false` (default): logged in the public scan history. `true`: logged privately, never shown there'),
    ),
    visit: Type.Optional(
      flagField(
        '`true` (default): the URL is probed as the service is configured. `false`: nothing is looked up for this check, and the skipped components are `disabled`',
      ),
    ),
    screenshot: Type.Optional(
      stringEnum(WINDOWS, {
        description:
          'The browser of the service visits the page for a picture, even if it would be seen in full without one: in a window of 1280 by 800 pixels (`desktop`), or as a phone of 390 by 844 (`phone`). Without it, `browser_when` decides. If there is no picture, `render.status` says why',
        fault: windowFault,
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
