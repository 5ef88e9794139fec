import type { MailHead } from '#src/engine/message/mail-head.ts';
import type { Message } from '#src/engine/message/message.ts';
import type { MessageLink } from '#src/engine/message/message-link.ts';
import type { MessageAnswer } from '#src/service/server/message/message-answer.ts';

/** A mail that was pasted or dropped, or a message without a head that was copied from a program. */
export interface OpenedMail extends Pick<Message, 'attachments' | 'sentences' | 'unread' | 'isWhole'> {
  readonly head: MailHead | null;
  /** The mail as it was given; null if it is too large to be sent. */
  readonly source: Uint8Array<ArrayBuffer> | null;
  readonly urls: ReadonlySet<string>;
}

/** The mail of each link, which it follows wherever the link goes. */
const mails = new WeakMap<MessageLink, OpenedMail>();

/** Maximum size of a mail that the service takes, in bytes. */
const MAX_SENT_BYTES = 2 * 1024 * 1024;

/** Notes that links stood in a message, and returns it. */
export function noteMail(
  links: readonly MessageLink[],
  { head, attachments, sentences, unread, isWhole }: Message,
  bytes: Uint8Array<ArrayBuffer>,
): OpenedMail {
  const urls = new Set(links.map(({ url }) => url));
  const source = bytes.length > MAX_SENT_BYTES ? null : bytes;
  const mail: OpenedMail = { head, attachments, sentences, unread, isWhole, source, urls };
  for (const link of links) mails.set(link, mail);
  return mail;
}

/** Returns true if the reader removed no link of a mail: one that was removed must not be sent and visited with it. */
export function isWholeMail({ urls }: OpenedMail, links: readonly MessageLink[]): boolean {
  const kept = new Set(links.map(({ url }) => normalized(url)));
  return urls.values().every((url) => kept.has(normalized(url)));
}

const normalized = (url: string) => URL.parse(url)?.href ?? url;

/** Returns the mail that contains the links; null if none does, or most of its links are missing. */
export function mailOfLinks(links: readonly MessageLink[]): OpenedMail | null {
  const [mail] = links.flatMap((link) => mails.get(link) ?? []);
  if (mail === undefined) return null;
  const urls = new Set(links.map(({ url }) => url));
  // The same link may be written in another way in the text box.
  return 2 * mail.urls.intersection(urls).size > mail.urls.size ? mail : null;
}

/** The choices for a mail, and the mail. */
export interface MailOrder {
  readonly mail: OpenedMail;
  readonly source: Uint8Array<ArrayBuffer>;
  readonly isPrivate: boolean;
  readonly visit: boolean;
}

/** Check of a mail as a whole, which is sent to the service. */
export interface MailCheck extends MailOrder {
  /** Null until the service has answered, and if it did not. */
  answer: MessageAnswer | null;
  /** True if the service did not answer. */
  isRefused: boolean;
}

/** Creates a check that has not begun; null if the mail is too large to be sent. */
export function mailCheck(
  mail: OpenedMail,
  { isPrivate, visit }: Pick<MailOrder, 'isPrivate' | 'visit'>,
): MailCheck | null {
  const { source } = mail;
  return source && { mail, source, isPrivate, visit, answer: null, isRefused: false };
}
