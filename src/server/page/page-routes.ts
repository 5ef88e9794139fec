import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { pathOf } from '../http/request-path.ts';
import type { RequestGuard } from '../http/request-site.ts';
import { PAGE_PERMISSIONS } from '../http/security-headers.ts';
import { type Asset, serveAsset, serveChanging } from './assets.ts';
import { fileRoute } from './file-route.ts';
import { START_POLICY } from './page-policy.ts';

/** The web page, as files that the executable carries. */
export interface WebPage {
  /** By path relative to the base path; the empty path is the page's document. */
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
    if (path === '') {
      const serve = serveChanging(asset, page.policy);
      routes.get(
        '/',
        ({ headers, request, redirect, set }) => {
          set.headers['permissions-policy'] = PAGE_PERMISSIONS;
          // The page's relative addresses need the slash at the end of the base path.
          const isBare = basePath !== '' && pathOf(request) === basePath;
          return isBare ? redirect(`${basePath}/`, 308) : serve(headers);
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
