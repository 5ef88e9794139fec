import { type Static, Type } from '@sinclair/typebox';
import { stringEnum } from './bounded-schema.ts';
import { RetentionSchema } from './stats.ts';

/** Networks that a check may use. */
export const NETWORKS = ['full', 'dns', 'none'] as const;

const ModelSchema = Type.Object(
  {
    version: Type.String({ description: 'As `model_version` of an answer' }),
    date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'Day on which it was last changed' }),
  },
  { $id: 'Model', description: 'The active model' },
);

const FactsSchema = Type.Object(
  {
    table: Type.String({ description: 'Name of the file' }),
    retrieved: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'Day on which it was retrieved' }),
  },
  { $id: 'Facts', description: 'The oldest table of facts in use' },
);

const ListSchema = Type.Object(
  {
    name: Type.String({ description: 'Name, as in reasons' }),
    action: stringEnum(['block', 'allow'], { $id: 'ListAction', description: 'Effect of its entries' }),
    entries: Type.Integer({ minimum: 0, description: 'Number of applied hosts, URLs and address blocks' }),
    changed_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'Last change, ISO 8601 UTC; null if the source is not a file, such as a pipe',
    }),
  },
  { $id: 'LocalList', description: 'An active list of the operator' },
);

/** States of an active pack. */
export const PACK_STATES = ['in_force', 'expired', 'revoked', 'unusable'] as const;

const PackSchema = Type.Object(
  {
    name: Type.String({ description: 'Name given by its publisher' }),
    version: Type.Integer({ minimum: 1, description: 'Version, which increases' }),
    publisher: Type.String({ description: "Operator's name for the publisher whose key signed it" }),
    expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'Expiry, ISO 8601 UTC; null if it cannot be read',
    }),
    state: stringEnum(PACK_STATES, {
      $id: 'PackState',
      description:
        '`in_force`: active; `expired` or `revoked`: out of date, or its key is no longer trusted, but still applied; `unusable`: unreadable and not applied',
    }),
  },
  { $id: 'Pack', description: 'A signed update pack' },
);

/** Description of a service for its users. */
export const AboutSchema = Type.Object(
  {
    version: Type.String({ description: 'Version of the program' }),
    model: ModelSchema,
    oldest_facts: FactsSchema,
    network: stringEnum(NETWORKS, {
      $id: 'Network',
      description: 'What a check may use: everything that the egress policy allows, DNS alone, or nothing',
    }),
    checks_per_minute: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'Checks that the client may start in any 60 seconds; null for no limit',
    }),
    contact: Type.Union([Type.String(), Type.Null()], {
      description: 'Contact for higher limits or help; null if the operator names none',
    }),
    lists: Type.Array(ListSchema, { description: "The operator's own lists" }),
    packs: Type.Array(PackSchema, {
      description: 'Active signed packs: models, thresholds, brands and tables of facts',
    }),
    retention: RetentionSchema,
    needs_first_key: Type.Boolean({
      description: 'True if no API key exists yet; reported to clients on the host of the service only',
    }),
    license: Type.String({ description: 'SPDX identifier of the licence of the program' }),
    result_key: Type.String({
      description: 'Public key (Ed25519, base64url) that verifies links to its results',
    }),
  },
  { $id: 'About', description: 'Description of the service' },
);

export type About = Static<typeof AboutSchema>;

/** The part of it that does not depend on the client. */
export type AboutService = Omit<About, 'checks_per_minute' | 'contact' | 'needs_first_key'>;
