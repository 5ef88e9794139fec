import { Elysia } from 'elysia';
import { refuse } from '../http/problem.ts';
import type { RequestGuard } from '../http/request-site.ts';
import { NOT_FOUND } from '../http/unrouted.ts';
import { textAnswer } from './text-answer.ts';

/** What the route of the OpenSearch description works with. */
export interface OpenSearchRouteParts {
  readonly basePath: string;
  readonly ownHost: RequestGuard;
  /** Whether the client reached the service with TLS. */
  readonly isEncrypted: (context: Parameters<RequestGuard>[0]) => boolean;
}

/**
 * `GET /opensearch.xml`: with it, browsers offer the service as a keyword of their address bar. What is typed stands in the
 * fragment of the page's address, so that no server receives it before the reader starts the check.
 */
export function openSearchRoute({ basePath, ownHost, isEncrypted }: OpenSearchRouteParts) {
  return new Elysia({ normalize: false }).onTransform(ownHost).get(
    '/opensearch.xml',
    ({ request, server }) => {
      const scheme = isEncrypted({ request, server }) ? 'https' : 'http';
      const origin = URL.parse(`${scheme}://${request.headers.get('host')}`)?.origin;
      if (origin === undefined) return refuse(NOT_FOUND);
      return textAnswer('application/opensearchdescription+xml; charset=utf-8', description(`${origin}${basePath}/`));
    },
    { detail: { hide: true } },
  );
}

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
