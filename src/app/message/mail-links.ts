import { type WeighedMessage, weighedMessage } from '#src/engine/mail-verdict/weighed-message.ts';
import { type Message, unreadParts } from '#src/engine/message/message.ts';
import type { LinkStore } from './link-store.ts';
import type { PackedLinks } from './packed-links.ts';

/** Links of a mail, in a form that is cheap to send between threads. */
export interface MailLinks {
  /** In the order of checking. */
  readonly links: PackedLinks;
  readonly count: number;
  /** True if the words of a link name another host than its target. */
  readonly isMismatched: boolean;
  /** Number of attachments, pictures and scripts that were not read. */
  readonly unread: number;
  /** False if anything else was not read. */
  readonly isWhole: boolean;
  /** Evidence of the mail beside its links. */
  readonly message: WeighedMessage;
}

/**
 * Returns the links of a message.
 *
 * @param store the links that were taken while it was read; it receives the rest
 */
export function mailLinks(message: Message, store: LinkStore): MailLinks {
  for (const link of message.links) store.add(link);
  const { count, isMismatched } = store;
  const { isWhole } = message;
  const unread = unreadParts(message).length;
  return { links: store.pack(), count, isMismatched, unread, isWhole, message: weighedMessage(message) };
}
