import type { Brand } from '#src/core/knowledge/brands/brands.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { BESIDE_FIRM, FREEMAIL } from '#src/core/knowledge/mail/mail-senders.ts';
import { type Host, parseHost } from '#src/core/url/host.ts';
import type { WeighedMessage } from './weighed-message.ts';

/** Sender that a mail names, as a reader sees it. */
export interface MailSender {
  /** Display name; may be empty. */
  readonly name: string;
  /** In lower case. */
  readonly address: string;
  readonly local: string;
  readonly host: Host;
  /** Site of the domain: what one publisher controls. */
  readonly site: string;
  /** True if anyone can get an address there. */
  readonly isFreemail: boolean;
}

/** Returns the sender of a mail; null if it names none with a domain. */
export function senderOf({ head }: Pick<WeighedMessage, 'head'>, knowledge: Knowledge): MailSender | null {
  const [first] = head?.from ?? [];
  if (first === undefined) return null;
  const address = first.address.toLowerCase();
  const host = parseHost(address.slice(address.lastIndexOf('@') + 1));
  if (!address.includes('@') || host === null) return null;
  return {
    name: first.name,
    address,
    local: address.slice(0, address.lastIndexOf('@')),
    host,
    site: knowledge.publisherOf(host),
    isFreemail: isFreemail(host),
  };
}

/**
 * Returns true for a brand that is not the sender's, as far as is known. A provider writes to its customers from an office;
 * their own addresses are at the same domain.
 */
export function isForeignTo({ host, local, isFreemail }: MailSender, brand: Brand, { brands }: Knowledge): boolean {
  if (!brands.ownersOf(host).includes(brand)) return !brands.possibleOwnersOf(host).includes(brand);
  return isFreemail && !local.split(/[^a-z]+/).every((word) => word === '' || BESIDE_FIRM.has(word));
}

/** Returns the site of a mail address; null if it has no domain. */
export function siteOfAddress(address: string, knowledge: Knowledge): { host: Host; site: string } | null {
  const host = parseHost(address.slice(address.lastIndexOf('@') + 1).toLowerCase());
  return host && { host, site: knowledge.publisherOf(host) };
}

/** Returns true if anyone can get an address at a host; below it are the provider's own servers. */
export function isFreemail({ text }: Host): boolean {
  return FREEMAIL.has(text);
}

/** Returns the words of a name in lower case without marks, and with ß as two letters, which has none. */
export function plainWords(name: string): readonly string[] {
  return (
    name
      .toLowerCase()
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .replaceAll('ß', 'ss')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
