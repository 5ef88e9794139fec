import { type Address, addressParser, type Email } from 'postal-mime';
import { readUrl } from '#src/core/url/read-url.ts';
import { type AuthenticationClaim, authenticationClaim } from './authentication-results.ts';
import { isSameSite, type Mismatch, mismatchOf } from './mismatch.ts';

/** Who sent a mail, and when, as the mail itself says. All of it is untrusted. */
export interface MailHead {
  /** Null where there is none. */
  readonly subject: string | null;
  /** ISO 8601 in UTC, or as the mail has it where that is no date; null where there is none. */
  readonly date: string | null;
  readonly from: readonly MailAddress[];
  /** What the name of the sender says that its address does not; null where they agree, or the name names no site. */
  readonly nameMismatch: Mismatch | null;
  readonly replyTo: readonly MailAddress[];
  /** How the first address for replies differs from the sender; null where one of them is missing. */
  readonly replyToIs: AddressRelation | null;
  /** The address to which failures are reported; null where the mail does not say. */
  readonly returnPath: string | null;
  readonly returnPathIs: AddressRelation | null;
  /** What the receiving server states; null where the mail carries no statement. */
  readonly authentication: AuthenticationClaim | null;
}

/** A mail address with the name that stands before it, which may be empty. */
export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/** `same`: the same address; `same_site`: another one of the same site; `other_site`: one of another site. */
export type AddressRelation = 'same' | 'same_site' | 'other_site';

/** Longer texts are cut, in UTF-16 code units. */
const MAX_TEXT = 300;

const MAX_ADDRESSES = 5;

/** Reads the head of a parsed mail. */
export function mailHead({ headers, subject, date, returnPath }: Email): MailHead {
  const addressesOf = (name: string) =>
    // A mail with several headers of one name shows one of them in each program: all of them are shown here.
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
    authentication: authenticationClaim(headers),
  };
}

/** Addresses, those of groups too, without parts that name none. */
function flat(addresses: readonly Address[]): MailAddress[] {
  return addresses
    .flatMap((one) => one.group ?? one)
    .flatMap(({ name, address }) => (address ? [{ name: short(name) ?? '', address: short(address) ?? '' }] : []));
}

function nameMismatchOf({ name, address }: MailAddress): Mismatch | null {
  // An address in the name stands for its site.
  return mismatchOf(name.replaceAll('@', ' '), `http://${domainOf(address)}/`);
}

function relationOf(sender: string | undefined, other: string | undefined): AddressRelation | null {
  if (!sender || !other) return null;
  if (sender.toLowerCase() === other.toLowerCase()) return 'same';
  const [one, two] = [sender, other].map((address) => readUrl(`http://${domainOf(address)}/`)?.hostname ?? '');
  return one && two && isSameSite(one, two) ? 'same_site' : 'other_site';
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** On one line and shortened; null where there is nothing. */
function short(text: string | undefined): string | null {
  const line = (text ?? '')
    .slice(0, 4 * MAX_TEXT)
    .replace(/\s+/g, ' ')
    .trim();
  return line === '' ? null : line.slice(0, MAX_TEXT).toWellFormed();
}
