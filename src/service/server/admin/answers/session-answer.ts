import { type Static, Type } from '@sinclair/typebox';

export const SessionSchema = Type.Object(
  {
    key: Type.Union([Type.String(), Type.Null()], { description: 'Name of the key; null for a user without one' }),
    user: Type.Union([Type.String(), Type.Null()], {
      description: 'User whom the proxy of a single sign-on names; null without one',
    }),
    scopes: Type.Array(Type.String(), { description: 'Scopes of the key, or of the user without one' }),
    expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the session ends at the latest; of a key that was sent itself, when that expires',
    }),
    idle_seconds: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Seconds without a request after which the session ends; null for a key',
    }),
  },
  { $id: 'Session', description: 'The key or user that a request is signed in with' },
);

/** The key or user of a session. */
export type SessionState = Static<typeof SessionSchema>;
