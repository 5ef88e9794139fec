import { type Static, Type } from '@sinclair/typebox';

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const PackSchema = Type.Object(
  {
    name: Type.String({ description: 'Name of the pack' }),
    version: Type.Integer({ description: 'Its version, which increases' }),
    publisher: Type.String({ description: 'Name of the publisher who signed it' }),
    fingerprint: Type.String({ description: 'Fingerprint of the key that signed it' }),
    expires: nullableText('When it expires, ISO 8601 UTC; null if it cannot be read'),
    problem: nullableText('Why it cannot be used; null if it can'),
    in_force: Type.Boolean({ description: 'True if it is active' }),
    expired: Type.Boolean({ description: 'True if it has expired' }),
    revoked: Type.Boolean({ description: 'True if its key was revoked' }),
  },
  { $id: 'InstalledPack', description: 'An installed pack' },
);

const PublisherSchema = Type.Object(
  {
    name: Type.String({ description: 'Name of the publisher' }),
    fingerprint: Type.String({ description: 'Fingerprint of the key' }),
    since: Type.String({ format: 'date-time', description: 'When it was trusted' }),
    revoked: nullableText('When it was revoked, ISO 8601 UTC; null if it was not'),
    follows: nullableText('Fingerprint of the key that it replaced; null for none'),
  },
  { $id: 'PackPublisher', description: 'A key whose packs are accepted' },
);

export const PacksSchema = Type.Object(
  {
    active: Type.Array(PackSchema, { description: 'Active packs' }),
    available: Type.Array(PackSchema, { description: 'Packs that a rollback can activate' }),
    publishers: Type.Array(PublisherSchema, { description: 'Trusted and revoked keys' }),
    etag: Type.String({ description: 'Tag of the active packs, for `If-Match`' }),
  },
  { $id: 'Packs', description: 'The packs of this installation' },
);

/** The packs of an installation. */
export type ShownPacks = Static<typeof PacksSchema>;

/** An installed pack. */
export type PackRow = Static<typeof PackSchema>;
