import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { isPart, type PartName } from '#src/service/manual/parts.ts';
import { refuse } from '../http/problem.ts';
import { withoutSlash } from '../http/request-path.ts';
import { NOT_FOUND } from '../http/unrouted.ts';
import { textAsset, whenAsked } from './assets.ts';
import { fileRoute } from './file-route.ts';
import type { PageRouteParts } from './page-routes.ts';

/** Where a page stands: the way to the parts, and to the web page. */
interface Ways {
  readonly toParts: string;
  readonly toService: string;
}

/** `/help`, with which the manual begins, and `/help/NAME` for each part of it; each is made when it is first asked for. */
export function manualRoutes({ page: { files, policy }, ownHost }: Pick<PageRouteParts, 'page' | 'ownHost'>) {
  const fileOf = (begin: string) => [...files.keys()].find((path) => path.startsWith(begin)) ?? '';
  const servePart = (part: PartName, ways: Ways) =>
    whenAsked(async () => {
      const { partPage } = await import('#src/service/manual/page.ts');
      const page = partPage(part, { ...ways, style: fileOf('assets/manual-'), icon: fileOf('assets/icon-') });
      return textAsset('text/html; charset=utf-8', page);
    }, policy);
  const first = servePart('operation', { toParts: 'help/', toService: '' });
  const parts = new Map<PartName, typeof first>();
  const serveNamed = (part: PartName) =>
    parts.getOrInsertComputed(part, () => servePart(part, { toParts: '', toService: '../' }));
  return new Elysia({ normalize: false })
    .onTransform(ownHost)
    .get(
      '/help',
      async ({ headers, request, redirect }) => {
        const better = withoutSlash(request);
        return better === null ? await first(headers) : redirect(better, 308);
      },
      fileRoute(
        'readManual',
        'The manual for whoever runs the service',
        Type.String({ contentMediaType: 'text/html' }),
      ),
    )
    .get(
      '/help/:part',
      async ({ params: { part }, headers, request, redirect }) => {
        if (!isPart(part)) return refuse(NOT_FOUND);
        const better = withoutSlash(request);
        return better === null ? await serveNamed(part)(headers) : redirect(better, 308);
      },
      { detail: { hide: true } },
    );
}
