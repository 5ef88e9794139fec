import { Type } from '@sinclair/typebox';

/** Maximum length of a saved page, in characters. */
const MAX_PAGE_LENGTH = 400_000;

export const NewBrandSchema = Type.Object(
  {
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 80, description: 'Name; by default the name of the first domain' }),
    ),
    domains: Type.Optional(
      Type.Array(Type.String({ maxLength: 253 }), { minItems: 1, maxItems: 100, description: 'Domains of the brand' }),
    ),
    domain: Type.Optional(Type.String({ maxLength: 253, description: 'Domain of the page in `html`' })),
    html: Type.Optional(
      Type.String({
        maxLength: MAX_PAGE_LENGTH,
        description: 'The sign-in page as a browser saved it, so that copies of it are recognized',
      }),
    ),
  },
  { $id: 'NewBrand', additionalProperties: false, description: 'A brand, by `domains`, or by `html` and `domain`' },
);
