import type { MailHead } from '#src/engine/message/mail-head.ts';
import type { Message } from '#src/engine/message/message.ts';
import type { MessageLink } from '#src/engine/message/message-link.ts';

/** A mail that was pasted or dropped. */
export interface OpenedMail extends Pick<Message, 'attachments' | 'sentences' | 'unread' | 'isWhole'> {
  readonly head: MailHead;
  readonly urls: ReadonlySet<string>;
}

/** The mail of each link, which it follows wherever the link goes. */
const mails = new WeakMap<MessageLink, OpenedMail>();

/** Notes that links stood in a message, where that is a mail. */
export function noteMail(links: readonly MessageLink[], { head, ...message }: Message): void {
  if (head === null) return;
  const { attachments, sentences, unread, isWhole } = message;
  const urls = new Set(links.map(({ url }) => url));
  for (const link of links) mails.set(link, { head, attachments, sentences, unread, isWhole, urls });
}

/** Returns the mail that contains the links; null if none does, or most of its links are missing. */
export function mailOfLinks(links: readonly MessageLink[]): OpenedMail | null {
  const [mail] = links.flatMap((link) => mails.get(link) ?? []);
  if (mail === undefined) return null;
  const urls = new Set(links.map(({ url }) => url));
  // The same link may be written in another way in the text box.
  return 2 * mail.urls.intersection(urls).size > mail.urls.size ? mail : null;
}
