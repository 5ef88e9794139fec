import type { Header } from 'postal-mime';
import { statedResults } from './authentication-results.ts';
import type { AuthenticationResult } from './results-header.ts';
import { addressIn } from './text/mail-address.ts';

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
export interface MailTraits {
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
