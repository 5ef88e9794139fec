import { type Static, Type } from '@sinclair/typebox';
import { nullable } from '#src/core/base/text/nullable.ts';

const KEY = {
  name: Type.String({ description: 'Name of the key' }),
  scopes: Type.Array(Type.String(), { description: 'Scopes of the key' }),
  limit: nullable(Type.Integer(), 'Checks in any 60 seconds, 0 for no limit; null for the default limit'),
  created_at: Type.String({ format: 'date-time', description: 'When it was created' }),
  expires_at: nullable(Type.String({ format: 'date-time' }), 'When it expires; null if it does not'),
  expired: Type.Boolean({ description: 'True if it has expired' }),
  last_used_at: nullable(
    Type.String({ format: 'date-time' }),
    'When it was last used; null if not since the service started',
  ),
  etag: Type.String({ description: 'Value of `If-Match` for a change' }),
};

export const KeySchema = Type.Object(KEY, { $id: 'Key', description: 'A key without its secret' });

export const KeysSchema = Type.Object(
  { items: Type.Array(KeySchema, { description: 'Keys, by name' }) },
  { $id: 'Keys', description: 'The keys of the installation' },
);

export const CreatedKeySchema = Type.Object(
  { ...KEY, secret: Type.String({ description: 'The key itself, which is never shown again' }) },
  { $id: 'CreatedKey', description: 'A key that was just created' },
);

/** A key without its secret. */
export type KeyRow = Static<typeof KeySchema>;

/** A key that was just created. */
export type CreatedKey = Static<typeof CreatedKeySchema>;
