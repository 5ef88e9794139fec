import { MAX_HEADER, segmentsOf } from './header-segments.ts';

/** Delivery to a store, which nobody outside can use (RFC 2033 §1). */
const LMTP = /^(?:utf8)?lmtps?a?$/;

/** Addresses of 10/8 in the 6to4 form by which Google names servers that nobody outside reaches. */
const GOOGLE = /^2002:a[\da-f]{2}:/;

/** Servers of Exchange Online, without those that take mails from outside, and the addresses of such servers. */
const EXCHANGE = /\.(?:prod(?:\.protection)?\.outlook|outlook\.office365)\.com$/;
const OF_EXCHANGE = /^[^(]{1,300}\((?:::1|2603:10[\da-f]{2}:[\da-f:]{1,40}|2a01:111:[\da-f:]{1,40}|10\.[\d.]{5,11})\)/i;

/** Hops within other services, as their users saved them: sender with its address, and receiver with its program. */
const INNER_HOPS: readonly RegExp[] = [
  // Yahoo and AOL deliver by HTTP, from the server that took the mail.
  /^from (?:10\.[\d.]{5,11}|127\.0\.0\.1) by atlas[\w.-]{1,200}\.yahoo\.com (?:pod-id [\w.-]{1,200} )?with https?$/,
  // Fastmail filters on the server that took the mail, and delivers from there.
  /^from [\w.-]{1,200} \(\[10\.[\d.]{5,11}\]\) by [\w.-]{1,200}\.internal \(lmtpproxy\)$/,
  /^from [\w-]{1,60}\.(?:messagingengine\.com|[a-z]{3}\.internal) \(localhost \[127\.0\.0\.1\]\) by (?:mailmx|mx\d{1,3})\.[a-z]{3}\.internal \(postfix\) with esmtp /,
  /^from (?:mailmx|mx\d{1,3})\.[a-z]{3}\.internal \(localhost \[127\.0\.0\.1\]\) by [\w-]{1,60}\.(?:messagingengine\.com|[a-z]{3}\.internal) \(authentication milter\) with esmtp /,
];

/**
 * Returns true for a `Received` of a hop within the service of the receiver: what is below it, up to that of the server that
 * took the mail from outside, is written by this service as well.
 */
export function isInnerHop(received: string): boolean {
  const segments = segmentsOf(received);
  const words = (segments[0] ?? '').trim().toLowerCase().split(/\s+/);
  // A client may name itself so that the trace begins like that of another hop; it names two servers then.
  if (segments.length !== 2 || words.filter((word) => word === 'by').length !== 1) return false;
  const [written = ''] = received.slice(0, MAX_HEADER).toLowerCase().split(';', 1);
  const line = written.trim().replace(/\s+/g, ' ');
  if (INNER_HOPS.some((hop) => hop.test(line))) return true;
  const sender = words[0] === 'from' ? words[1] : undefined;
  const [by, host = '', via, protocol = ''] = words.slice(sender === undefined ? 0 : 2);
  if (by !== 'by' || via !== 'with') return false;
  if (LMTP.test(protocol)) return true;
  if (sender === undefined) return protocol === 'smtp' && GOOGLE.test(host);
  const isOfService = /^(?:https|microsoft)$/.test(protocol) && EXCHANGE.test(host);
  return isOfService && sender.endsWith('.outlook.com') && OF_EXCHANGE.test(received);
}

/** Returns the host that wrote a `Received` header (RFC 5321 §4.4), in lower case; null if it names none. */
export function receiverOf(received: string): string | null {
  const [trace = ''] = segmentsOf(received);
  return /(?:^|\s)by\s+([\w.-]{1,253})/i.exec(trace)?.[1]?.replace(/\.$/, '').toLowerCase() ?? null;
}
