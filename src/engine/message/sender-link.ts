import { readUrl } from '#src/core/url/read-url.ts';
import { type MessageLink, messageLink } from './message-link.ts';
import { domainOf } from './text/mail-address.ts';

/** Maximum number of senders of a message. */
const MAX_SENDERS = 5;

/** Returns links to the domains of mail addresses, by which senders are checked; addresses without a domain are dropped. */
export function senderLinks(addresses: readonly string[]): MessageLink[] {
  const links = addresses.flatMap((address) => {
    const url = readUrl(`https://${domainOf(address)}/`)?.href;
    return url === undefined || !domainOf(address).includes('.') ? [] : messageLink(url, address, 'sender');
  });
  return [...new Map(links.map((link) => [link.url, link])).values()].slice(0, MAX_SENDERS);
}

/** Returns links with those of the senders, which come last. */
export function withSenders(links: readonly MessageLink[], addresses: readonly string[]): MessageLink[] {
  const known = new Set(links.map(({ url }) => url));
  return [...links, ...senderLinks(addresses).filter(({ url }) => !known.has(url))];
}
