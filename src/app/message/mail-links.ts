import { prioritizeLinks } from '#src/engine/message/link-order.ts';
import { type Message, unreadParts } from '#src/engine/message/message.ts';

/** Links of a mail, in a form that a thread can send at little cost to the one that receives it. */
export interface MailLinks {
  /** Each URL once, in the order in which they should be checked, separated by line feeds; empty without links. */
  readonly urls: string;
  readonly count: number;
  /** True if the words of a link name another host than its target. */
  readonly isMismatched: boolean;
  /** Number of attachments, pictures and scripts that were not read. */
  readonly unread: number;
  /** False if anything else was not read. */
  readonly isWhole: boolean;
}

/** Returns the links of a message. */
export function mailLinks(message: Message): MailLinks {
  const { head, links, isWhole } = message;
  const sender = head?.from[0]?.address ?? '';
  return {
    urls: prioritizeLinks(links, sender.slice(sender.lastIndexOf('@') + 1))
      .map(({ url }) => url)
      .join('\n'),
    count: links.length,
    isMismatched: links.some(({ mismatch }) => mismatch !== null),
    unread: unreadParts(message).length,
    isWhole,
  };
}

/** Returns the URLs one by one, so that many of them need no step of their own. */
export function* eachUrl({ urls }: Pick<MailLinks, 'urls'>): Generator<string> {
  for (let at = 0; at < urls.length; ) {
    const end = urls.indexOf('\n', at);
    yield urls.slice(at, end === -1 ? urls.length : end);
    at = end === -1 ? urls.length : end + 1;
  }
}
