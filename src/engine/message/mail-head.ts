import { type Address, addressParser, type Email, type Header } from 'postal-mime';
import { readUrl } from '#src/core/url/read-url.ts';
import {
  type AuthenticationClaim,
  type AuthenticationResult,
  type AuthenticationTrust,
  authenticationClaim,
  statedResults,
} from './authentication-results.ts';
import { isSameSite, type Mismatch, mismatchOf } from './mismatch.ts';
import { addressIn, domainOf } from './text/mail-address.ts';

/** Facts about a message that its verdict weighs, beside its head, links and attachments. */
export interface MessageTraits {
  /** Text that a reader sees, without attachments; truncated. */
  readonly text: string;
  /** True if the mail has HTML and no text of its own. */
  readonly isMarkupOnly: boolean;
  /** Facts of its head; null if it is not a mail. */
  readonly mail: MailTraits | null;
}

/** Facts of the head of a mail. All of it is untrusted. */
interface MailTraits {
  /** True for a mail of a mailing list, on which people write (RFC 2369); false for a newsletter. */
  readonly isList: boolean;
  /** True if it names messages that it answers. */
  readonly isReply: boolean;
  /** True for a bounce, and for another answer that a program sent. */
  readonly isReport: boolean;
  /** True if the sender's field is there and cannot be read, has several addresses, or occurs more than once. */
  readonly isSenderMalformed: boolean;
  /** Address of the first receiver that it names, in lower case; null if it names none. */
  readonly receiver: string | null;
  /** True if mail servers wrote on their way; false for a mail that was never sent. */
  readonly isReceived: boolean;
  /** Results that any server stated. Only what speaks against the sender may count: anybody can write them. */
  readonly stated: readonly AuthenticationResult[];
}

/** Reads the facts of the headers of a mail. */
export function mailTraits(headers: readonly Header[], senders: number): MailTraits {
  const fieldOf = (name: string) => headers.find(({ key }) => key === name)?.value ?? '';
  const from = headers.filter(({ key }) => key === 'from');
  const returnPath = fieldOf('return-path').trim();
  // Mail servers write their reports as plain text; frauds that look like one are HTML.
  const isHtml = /^\s*(?:text\/html|multipart\/(?:alternative|related))/i.test(fieldOf('content-type'));
  return {
    isList:
      LIST_HEADERS.some((name) => fieldOf(name) !== '') ||
      (fieldOf('list-id') !== '' && LIST_ADDRESS.test(`${returnPath} ${fieldOf('sender').slice(0, MAX_VALUE)}`)),
    isReply: fieldOf('in-reply-to') !== '' || fieldOf('references') !== '',
    isReport:
      (returnPath === '<>' && !isHtml) ||
      /^\s*multipart\/report/i.test(fieldOf('content-type')) ||
      /^\s*auto-replied/i.test(fieldOf('auto-submitted')) ||
      (/\bmailer-daemon@/i.test((from[0]?.value ?? '').slice(0, MAX_VALUE)) && !isHtml),
    isSenderMalformed: from.length > 1 || (from.length === 1 && senders !== 1 && !isGroup(from[0]?.value ?? '')),
    receiver: addressIn(fieldOf('to').slice(0, MAX_VALUE))?.toLowerCase() ?? null,
    isReceived: headers.some(({ key }) => key === 'received'),
    stated: statedResults(headers),
  };
}

const MAX_VALUE = 2000;

/** Headers of lists that newsletters do not have: where to write, where to read, and the marks of list programs. */
const LIST_HEADERS = ['list-post', 'list-archive', 'list-subscribe', 'mailing-list', 'x-mailing-list', 'x-beenthere'];

/** Addresses of list programs. */
const LIST_ADDRESS = /(?:-bounces|-owner|-admin|-request)[+@]|\bowner-|\bsentto-/i;

/** Several senders are allowed (RFC 5322 §3.6.2), if `Sender` names one; a field without any address is empty. */
function isGroup(value: string): boolean {
  return value.trim() === '' || /;\s*$/.test(value);
}

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
