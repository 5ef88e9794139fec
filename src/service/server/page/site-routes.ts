import { Type } from '@sinclair/typebox';
import type { PeerContext } from '#src/core/base/addresses/client-address.ts';
import { type Clock, DAY_MS } from '#src/core/base/clock.ts';
import { readBody } from '../http/json-body.ts';
import { ProblemError, refuse } from '../http/problem.ts';
import { ownHost, type SiteParts } from '../http/request-site.ts';
import { routesWith } from '../http/routes-with.ts';
import { NOT_FOUND, pathOf } from '../http/unrouted.ts';
import { textAnswer } from './assets.ts';

/** Days for which the file says that it is valid; RFC 9116 §2.5.5 recommends less than a year. */
const VALID_DAYS = 90;

interface SecurityTxtRouteParts extends Pick<SiteParts, 'isOwnHost'> {
  /** Returns the operator's current contact; null if none is configured. */
  readonly contact: () => string | null;
  readonly now: Clock['now'];
}

/** `GET /.well-known/security.txt` (RFC 9116); 404 where `contact` is not set, or names nothing that is a URI. */
export const securityTxtRoute = routesWith<SecurityTxtRouteParts>()
  .onTransform(ownHost)
  .get(
    '/.well-known/security.txt',
    ({ service: { contact, now } }) => {
      const uri = contactUri(contact() ?? '');
      if (uri === null) return refuse(NOT_FOUND);
      const expires = new Date(Math.floor(now() / DAY_MS + VALID_DAYS) * DAY_MS).toISOString().replace('.000', '');
      return textAnswer('text/plain; charset=utf-8', `Contact: ${uri}\nExpires: ${expires}\n`);
    },
    { detail: { hide: true } },
  );

/** Returns the first address in a contact as a URI (RFC 9116 §2.5.3); null if there is none. */
export function contactUri(contact: string): string | null {
  const uri = /(?:https:\/\/|mailto:|tel:)[^\s<>"]*[^\s<>"),.;]/i.exec(contact)?.[0];
  if (uri !== undefined) return URL.parse(uri)?.href ?? null;
  const address = /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/.exec(contact)?.[0];
  if (address !== undefined) return `mailto:${address}`;
  const digits = /^\+[\d\s()/.-]{6,}$/.test(contact.trim()) ? contact.replace(/[^\d+]/g, '') : null;
  return digits === null ? null : `tel:${digits}`;
}

interface OpenSearchRouteParts extends Pick<SiteParts, 'isOwnHost'> {
  readonly basePath: string;
  /** Returns true if the client reached the service with TLS. */
  readonly isEncrypted: (context: PeerContext) => boolean;
}

/**
 * `GET /opensearch.xml`: with it, browsers offer the service as a keyword of their address bar. The typed text is in
 * the fragment of the page's address, so that no server receives it before the reader starts the check.
 */
export const openSearchRoute = routesWith<OpenSearchRouteParts>()
  .onTransform(ownHost)
  .get(
    '/opensearch.xml',
    ({ request, server, service }) => {
      const scheme = service.isEncrypted({ request, server }) ? 'https' : 'http';
      const origin = URL.parse(`${scheme}://${request.headers.get('host')}`)?.origin;
      if (origin === undefined) return refuse(NOT_FOUND);
      return textAnswer(
        'application/opensearchdescription+xml; charset=utf-8',
        description(`${origin}${service.basePath}/`),
      );
    },
    { detail: { hide: true } },
  );

/** The description (OpenSearch 1.1) of a page at an absolute address. */
function description(page: string): string {
  const address = Bun.escapeHTML(page);
  return `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/" xmlns:moz="http://www.mozilla.org/2006/browser/search/">
  <ShortName>lurecheck</ShortName>
  <Description>Is this link phishing?</Description>
  <Tags>lurecheck phishing link</Tags>
  <InputEncoding>UTF-8</InputEncoding>
  <Image width="48" height="48" type="image/x-icon">${address}favicon.ico</Image>
  <Url type="text/html" method="get" template="${address}#url={searchTerms}"/>
  <moz:SearchForm>${address}</moz:SearchForm>
</OpenSearchDescription>
`;
}

/** The most bytes of a shared text. Its redirect fits the 256 KiB that browsers take as headers, even fully encoded. */
const MAX_SHARED_BYTES = 64 * 1024;

/** The fragment by which the page says that a shared text is too long. */
const TOO_LONG = '#shared=too-long';

const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;

/** Fields of a phone's share sheet. Most apps put the link into `text`, among other words. */
const FIELDS = ['url', 'text', 'title'] as const;

/**
 * `POST /share`: the share target of the installed page. Redirects to the page with the shared text in the fragment, which
 * no log of a server or proxy records. Nothing is checked, looked up or stored, so that the request is safe from any origin:
 * another site gains nothing that a link to `/#url=…` does not give it. Browsers send shares without an initiator, with
 * `Origin: null`, which the guard of the other routes refuses.
 */
export const shareRoute = routesWith<Pick<SiteParts, 'isOwnHost'>>().post(
  '/share',
  ({ body, request, redirect }) => {
    const page = pathOf(request).endsWith('/') ? '../' : './';
    return redirect(`${page}${fragmentOf(body)}`, 303);
  },
  { parse: [ownHost, readForm], body: Type.Unsafe<URLSearchParams | null>(Type.Any()), detail: { hide: true } },
);

/** Reads the shared form; null if it is too large, which the page reports. */
async function readForm({ request }: { readonly request: Request }): Promise<URLSearchParams | null> {
  if (!FORM_TYPE.test(request.headers.get('content-type') ?? '')) {
    throw new ProblemError({
      code: 'unsupported_media_type',
      detail: 'Send the shared text as a form, with the header Content-Type: application/x-www-form-urlencoded.',
    });
  }
  try {
    return new URLSearchParams(new TextDecoder().decode(await readBody(request, MAX_SHARED_BYTES)));
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.code !== 'body_too_large') throw error;
    return null;
  }
}

/** The fragment by which the page fills its input with a shared text. */
function fragmentOf(form: URLSearchParams | null): string {
  if (form === null) return TOO_LONG;
  const texts: string[] = [];
  for (const field of FIELDS) {
    for (const value of form.getAll(field)) {
      const text = value.trim();
      // Some apps send the link twice; a title is used only if it contains a link.
      if (text !== '' && !texts.includes(text) && (field !== 'title' || /\S[.:]\S/.test(text))) texts.push(text);
    }
  }
  return texts.length === 0 ? '#/' : `#url=${encodeURIComponent(texts.join('\n'))}`;
}
