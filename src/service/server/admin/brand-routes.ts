import { type Static, Type } from '@sinclair/typebox';
import type { DecisionSchema } from '#src/checks/record/check-result.ts';
import type { Actor } from '#src/core/base/actor.ts';
import { NewBrandSchema } from '#src/parts/tuning/brands/brand-inputs.ts';
import type { BrandPageReading, WantedBrand } from '#src/parts/tuning/brands/change-brands.ts';
import { answer } from '../http/answer.ts';
import { documented } from '../http/documented.ts';
import { noBody, parseManyInJson } from '../http/json-body.ts';
import { badFields, type Problem, ProblemError, refuse } from '../http/problem.ts';
import { readQuery } from '../http/query.ts';
import { refusals } from '../http/refusals.ts';
import { routesWith } from '../http/routes-with.ts';
import { BODY_REFUSALS, CHANGE_REFUSALS, CONSOLE_REFUSALS } from './admin-refusals.ts';
import { BrandPreviewSchema, BrandSchema, BrandsSchema } from './answers/brand-answer.ts';
import { type ChangeParts, PreviewQuerySchema, refusing } from './change-parts.ts';
import { etagOf, requireMatch } from './if-match.ts';
import { actorOf, admitScopes } from './requester.ts';

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

type Decision = Static<typeof DecisionSchema>;

interface TriedRow {
  readonly url: string;
  readonly trick: string;
  readonly malicious_probability: number;
  readonly decision: Decision;
}

/** Verdicts on attacks on a brand. */
export interface TriedBrand {
  readonly attacks: readonly TriedRow[];
  readonly own: readonly TriedRow[];
}

/** Verdicts before and after a change. */
export interface BrandEffect {
  readonly before: TriedBrand;
  readonly after: TriedBrand;
}

interface ListedBrand {
  readonly name: string;
  readonly domains: string[];
  readonly pages: number;
  /** Stored state, which determines the entity tag. */
  readonly stored: object;
}

/** Operations on configured brands. Their errors are those of `lurecheck brand`. */
export interface BrandOperations {
  list(): Promise<readonly ListedBrand[]>;
  /** Null if there is none of this name. */
  find(name: string): Promise<ListedBrand | null>;
  /** Reads a saved page; `missing` lists what it lacks to be recognised. */
  readPage(html: string, domain: string): Promise<BrandPageReading>;
  preview(brand: WantedBrand): Promise<BrandEffect>;
  /** Null if there is none of this name. */
  previewRemoval(name: string): Promise<BrandEffect | null>;
  add(by: Actor, brand: WantedBrand): Promise<void>;
  remove(by: Actor, name: string): Promise<void>;
}

export interface BrandRouteParts extends ChangeParts {
  readonly brands: BrandOperations;
}

const admitAdmin = admitScopes('admin');

const row = ({ stored, ...brand }: ListedBrand) => ({ ...brand, etag: etagOf(stored) });

const isAlarm = ({ decision }: TriedRow) => decision !== 'allow';

function effectOf({ before, after }: BrandEffect): Static<typeof BrandPreviewSchema> {
  const earlier = new Map([...before.attacks, ...before.own].map(({ url, decision }) => [url, decision]));
  return {
    synthetic_attacks: {
      tried: after.attacks.length,
      detected_before: before.attacks.filter(isAlarm).length,
      detected_after: after.attacks.filter(isAlarm).length,
      own_alarmed: after.own.filter(isAlarm).length,
      examples: [...after.attacks, ...after.own].map((attack) => ({
        ...attack,
        before: earlier.get(attack.url) ?? 'allow',
      })),
    },
  };
}

async function wantedBrand(
  { name, domains = [], domain, html }: Static<typeof NewBrandSchema>,
  { readPage }: Pick<BrandOperations, 'readPage'>,
): Promise<WantedBrand> {
  const all = domain === undefined ? domains : [domain, ...domains];
  const [first] = all;
  if (first === undefined) return refused('domains', 'is required, or domain in its place');
  const named = name ?? first.replace(/^www\./, '').split('.', 1)[0] ?? first;
  if (html === undefined) return { name: named, domains: all, pages: [] };
  const read = await readPage(html, first);
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

const notFound = (name: string): Problem => ({ code: 'not_found', detail: `There is no configured brand "${name}".` });

const exists = (name: string): Problem => ({
  code: 'conflict',
  detail: `There is a configured brand "${name}" already. Remove it first, or choose another name.`,
});

/** `/api/admin/brands`: list, add, remove. */
export const brandRoutes = routesWith<BrandRouteParts>()
  .get(
    '/api/admin/brands',
    ({ service: { brands } }) => refusing(async () => ({ items: (await brands.list()).map(row) })),
    {
      transform: admitAdmin,
      response: {
        200: answer(BrandsSchema, { description: 'The brands.', example: { items: [BRAND] } }),
        ...refusals(...CONSOLE_REFUSALS, 'conflict'),
      },
      detail: {
        operationId: 'listBrands',
        tags: ['Console'],
        summary: 'List the configured brands',
        description: 'The brands that the operator configured, without those of packs. Scope: `admin`.',
      },
    },
  )
  .post(
    '/api/admin/brands',
    ({ body, query: { preview }, request, set, service: { brands, inTurn } }) =>
      refusing(async () => {
        const wanted = await wantedBrand(body, brands);
        if (preview === 'true') return effectOf(await brands.preview(wanted));
        return await inTurn(async () => {
          refuse((await brands.find(wanted.name)) ? exists(wanted.name) : null);
          await brands.add(actorOf(request), wanted);
          const added = await brands.find(wanted.name);
          if (added === null) throw new ProblemError(notFound(wanted.name));
          set.status = 201;
          return row(added);
        });
      }, 'domains'),
    {
      parse: [admitAdmin, parseManyInJson],
      transform: readQuery,
      query: PreviewQuerySchema,
      body: documented(NewBrandSchema, {
        description: 'JSON of at most 896 KiB.',
        example: { name: 'Nordwerk', domains: ['nordwerk.example'] },
      }),
      response: {
        200: answer(BrandPreviewSchema, {
          description: 'With `preview=true`: the effect; nothing was changed.',
          example: PREVIEW,
        }),
        201: answer(BrandSchema, { description: 'The brand.', example: BRAND }),
        ...refusals(...BODY_REFUSALS, ...CONSOLE_REFUSALS, 'conflict'),
      },
      detail: {
        operationId: 'addBrand',
        tags: ['Console'],
        summary: 'Add a brand',
        description:
          'Imitations of its domains and copies of its page are detected from then on. `preview=true` shows the verdicts on ' +
          'synthetic attacks before and after, and changes nothing. 409 if there is a brand of this name. Scope: `admin`.',
      },
    },
  )
  .delete(
    '/api/admin/brands/:name',
    ({ params: { name: raw }, query: { preview }, request, service: { brands, inTurn } }) =>
      refusing(async () => {
        const name = decoded(raw);
        if (preview === 'true') {
          const effect = await brands.previewRemoval(name);
          if (effect === null) throw new ProblemError(notFound(name));
          return Response.json(effectOf(effect));
        }
        return await inTurn(async () => {
          const brand = await brands.find(name);
          if (brand === null) throw new ProblemError(notFound(name));
          requireMatch(request, etagOf(brand.stored));
          await brands.remove(actorOf(request), name);
          return new Response(null, { status: 204 });
        });
      }),
    {
      parse: [admitAdmin, noBody],
      transform: readQuery,
      query: PreviewQuerySchema,
      params: Type.Object({ name: Type.String({ description: 'Name of the brand' }) }),
      response: {
        200: answer(BrandPreviewSchema, {
          description: 'With `preview=true`: the effect; nothing was changed.',
          example: PREVIEW,
        }),
        ...refusals(...CHANGE_REFUSALS, 'not_found'),
      },
      detail: {
        operationId: 'removeBrand',
        tags: ['Console'],
        summary: 'Remove a brand',
        description:
          'Answers 204. Requires `If-Match` with the `etag` of the brand, but not with `preview=true`, which changes ' +
          'nothing. Add it again to take that back. Scope: `admin`.',
      },
    },
  );

/** Decodes a name; an invalid encoding names nothing. */
function decoded(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    return '';
  }
}
