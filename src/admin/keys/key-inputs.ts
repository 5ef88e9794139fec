import { Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/string-enum.ts';
import { isText } from '#src/core/base/guard.ts';
import { member, timeOrNull } from '#src/core/base/text/checked-member.ts';
import { nullable } from '#src/core/base/text/nullable.ts';
import { isKeyName, SCOPES, type Scope } from './api-key.ts';

const MAX_LIMIT = 999_999_999;

const isScopes = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every((one) => SCOPES.some((scope) => scope === one));
const isLimit = (value: unknown) =>
  value === null || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_LIMIT);
const SETTINGS_OF_KEY = {
  scopes: member(
    Type.Array(stringEnum<Scope>(SCOPES), { minItems: 1, description: 'Scopes of the key; `admin` grants all' }),
    isScopes,
    `must be a list of ${SCOPES.join(', ')}`,
  ),
  limit: Type.Optional(
    member(
      nullable(
        Type.Integer({ minimum: 0, maximum: MAX_LIMIT }),
        'Checks in any 60 seconds, 0 for no limit; null for the default limit',
      ),
      isLimit,
      `must be a whole number from 0 to ${MAX_LIMIT}, or null`,
    ),
  ),
  expires_at: Type.Optional(timeOrNull('When the key expires; null if it does not')),
};

export const NewKeySchema = Type.Object(
  {
    name: member(
      Type.String({ description: 'Name of the key' }),
      (value) => isText(value) && isKeyName(value),
      'must be at most 64 letters, digits, dots, hyphens and underscores, beginning with a letter or digit',
    ),
    ...SETTINGS_OF_KEY,
  },
  { $id: 'NewKey', additionalProperties: false, description: 'A key to create' },
);

export const KeyChangeSchema = Type.Object(
  { ...SETTINGS_OF_KEY, scopes: Type.Optional(SETTINGS_OF_KEY.scopes) },
  { $id: 'KeyChange', additionalProperties: false, description: 'Members of a key to change' },
);
