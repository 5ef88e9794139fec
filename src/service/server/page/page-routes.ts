import { Type } from '@sinclair/typebox';
import { lazily } from '#src/core/base/lazily.ts';
import { isSignedIn, type SignedInParts } from '../admin/requester.ts';
import { PAGE_PERMISSIONS } from '../http/http-app.ts';
import { acceptedLanguage } from '../http/negotiation.ts';
import { ProblemError } from '../http/problem.ts';
import { ownHost, type SiteParts } from '../http/request-site.ts';
import { routesWith } from '../http/routes-with.ts';
import { NOT_FOUND, pathOf } from '../http/unrouted.ts';
import { type Asset, type FileRequest, fileRoute, serveAsset, serveChanging } from './assets.ts';

/**
 * The content security policy of the page's document. Only its own script, style and icon load; nothing may frame it;
 * and since the only trusted type is the address of the worker that reads messages, the browser itself refuses to make markup
 * or script out of text.
 */
export const PAGE_POLICY = [
  "default-src 'self'",
  "object-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types reader',
].join('; ');

/**
 * The policy of the document with which the installed page starts. It runs one script, which registers the service worker;
 * that sink of Trusted Types is why the page itself cannot.
 */
export const START_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "img-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The web page, as files that the executable carries. */
export interface WebPage {
  /**
   * Files by path relative to the base path; the empty path is the page's document, and {@link documentIn} the one of a
   * language.
   */
  readonly files: ReadonlyMap<string, Asset>;
  /** The Content-Security-Policy of the document. */
  readonly policy: string;
}

/** Sends the document of the page in the language that a client likes best; to who is signed in, its header leads to the console. */
type SendDocument = (
  request: FileRequest & { readonly 'accept-language': string | null },
  isSignedIn: boolean,
) => Promise<Response | undefined>;

export interface PageRouteParts extends SignedInParts {
  readonly sendDocument: SendDocument;
  readonly basePath: string;
}

/** `GET /`: the document of the web page. */
export const pageRoute = routesWith<PageRouteParts>()
  .onTransform(ownHost)
  .get(
    '/',
    async ({ headers, request, server, redirect, set, service }) => {
      const { basePath, sendDocument } = service;
      set.headers['permissions-policy'] = PAGE_PERMISSIONS;
      // The page's relative addresses need the slash at the end of the base path.
      const isBare = basePath !== '' && pathOf(request) === basePath;
      return isBare
        ? redirect(`${basePath}/`, 308)
        : await sendDocument(
            { ...headers, 'accept-language': request.headers.get('accept-language') },
            isSignedIn({ request, server, service }),
          );
    },
    fileRoute('readPage', 'The web page', Type.String({ contentMediaType: 'text/html' })),
  );

/** Files of the web page beside its documents and those below `assets/`. */
const OTHER_FILES = ['favicon.ico', 'manifest.webmanifest', 'service-worker.js', 'start'] as const;

/** The other files of the web page. Those below `assets/` share a route: Elysia takes 0.1 ms of a start for each one. */
export function pageFileRoutes(page: () => Promise<WebPage>) {
  const servers = new Map<string, ReturnType<typeof serveAsset>>();
  async function send(path: string, headers: FileRequest): Promise<Response> {
    const asset = (await page()).files.get(path);
    if (asset === undefined) throw new ProblemError(NOT_FOUND);
    const policy = path === 'start' ? START_POLICY : undefined;
    return servers.getOrInsertComputed(path, () => serveAsset(asset, policy))(headers);
  }
  const routes = routesWith<Pick<SiteParts, 'isOwnHost'>>()
    .onTransform(ownHost)
    .get('/assets/:name', async ({ params: { name }, headers }) => await send(`assets/${name}`, headers), {
      detail: { hide: true },
    });
  for (const path of OTHER_FILES) {
    routes.get(`/${path}`, async ({ headers }) => await send(path, headers), { detail: { hide: true } });
  }
  return routes;
}

/** Serves the document in the language that the client likes best (RFC 9110 §12.5.4). */
export function createSendDocument(page: () => Promise<WebPage>): SendDocument {
  const serversOf = async (documentOf: (asset: Asset) => Asset) => {
    const { files, policy } = await page();
    return new Map(
      [...files].flatMap(([path, asset]) => {
        const language = path === '' ? 'en' : path.startsWith(':') ? path.slice(1) : null;
        return language === null ? [] : [[language, serveChanging(documentOf(asset), policy)] as const];
      }),
    );
  };
  const forAll = lazily(() => serversOf((asset) => asset));
  const forSignedIn = lazily(() => serversOf(signedInDocument));
  return async ({ 'accept-language': accepted, ...request }, isOfSession) => {
    const servers = await (isOfSession ? forSignedIn() : forAll());
    const language = acceptedLanguage(accepted, [...servers.keys()]);
    const response = (servers.get(language) ?? servers.get('en'))?.(request);
    response?.headers.append('vary', isOfSession ? 'accept-language, cookie' : 'accept-language');
    return response;
  };
}

/** Returns the document for who is signed in, made again once the document changes. */
function signedInDocument(asset: Asset): Asset {
  let made: { readonly of: Asset['body']; readonly body: Asset['body'] } | null = null;
  return {
    ...{ contentType: asset.contentType, isImmutable: asset.isImmutable },
    get body() {
      const { body } = asset;
      if (made?.of !== body) {
        const document = new TextDecoder().decode(Bun.gunzipSync(body));
        made = { of: body, body: Bun.gzipSync(document.replace('<html ', '<html data-signed-in="true" ')) };
      }
      return made.body;
    },
  };
}
