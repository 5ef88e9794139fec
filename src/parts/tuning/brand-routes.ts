import { type Static, Type } from '@sinclair/typebox';
import { readConfiguredBrandsFile } from '#src/admin/active/configured-brands-file.ts';
import type { PreviewView } from '#src/admin/active/scoring-context.ts';
import type { ActPlace } from '#src/admin/audit/act.ts';
import {
  ADD_BRAND,
  brandRow,
  findBrand,
  type NewBrandSchema,
  REMOVE_BRAND,
} from '#src/parts/tuning/brands/brand-acts.ts';
import type { WantedBrand } from '#src/parts/tuning/brands/change-brands.ts';
import { type ActParts, actRoute, etagOf, performed, viewRoute } from '#src/service/server/admin/act-route.ts';
import {
  BODY_REFUSALS,
  CHANGE_REFUSALS,
  PreviewQuerySchema,
  refusing,
} from '#src/service/server/admin/change-parts.ts';
import { BrandPreviewSchema, BrandSchema, BrandsSchema } from '#src/service/server/admin/operator-answers.ts';
import { answer } from '#src/service/server/http/answer.ts';
import { parseManyInJson } from '#src/service/server/http/json-body.ts';
import { badFields, ProblemError } from '#src/service/server/http/problem.ts';
import { routesWith } from '#src/service/server/http/routes-with.ts';

type BrandParts = ActParts<ActPlace & PreviewView>;

const BRAND = { name: 'Nordwerk', domains: ['nordwerk.example'], pages: 1, etag: '"m4yFQxq0H0bU2k3z1vXk5g"' };

const PREVIEW: Static<typeof BrandPreviewSchema> = {
  synthetic_attacks: {
    ...{ tried: 1, detected_before: 0, detected_after: 1, own_alarmed: 0 },
    examples: [
      {
        url: 'https://login-nordwerk.com/',
        trick: 'the name beside a word',
        malicious_probability: 0.97,
        decision: 'block',
        before: 'allow',
      },
    ],
  },
};

type ConfiguredBrand = ReturnType<typeof readConfiguredBrandsFile>[number];

const row = (brand: ConfiguredBrand) => ({ ...brandRow(brand), etag: etagOf(brand) });

async function wantedBrand({ name, domains = [], domain, html }: Static<typeof NewBrandSchema>): Promise<WantedBrand> {
  const all = domain === undefined ? domains : [domain, ...domains];
  const [first] = all;
  if (first === undefined) return refused('domains', 'is required, or domain in its place');
  const named = name ?? first.replace(/^www\./, '').split('.', 1)[0] ?? first;
  if (html === undefined) return { name: named, domains: all, pages: [] };
  const { readBrandPage } = await import('#src/parts/tuning/brands/change-brands.ts');
  const read = await readBrandPage(new TextEncoder().encode(html), first);
  if ('problem' in read) return refused('html', read.problem);
  const { page, missing } = read;
  if (missing.length === 0) return { name: named, domains: all, pages: [page] };
  return refused(
    'html',
    `has too little content to be recognized: missing ${missing.join(', ')}; send the complete page, or leave it out`,
  );
}

function refused(field: string, message: string): never {
  throw new ProblemError(badFields([{ field, code: 'invalid_body', message }]));
}

/** Returns the brand of a name; null without one. */
const brandIn = ({ acts }: BrandParts, name: string) =>
  findBrand(readConfiguredBrandsFile(acts.place.dataDir), name) ?? null;

function requireBrand(service: BrandParts, name: string): ConfiguredBrand {
  const brand = brandIn(service, name);
  if (brand === null) throw new ProblemError({ code: 'not_found', detail: `There is no configured brand "${name}".` });
  return brand;
}

function refuseTaken(service: BrandParts, name: string): void {
  if (brandIn(service, name) === null) return;
  const detail = `There is a configured brand "${name}" already. Remove it first, or choose another name.`;
  throw new ProblemError({ code: 'conflict', detail });
}

const EFFECT = { description: 'With `preview=true`: the effect; nothing was changed.', example: PREVIEW };

/** `/api/admin/brands`: list, add, remove. */
export const brandRoutes = routesWith<BrandParts>()
  .get(
    '/api/admin/brands',
    ({ service: { acts } }) => refusing(async () => ({ items: readConfiguredBrandsFile(acts.place.dataDir).map(row) })),
    viewRoute(['admin'], {
      id: 'listBrands',
      summary: 'List the configured brands',
      description: 'The brands that the operator configured, without those of packs. Scope: `admin`.',
      answers: {
        200: answer(BrandsSchema, { description: 'The brands.', example: { items: [BRAND] } }),
      },
      refuses: ['conflict'],
    }),
  )
  .post(
    '/api/admin/brands',
    async ({ body, query: { preview }, request, set, service }) => {
      const wanted = await refusing(() => wantedBrand(body));
      return await performed({ request, service, preview }, ADD_BRAND, {
        input: wanted,
        async current() {
          if (preview !== 'true') refuseTaken(service, wanted.name);
          return null;
        },
        effect: (effect) => effect,
        answer() {
          set.status = 201;
          return row(requireBrand(service, wanted.name));
        },
        field: 'domains',
      });
    },
    actRoute(ADD_BRAND, {
      id: 'addBrand',
      summary: 'Add a brand',
      description:
        'Imitations of its domains and copies of its page are detected from then on. `preview=true` shows the verdicts on ' +
        'synthetic attacks before and after, and changes nothing. 409 if there is a brand of this name. Scope: `admin`.',
      body: {
        description: 'JSON of at most 896 KiB.',
        example: { name: 'Nordwerk', domains: ['nordwerk.example'] },
      },
      parse: parseManyInJson,
      query: PreviewQuerySchema,
      answers: {
        200: answer(BrandPreviewSchema, EFFECT),
        201: answer(BrandSchema, { description: 'The brand.', example: BRAND }),
      },
      refuses: [...BODY_REFUSALS, 'conflict'],
    }),
  )
  .delete(
    '/api/admin/brands/:name',
    ({ params, query: { preview }, request, service }) => {
      const name = decoded(params.name);
      return performed({ request, service, preview }, REMOVE_BRAND, {
        input: name,
        current: async () => etagOf(requireBrand(service, name)),
        effect: (effect) => Response.json(effect),
        answer: () => new Response(null, { status: 204 }),
      });
    },
    actRoute(REMOVE_BRAND, {
      id: 'removeBrand',
      summary: 'Remove a brand',
      description:
        'Answers 204. Requires `If-Match` with the `etag` of the brand, but not with `preview=true`, which changes ' +
        'nothing. Add it again to take that back. Scope: `admin`.',
      params: Type.Object({ name: Type.String({ description: 'Name of the brand' }) }),
      query: PreviewQuerySchema,
      answers: { 200: answer(BrandPreviewSchema, EFFECT) },
      refuses: [...CHANGE_REFUSALS, 'not_found'],
    }),
  );

/** Decodes a name; an invalid encoding names nothing. */
function decoded(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    return '';
  }
}
