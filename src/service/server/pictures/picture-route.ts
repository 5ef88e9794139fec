import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import type { CheckService } from '#src/checks/check/check.ts';
import type { PictureStore } from '#src/checks/store/pictures/picture-store.ts';
import { type Clock, DAY_MS } from '#src/core/base/clock.ts';
import { shownBySession } from '../admin/requester.ts';
import { type HistoryRouteParts, openTo } from '../history/history-routes.ts';
import { answer } from '../http/answer.ts';
import { readQuery } from '../http/known-parameters.ts';
import { ProblemError } from '../http/problem.ts';
import { refusals } from '../http/refusals.ts';
import { ownHost } from '../http/request-site.ts';
import { routesWith, type WithService } from '../http/routes-with.ts';
import { NOT_FOUND } from '../http/unrouted.ts';
import { hasBearer } from '../keys/bearer.ts';
import type { CountedContext } from '../limiter/counted.ts';

/** Dependencies of the route of pictures. */
export interface PictureRouteParts extends HistoryRouteParts {
  readonly pictures: Pick<PictureStore, 'find' | 'has'>;
  readonly pictureLinks: PictureLinks;
}

const QuerySchema = Type.Object({
  until: Type.Optional(Type.String({ description: 'End of a signed link, in seconds since the Unix epoch' })),
  signature: Type.Optional(Type.String({ description: 'Signature of the link' })),
});

/** Headers that keep a picture from being active content, even if a browser is made to show it as a page. */
const PICTURE_HEADERS = {
  'content-type': 'image/webp',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'content-disposition': 'inline; filename="untrusted-page.webp"',
};

interface Asked extends Omit<CountedContext, 'service'>, WithService<PictureRouteParts> {
  readonly params: { readonly request_id: string };
  readonly query: { readonly until?: string; readonly signature?: string };
}

/** Admits a signed link, and else who may read the log that the check is in. A private check is not admitted to exist. */
async function admitReader({ params: { request_id: id }, query, ...context }: Asked): Promise<void> {
  const { service } = context;
  ownHost(context);
  // The name of an own page's picture is known only from an answer or a record.
  if (id.startsWith('own-') || service.pictureLinks.holds(id, Number(query.until), query.signature ?? '')) return;
  const isPrivate = service.pictures.has('private', id);
  if ((await readsPrivate(context)) && isPrivate) return;
  await openTo('history')(context);
  if (isPrivate) throw new ProblemError(NOT_FOUND);
}

/** Asked for every picture, since limits count what is asked with credentials that do not hold. */
async function readsPrivate(context: Omit<Asked, 'params' | 'query'>): Promise<boolean> {
  try {
    return (await shownBySession(context, 'history.private')) !== null;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    // The public reads a public history whatever its session is.
    if (error.problem.code !== 'forbidden_scope' && hasBearer(context.request.headers)) throw error;
    return false;
  }
}

/** `GET /api/screenshots/{request_id}`: the picture of a page that the browser visited. */
export const pictureRoute = routesWith<PictureRouteParts>().get(
  '/api/screenshots/:request_id',
  ({ params: { request_id: id }, service: { pictures } }) => {
    const found = pictures.find(id);
    if (found === null) throw new ProblemError(NOT_FOUND);
    return new Response(new Uint8Array(found.webp), { headers: PICTURE_HEADERS });
  },
  {
    transform: [readQuery, admitReader],
    params: Type.Object({
      request_id: Type.String({ description: '`request_id` of the check, or `own_picture` of its answer' }),
    }),
    query: QuerySchema,
    response: {
      200: answer(Type.String({ contentMediaType: 'image/webp', description: 'The picture, a WebP file.' }), {
        description: 'The picture. It shows an untrusted page.',
      }),
      ...refusals(
        ...([
          'invalid_parameter',
          'unauthorized',
          'forbidden_scope',
          'not_found',
          'switched_off',
          'cross_site',
        ] as const),
        ...(['misdirected', 'rate_limited', 'internal', 'overloaded'] as const),
      ),
    },
    detail: {
      operationId: 'readScreenshot',
      tags: ['Checks'],
      summary: 'Read the picture of a page',
      description:
        'The page as the browser of the service showed it. `analysis_details.render.screenshot.url` of an answer is a link ' +
        'that needs no key for a day. Otherwise the scope `history` is needed unless the history is public, and ' +
        '`history.private` for a private check. Pictures are deleted with their checks, and earlier by `screenshot_days` ' +
        'and `screenshot_bytes`.',
    },
  },
);

/** Links to pictures that need no key, each for one picture and a day. */
interface PictureLinks {
  /** Returns the path of a picture below that of the service. */
  pathOf(requestId: string): string;
  /** Returns true if a link of this service to this picture holds. */
  holds(requestId: string, until: number, signature: string): boolean;
}

/** `secret` is asked for with the first link. */
export function createPictureLinks(secret: () => Buffer, clock: Pick<Clock, 'now'>): PictureLinks {
  let key: Buffer | null = null;
  const sign = (requestId: string, until: number) => {
    key ??= Buffer.from(hkdfSync('sha256', secret(), '', 'lurecheck picture links', 32));
    return createHmac('sha256', key).update(`${requestId} ${until}`).digest();
  };
  const nowSeconds = () => Math.floor(clock.now() / 1000);
  return {
    pathOf(requestId) {
      const until = nowSeconds() + DAY_MS / 1000;
      return `/api/screenshots/${requestId}?until=${until}&signature=${sign(requestId, until).toString('base64url')}`;
    },
    holds(requestId, until, signature) {
      const given = Buffer.from(signature, 'base64url');
      const own = sign(requestId, until);
      return until >= nowSeconds() && given.length === own.length && timingSafeEqual(given, own);
    },
  };
}

/** Returns a check service whose answers have links to the pictures that are kept. */
export function withPictureLinks(
  { check }: CheckService,
  pictures: Pick<PictureStore, 'has'>,
  { pathOf }: Pick<PictureLinks, 'pathOf'>,
  basePath: string,
): CheckService {
  return {
    async check(request) {
      const result = await check(request);
      const { render } = result.analysis_details;
      if (!render?.screenshot || !pictures.has(request.visibility, result.request_id)) return result;
      const screenshot = { ...render.screenshot, url: `${basePath}${pathOf(result.request_id)}` };
      return { ...result, analysis_details: { ...result.analysis_details, render: { ...render, screenshot } } };
    },
  };
}
