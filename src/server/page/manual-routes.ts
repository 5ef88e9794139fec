import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { isPart, PARTS, type PartName } from '#src/manual/parts.ts';
import { pathOf } from '../http/request-path.ts';
import { type FileRequest, textAsset, whenAsked } from './assets.ts';
import { fileRoute } from './file-route.ts';
import type { PageRouteParts } from './page-routes.ts';

/** `/help`, with which the manual begins, and `/help/NAME` for each part of it; each is made when it is first asked for. */
export function manualRoutes({ page: { files, policy }, ownHost }: Pick<PageRouteParts, 'page' | 'ownHost'>) {
  const fileOf = (begin: string) => [...files.keys()].find((path) => path.startsWith(begin)) ?? '';
  const servePart = (part: PartName, place: { readonly toParts: string; readonly toService: string }) =>
    withoutSlash(
      whenAsked(async () => {
        const { partPage } = await import('#src/manual/page.ts');
        const page = partPage(part, { ...place, style: fileOf('assets/manual-'), icon: fileOf('assets/icon-') });
        return textAsset('text/html; charset=utf-8', page);
      }, policy),
    );
  const first = servePart('operation', { toParts: 'help/', toService: '' });
  const routes = new Elysia({ normalize: false })
    .onTransform(ownHost)
    .get(
      '/help',
      first,
      fileRoute(
        'readManual',
        'The manual for whoever runs the service',
        Type.String({ contentMediaType: 'text/html' }),
      ),
    );
  for (const name of Object.keys(PARTS).filter(isPart)) {
    const serve = servePart(name, { toParts: '', toService: '../' });
    routes.get(`/help/${name}`, serve, { detail: { hide: true } });
  }
  return routes;
}

/** What a route is handed of a request for a file. */
interface Asked {
  readonly headers: FileRequest;
  readonly request: Request;
  readonly redirect: (url: string, status: 308) => Response;
}

/** Serves a page at its address. One with a slash behind it is the same to the router, but not to the links of the page. */
function withoutSlash(serve: (headers: FileRequest) => Promise<Response>) {
  // The router waits for an answer where it sees this word.
  return async ({ headers, request, redirect }: Asked) => {
    const [, name] = /([^/]+)\/$/.exec(pathOf(request)) ?? [];
    return name === undefined ? serve(headers) : redirect(`../${name}`, 308);
  };
}
