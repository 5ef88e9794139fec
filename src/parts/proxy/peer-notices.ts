import { createPeerClock } from '#src/app/peer-clock.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { type Notice, notice } from '#src/core/base/text/condition.ts';
import type { HttpRequest } from '#src/parts/proxy/icap/http-request.ts';
import type { ReqmodHead } from '#src/parts/proxy/icap/icap-head.ts';

/** Notices derived from the requests of proxies about their configuration. */
export interface PeerNotices {
  observe(head: ReqmodHead, request: HttpRequest, address: string | null): void;
  /** Without names. */
  notices(): Notice[];
}

const NO_ADDRESS = notice(
  'proxy_without_addresses',
  'A proxy sends no client addresses: set adaptation_send_client_ip on in Squid.',
);
const NO_PREVIEW = notice('proxy_without_previews', 'A proxy sends whole bodies: set icap_preview_enable on in Squid.');
const BOTH = notice(
  'proxy_asks_twice',
  'A proxy decrypts https and asks about tunnels as well, which are held without a page: exempt CONNECT.',
);

/** Creates an observer that has seen nothing. */
export function createPeerNotices(): PeerNotices {
  const clock = createPeerClock('a web proxy', systemClock);
  let dated = '';
  const seen = { noAddress: false, noPreview: false, tunnel: false, inner: false };
  return {
    observe({ headers, hasBody, hasPreview }, { method, url }, address) {
      // Squid states its time in each request; it is read once a second.
      const date = headers.get('date') ?? dated;
      if (date !== dated) clock.observe(Date.parse(date));
      dated = date;
      seen.noAddress ||= address === null;
      seen.noPreview ||= hasBody && !hasPreview;
      seen.tunnel ||= method === 'CONNECT';
      seen.inner ||= method !== 'CONNECT' && url?.startsWith('https:') === true;
    },
    notices: () => [
      ...(seen.noAddress ? [NO_ADDRESS] : []),
      ...(seen.noPreview ? [NO_PREVIEW] : []),
      ...(seen.tunnel && seen.inner ? [BOTH] : []),
      ...clock.notices(),
    ],
  };
}
