import { type Static, Type } from '@sinclair/typebox';
import { DecisionSchema } from '#src/checks/record/check-result.ts';

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
