import { type Static, Type } from '@sinclair/typebox';
import { RetentionSchema } from './stats.ts';
import { stringEnum } from './string-enum.ts';

/** What a check may use. */
export const NETWORKS = ['full', 'dns', 'none'] as const;

const ModelSchema = Type.Object(
  {
    version: Type.String({ description: 'As `model_version` of an answer' }),
    date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'Day on which it was last changed' }),
  },
  { $id: 'Model', description: 'What judges' },
);

const ListSchema = Type.Object(
  {
    name: Type.String({ description: 'As reasons name it' }),
    action: stringEnum(['block', 'allow'], { $id: 'ListAction', description: 'What it says of what is on it' }),
    entries: Type.Integer({ minimum: 0, description: 'Hosts, URLs and blocks on it that are applied' }),
    changed_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When it was last changed, ISO 8601 UTC; null for what is no file, such as a pipe',
    }),
  },
  { $id: 'LocalList', description: 'A list of the operator that is in force' },
);

/** How a pack stands that is in force. */
export const PACK_STATES = ['in_force', 'expired', 'revoked', 'unusable'] as const;

const PackSchema = Type.Object(
  {
    name: Type.String({ description: 'What its publisher calls it' }),
    version: Type.Integer({ minimum: 1, description: 'Counts up' }),
    publisher: Type.String({ description: 'Whose key signed it, as the operator calls them' }),
    expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When it is out of date, ISO 8601 UTC; null for one that cannot be read',
    }),
    state: stringEnum(PACK_STATES, {
      $id: 'PackState',
      description:
        '`in_force`; `expired` or `revoked`: out of date, or its key is trusted no longer, and what it says goes on; `unusable`: it cannot be read, and says nothing',
    }),
  },
  { $id: 'Pack', description: 'A signed file of what the service knows' },
);

/** What a service is, for whoever uses it. */
export const AboutSchema = Type.Object(
  {
    version: Type.String({ description: 'Version of the program' }),
    model: ModelSchema,
    network: stringEnum(NETWORKS, {
      $id: 'Network',
      description: 'What a check may use: everything that the egress policy allows, DNS alone, or nothing',
    }),
    checks_per_minute: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'Checks that who asks may start in any 60 seconds; null for no limit',
    }),
    contact: Type.Union([Type.String(), Type.Null()], {
      description: 'Whom to ask for more, or for help; null where the operator names nobody',
    }),
    lists: Type.Array(ListSchema, { description: "The operator's own lists" }),
    packs: Type.Array(PackSchema, {
      description: 'Signed packs in force: models, thresholds and brands that were carried here',
    }),
    retention: RetentionSchema,
    license: Type.String({ description: 'SPDX identifier of the licence of the program' }),
    result_key: Type.String({
      description: 'Public key (Ed25519, base64url) by which links to its results are verified',
    }),
  },
  { $id: 'About', description: 'What the service is' },
);

export type About = Static<typeof AboutSchema>;

/** The part of it that is the same for whoever asks. */
export type AboutService = Omit<About, 'checks_per_minute' | 'contact'>;
