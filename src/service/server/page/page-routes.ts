import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { acceptedLanguage } from '../http/negotiation.ts';
import { pathOf } from '../http/request-path.ts';
import type { RequestGuard } from '../http/request-site.ts';
import { PAGE_PERMISSIONS } from '../http/security-headers.ts';
import { type Asset, type FileRequest, serveAsset, serveChanging } from './assets.ts';
import { fileRoute } from './file-route.ts';
import { START_POLICY } from './page-policy.ts';

/** The web page, as files that the executable carries. */
export interface WebPage {
  /** By path relative to the base path; the empty path is the page's document, and {@link documentIn} the one of a language. */
  readonly files: ReadonlyMap<string, Asset>;
  /** The Content-Security-Policy of the document. */
  readonly policy: string;
}

/** What the routes of the page work with. */
export interface PageRouteParts {
  readonly page: WebPage;
  readonly basePath: string;
  readonly ownHost: RequestGuard;
}

/** The files of the web page. */
export function pageRoutes({ page, basePath, ownHost }: PageRouteParts) {
  const routes = new Elysia({ normalize: false }).onTransform(ownHost);
  for (const [path, asset] of page.files) {
    if (path.startsWith(':')) continue;
    if (path === '') {
      const serve = documentServer(page);
      routes.get(
        '/',
        ({ headers, request, redirect, set }) => {
          set.headers['permissions-policy'] = PAGE_PERMISSIONS;
          // The page's relative addresses need the slash at the end of the base path.
          const isBare = basePath !== '' && pathOf(request) === basePath;
          return isBare
            ? redirect(`${basePath}/`, 308)
            : serve({ ...headers, 'accept-language': request.headers.get('accept-language') });
        },
        fileRoute('readPage', 'The web page', Type.String({ contentMediaType: 'text/html' })),
      );
    } else {
      const serve = serveAsset(asset, path === 'start' ? START_POLICY : undefined);
      routes.get(`/${path}`, ({ headers }) => serve(headers), { detail: { hide: true } });
    }
  }
  return routes;
}

/** Serves the document in the language that the client likes best (RFC 9110 §12.5.4). */
function documentServer({ files, policy }: WebPage) {
  const servers = new Map(
    [...files].flatMap(([path, asset]) => {
      const language = path === '' ? 'en' : path.startsWith(':') ? path.slice(1) : null;
      return language === null ? [] : [[language, serveChanging(asset, policy)] as const];
    }),
  );
  return ({ 'accept-language': accepted, ...request }: FileRequest & { readonly 'accept-language': string | null }) => {
    const language = acceptedLanguage(accepted, [...servers.keys()]);
    const response = (servers.get(language) ?? servers.get('en'))?.(request);
    response?.headers.append('vary', 'accept-language');
    return response;
  };
}
