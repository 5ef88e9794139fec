import type { PeerContext } from '#src/core/base/addresses/peer.ts';
import { refuse } from '../http/problem.ts';
import { ownHost, type SiteParts } from '../http/request-site.ts';
import { routesWith } from '../http/routes-with.ts';
import { NOT_FOUND } from '../http/unrouted.ts';
import { textAnswer } from './text-answer.ts';

export interface OpenSearchRouteParts extends Pick<SiteParts, 'isOwnHost'> {
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
