import { createPeerClock } from '#src/app/peer-clock.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { type Notice, notice } from '#src/core/base/text/condition.ts';
import type { Gate, GateAnswer } from '#src/parts/proxy/gate/gate.ts';
import { isUnexamined } from '#src/parts/proxy/gate/link-verdicts.ts';
import type { Overrides } from '#src/parts/proxy/gate/override.ts';
import type { GateSettings } from '#src/parts/proxy/gate/settings.ts';
import type { HttpReplacement, Marks } from '#src/parts/proxy/icap/icap-answer.ts';
import type { IcapDecision } from '#src/parts/proxy/icap/icap-connection.ts';
import { type HttpRequest, type ReqmodHead, readHttpRequest, readIdentity } from '#src/parts/proxy/icap/icap-head.ts';
import { type BlockPage, blockResponse } from './block-page.ts';

/** Notices derived from the requests of proxies about their configuration. */
interface PeerNotices {
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

/** Dependencies of ICAP answers. */
interface IcapAnswerParts {
  readonly gate: Pick<Gate, 'ask'>;
  readonly settings: () => Pick<GateSettings, 'gate_mode' | 'gate_override' | 'public_url'>;
  readonly overrides: Overrides;
  readonly peers: PeerNotices;
  /** Reasons for phishing of a held request, the strongest first. */
  reasons(answer: GateAnswer): readonly string[];
}

/** Joins the protocol and the gate: decides on one request. */
export function answerIcap(head: ReqmodHead, http: Buffer, parts: IcapAnswerParts): IcapDecision {
  const request = readHttpRequest(http, head.headers);
  const { address, user } = readIdentity(head.headers);
  parts.peers.observe(head, request, address);
  const override =
    parts.settings().gate_override && address !== null ? overrideOf(request, address, parts.overrides) : null;
  if (override?.replacement) return { replacement: override.replacement, marks: { 'X-Lurecheck-Rule': 'override' } };
  const { url, isNavigation } = request;
  const answer = parts.gate.ask({
    way: 'icap',
    url,
    isNavigation,
    client: address,
    user,
    isOverridden: override?.isGranted ?? false,
  });
  return { marks: marksOf(answer), replacement: answer.isHeld ? pageFor(answer, request, address, parts) : null };
}

function marksOf({ decision, rule, wouldHold, isHeld }: GateAnswer): Marks {
  return {
    ...(decision && { 'X-Lurecheck-Decision': decision }),
    ...(isUnexamined(rule) && { 'X-Lurecheck-Decision': 'unexamined' }),
    'X-Lurecheck-Rule': rule,
    ...(wouldHold && !isHeld && { 'X-Lurecheck-Watched': 'hold' }),
  };
}

function pageFor(
  answer: GateAnswer,
  request: HttpRequest,
  client: string | null,
  { settings, overrides, reasons }: IcapAnswerParts,
): HttpReplacement | null {
  const { target, rule, requestId, isCanary = false } = answer;
  if (target === null) return null;
  const { gate_mode: mode, gate_override: mayOverride, public_url: publicUrl } = settings();
  const isListed = rule === 'list-blocks';
  const isOffered = mayOverride && !isListed && client !== null && request.url !== null && isPage(request);
  const page: BlockPage = {
    host: target.host,
    cause: isCanary ? (mode === 'hold' ? 'test' : 'watchTest') : isListed ? 'listed' : 'suspicious',
    reasons: isListed ? [] : reasons(answer),
    requestId,
    reportUrl: publicUrl !== null && requestId !== null ? `${publicUrl}/#/report/${requestId}` : null,
    overridePath: isOffered ? overrides.linkFor(target.host.text, client, request.url ?? '') : null,
  };
  return blockResponse(page, request);
}

/**
 * Returns true for a page. A script of the held site must not read the link; under https, browsers state where an
 * answer is shown.
 */
function isPage({ method, url, isNavigation, isDocument }: HttpRequest): boolean {
  return method === 'GET' && (url?.toLowerCase().startsWith('https:') ? isDocument : isNavigation);
}

/** Returns if a client may open a host, and the answer to the link that lets it. */
function overrideOf(
  request: HttpRequest,
  client: string,
  overrides: Overrides,
): { readonly isGranted: boolean; readonly replacement: HttpReplacement | null } | null {
  const url = request.url === null ? null : URL.parse(request.url);
  if (url === null) return null;
  const location = isPage(request) ? overrides.grant(url.hostname, client, url.pathname) : null;
  if (location === null) return { isGranted: overrides.isGranted(url.hostname, client), replacement: null };
  const fields = {
    Location: location,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'Content-Length': '0',
  };
  return { isGranted: true, replacement: { status: '303 See Other', fields, body: null } };
}
