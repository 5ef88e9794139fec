import type { Knowledge } from '#src/core/knowledge/index.ts';
import { SENDING_SERVICES } from '#src/core/knowledge/mail/mail-senders.ts';
import { parseHost } from '#src/core/url/host.ts';
import type { AuthenticationResult } from '#src/engine/message/authentication-results.ts';
import { type MailSender, senderOf } from './mail-sender.ts';
import type { WeighedMessage } from './weighed-message.ts';

/**
 * Confirmation of the sender's domain. `passed`: a trusted receiving server confirms it. `failed`: a server denies it.
 * `missing`: there are results, and none passes. `service`: a trusted server confirms a service that sends for others.
 * `other`: a result passes for another domain, or by an untrusted server. `unknown`: there are no results, as in saved and old mails.
 */
export type Confirmation =
  | { readonly state: 'passed' | 'missing' | 'service' | 'other' | 'unknown' }
  | { readonly state: 'failed'; readonly method: string };

function isOfService({ domain }: AuthenticationResult): boolean {
  const host = domain === null ? null : parseHost(domain);
  return host !== null && SENDING_SERVICES.has(host.site);
}

const UNKNOWN: Confirmation = { state: 'unknown' };

/** Results of SPF that say that the server may not send for the domain (RFC 7208 §2.6). */
const REFUSED_BY_SPF = /^(?:hard|soft)?fail$/;

/** Returns how far a sender is confirmed by the authentication results. */
export function confirmationOf(
  { head, traits }: Pick<WeighedMessage, 'head' | 'traits'>,
  sender: MailSender | null,
  knowledge: Knowledge,
): Confirmation {
  if (head === null || sender === null) return UNKNOWN;
  const isOwn = ({ domain }: AuthenticationResult) => {
    const host = domain === null ? null : parseHost(domain);
    return host !== null && knowledge.publisherOf(host) === sender.site;
  };
  const believed = head.authentication?.results ?? [];
  const passes = (one: AuthenticationResult) => one.result === 'pass';
  if (believed.some((one) => passes(one) && isOwn(one))) return { state: 'passed' };
  const all = believed.length > 0 ? believed : (traits.mail?.stated ?? []);
  if (all.length === 0) return UNKNOWN;
  const dmarc = all.find(({ method }) => method === 'dmarc');
  if (dmarc?.result === 'fail') return { state: 'failed', method: 'DMARC' };
  const spf = all.find(({ method }) => method === 'spf');
  const isSigned = all.some((one) => one.method === 'dkim' && passes(one));
  if (spf && REFUSED_BY_SPF.test(spf.result) && !isSigned) return { state: 'failed', method: 'SPF' };
  if (believed.some((one) => passes(one) && isOfService(one))) return { state: 'service' };
  return { state: all.some(passes) ? 'other' : 'missing' };
}

/**
 * Returns the address of a sender whose domain a trusted server confirms by DMARC or by a signature of it; null otherwise. SPF
 * alone names the server, not the sender.
 */
export function confirmedAddress({ head, traits }: WeighedMessage, knowledge: Knowledge): string | null {
  const authentication = head?.authentication ?? null;
  const sender = senderOf({ head }, knowledge);
  if (head === null || authentication === null || sender === null || head.from.length !== 1) return null;
  const results = authentication.results.filter(({ method }) => method !== 'spf');
  const signed = { head: { ...head, authentication: { ...authentication, results } }, traits };
  return confirmationOf(signed, sender, knowledge).state === 'passed' ? sender.address : null;
}
