import { type Address, addressParser, type Email } from 'postal-mime';
import { readUrl } from '#src/core/url/read-url.ts';
import { type AuthenticationTrust, authenticationClaim } from './authentication-results.ts';
import { isSameSite, type Mismatch, mismatchOf } from './mismatch.ts';
import type { AuthenticationClaim } from './results-header.ts';
import { domainOf } from './text/mail-address.ts';

/** Sender, subject and date of a mail. All of it is untrusted. */
export interface MailHead {
  /** Null if there is none. */
  readonly subject: string | null;
  /** ISO 8601 in UTC, or the text of the mail if it is not a date; null if there is none. */
  readonly date: string | null;
  readonly from: readonly MailAddress[];
  /** Site named by the sender's name that its address does not have; null if they agree, or the name names no site. */
  readonly nameMismatch: Mismatch | null;
  readonly replyTo: readonly MailAddress[];
  /** Relation of the first reply address to the sender; null if one of them is missing. */
  readonly replyToIs: AddressRelation | null;
  /** Address to which bounces are sent; null if absent. */
  readonly returnPath: string | null;
  readonly returnPathIs: AddressRelation | null;
  /** Statement of the receiving server; null if absent. */
  readonly authentication: AuthenticationClaim | null;
}

/** A mail address with its display name, which may be empty. */
export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/**
 * `same`: the same address; `same_site`: another address of the same site; `other_site`: an address of another site.
 */
export type AddressRelation = 'same' | 'same_site' | 'other_site';

/** Maximum length of a text, in UTF-16 code units; longer ones are truncated. */
const MAX_TEXT = 300;

const MAX_ADDRESSES = 5;

/** Reads the head of a parsed mail. */
export function mailHead({ headers, subject, date, returnPath }: Email, trust?: AuthenticationTrust): MailHead {
  const addressesOf = (name: string) =>
    // Programs differ in which of several headers with one name they show; all of them are shown here.
    headers.filter(({ key }) => key === name).flatMap(({ value }) => flat(addressParser(value)));
  const from = addressesOf('from').slice(0, MAX_ADDRESSES);
  const replyTo = addressesOf('reply-to').slice(0, MAX_ADDRESSES);
  const sender = from[0];
  const bounce = returnPath === undefined ? null : (short(returnPath) ?? null);
  return {
    subject: short(subject),
    date: short(date),
    from,
    nameMismatch: from.reduce<Mismatch | null>((found, one) => found ?? nameMismatchOf(one), null),
    replyTo,
    replyToIs: relationOf(sender?.address, replyTo[0]?.address),
    returnPath: bounce,
    returnPathIs: relationOf(sender?.address, bounce ?? undefined),
    authentication: authenticationClaim(headers, trust),
  };
}

/** Returns all addresses, including those of groups; entries without an address are dropped. */
function flat(addresses: readonly Address[]): MailAddress[] {
  return addresses
    .flatMap((one) => one.group ?? one)
    .flatMap(({ name, address }) => (address ? [{ name: short(name) ?? '', address: short(address) ?? '' }] : []));
}

function nameMismatchOf({ name, address }: MailAddress): Mismatch | null {
  // An address in the name counts as its site.
  return mismatchOf(name.replaceAll('@', ' '), `http://${domainOf(address)}/`);
}

function relationOf(sender: string | undefined, other: string | undefined): AddressRelation | null {
  if (!sender || !other) return null;
  if (sender.toLowerCase() === other.toLowerCase()) return 'same';
  const [one, two] = [sender, other].map((address) => readUrl(`http://${domainOf(address)}/`)?.hostname ?? '');
  return one && two && isSameSite(one, two) ? 'same_site' : 'other_site';
}

/** Returns a text on one line, truncated; null if it is empty. */
function short(text: string | undefined): string | null {
  const line = (text ?? '')
    .slice(0, 4 * MAX_TEXT)
    .replace(/\s+/g, ' ')
    .trim();
  return line === '' ? null : line.slice(0, MAX_TEXT).toWellFormed();
}
