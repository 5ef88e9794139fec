import { type Static, Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/bounded-schema.ts';
import { CoverageSchema, DecisionSchema, ShortReasonSchema } from '#src/checks/record/check-result.ts';
import { DecidedBySchema, ViaSchema } from '#src/checks/record/decided-by.ts';
import { FEEDBACK_STATES, FEEDBACK_VERDICTS } from '#src/checks/store/feedback/feedback-schema.ts';
import { nullable } from '#src/core/base/text/json-shape.ts';

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

const ModelSchema = Type.Object(
  {
    version: Type.String({ description: 'Version of the model' }),
    shipped: Type.Boolean({ description: 'True if it is built into the program' }),
    in_force: Type.Boolean({ description: 'True if it is selected' }),
    problem: Type.Union([Type.String(), Type.Null()], { description: 'Why it cannot be used; null if it can' }),
  },
  { $id: 'ListedModel', description: 'A model of this installation' },
);

export const ModelsSchema = Type.Object(
  {
    items: Type.Array(ModelSchema, { description: 'The built-in model, then the installed ones' }),
    etag: Type.String({ description: 'Tag of the selection, for `If-Match`' }),
  },
  { $id: 'Models', description: 'The models of this installation' },
);

/** The models, and the tag of the selection. */
export type ShownModels = Static<typeof ModelsSchema>;

/** A model. */
export type ModelRow = Static<typeof ModelSchema>;

const FeedbackCheckSchema = Type.Object(
  {
    request_id: Type.String({ description: 'Id of the check' }),
    url: Type.String({ description: 'Its URL, as the public log has it' }),
    decision: DecisionSchema,
    malicious_probability: Type.Number({ minimum: 0, maximum: 1, description: 'Its probability at the time' }),
    model_version: nullable(Type.String(), 'Model of the check'),
    timestamp: Type.String({ format: 'date-time', description: 'When the check began' }),
    coverage: Type.Union([CoverageSchema, Type.Null()], {
      description: 'As in the history; null if the log has the check no more',
    }),
    caution: Type.Union([Type.Boolean(), Type.Null()], { description: 'Likewise' }),
    via: ViaSchema,
    decided_by: DecidedBySchema,
    reasons: Type.Array(ShortReasonSchema, { maxItems: 3, description: 'The strongest reasons' }),
  },
  { $id: 'FeedbackCheck', description: 'The public check that a report is about' },
);

export const FeedbackItemSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Number of the report' }),
    etag: Type.String({ description: 'Value of `If-Match` for a change' }),
    state: stringEnum(FEEDBACK_STATES, { description: 'State of the report' }),
    url: Type.String({ description: 'The reported URL, secrets masked' }),
    verdict: stringEnum(FEEDBACK_VERDICTS, { description: 'What was reported' }),
    comment: nullable(Type.String(), 'Comment; null for none'),
    created_at: Type.String({ format: 'date-time', description: 'When it was received' }),
    entry: nullable(Type.String(), 'List entry that was made of it; null if none was'),
    check: Type.Union([FeedbackCheckSchema, Type.Null()], { description: 'The check; null for a bare URL' }),
    default_entry: nullable(Type.String(), 'Entry that accepting adds by default; null if none can cover the URL'),
    default_expires: nullable(Type.String({ format: 'date-time' }), 'When that entry expires by default'),
  },
  { $id: 'FeedbackItem', description: 'A report on a verdict' },
);

export const FeedbackPageSchema = Type.Object(
  {
    items: Type.Array(FeedbackItemSchema, { description: 'Reports, latest first' }),
    next_cursor: nullable(Type.String(), '`cursor` of the next page; null at the end'),
  },
  { $id: 'FeedbackPage', description: 'A page of reports' },
);

/** A report on a verdict. */
export type FeedbackItem = Static<typeof FeedbackItemSchema>;

/** A page of the queue. */
export type FeedbackPage = Static<typeof FeedbackPageSchema>;

export const BrandSchema = Type.Object(
  {
    name: Type.String({ description: 'Name of the brand' }),
    domains: Type.Array(Type.String(), { description: 'Its domains, each with its subdomains' }),
    pages: Type.Integer({ minimum: 0, description: 'Number of its known sign-in pages' }),
    etag: Type.String({ description: 'Tag of the brand, for `If-Match`' }),
  },
  { $id: 'ConfiguredBrand', description: 'A brand that the operator configured' },
);

export const BrandsSchema = Type.Object(
  { items: Type.Array(BrandSchema, { description: 'By name' }) },
  { $id: 'ConfiguredBrands', description: 'The configured brands; those of packs are not among them' },
);

const AttackSchema = Type.Object(
  {
    url: Type.String({ description: 'Synthetic URL' }),
    trick: Type.String({ description: 'What it imitates, and how' }),
    malicious_probability: Type.Number({ minimum: 0, maximum: 1, description: 'Probability by the URL alone' }),
    decision: DecisionSchema,
    before: DecisionSchema,
  },
  { $id: 'SyntheticAttack', description: 'A synthetic attack on the brand, or one of its own domains' },
);

export const BrandPreviewSchema = Type.Object(
  {
    synthetic_attacks: Type.Object(
      {
        tried: Type.Integer({ minimum: 0, description: 'Number of synthetic attacks' }),
        detected_before: Type.Integer({ minimum: 0, description: 'Of these, warned about or blocked as things are' }),
        detected_after: Type.Integer({ minimum: 0, description: 'Of these, warned about or blocked after the change' }),
        own_alarmed: Type.Integer({
          minimum: 0,
          description: 'Own domains that are warned about or blocked after the change',
        }),
        examples: Type.Array(AttackSchema, { description: 'Each attack, then a sign-in page on each own domain' }),
      },
      { $id: 'SyntheticAttacks', description: 'Verdicts on synthetic attacks before and after a change' },
    ),
  },
  { $id: 'BrandPreview', description: 'The effect of a change of a brand that was not made' },
);

/** A configured brand. */
export type BrandRow = Static<typeof BrandSchema>;

/** The effect of a change of a brand. */
export type ShownTrial = Static<typeof BrandPreviewSchema>;

/** A synthetic attack, and its verdicts. */
export type AttackRow = Static<typeof AttackSchema>;
