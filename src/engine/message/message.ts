import type { MailHead, MessageTraits } from './mail-head.ts';
import type { LinkSentence, MessageLink } from './message-link.ts';
import type { NonWebTarget } from './non-web-target.ts';
import type { AttachmentRisk } from './part-kind.ts';
import type { MessagePicture } from './pictures.ts';

/** Contents of a file or of pasted text. */
export interface Message {
  readonly kind: 'mail' | 'html' | 'text';
  /** Sender, subject and date; null if it is not a mail. */
  readonly head: MailHead | null;
  readonly traits: MessageTraits;
  /** Attached files, including those that are not read. */
  readonly attachments: readonly AttachedFile[];
  readonly links: readonly MessageLink[];
  /** Sentence around each link, by URL; some links have none. */
  readonly sentences: ReadonlyMap<string, LinkSentence>;
  /** Targets that are not web addresses. */
  readonly nonWeb: readonly NonWebTarget[];
  /** Attached to a mail or embedded in HTML; their content is not read here. */
  readonly pictures: readonly MessagePicture[];
  /** Names of what was not read: attachments, scripts, and parts that cannot be decoded. */
  readonly unread: readonly string[];
  /**
   * False if anything else was not read, so that links may be missing: the budget was spent, or the nesting is too
   * deep.
   */
  readonly isWhole: boolean;
}

/** An attached file, as described by the mail. */
export interface AttachedFile {
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Null if opening it does nothing by itself. */
  readonly risk: AttachmentRisk | null;
}

/** Contents before reading is complete. */
export type MessageContents = Omit<Message, 'isWhole' | 'sentences' | 'traits'> & {
  /** Absent for what has no text of its own, and for what is within another message. */
  readonly traits?: MessageTraits;
};

/** Returns the names of what was not read if pictures are not searched for codes. */
export function unreadParts({ pictures, unread }: Pick<Message, 'pictures' | 'unread'>): string[] {
  return [...pictures.map(({ name }) => name), ...unread];
}

/** Result for a message whose reader was terminated. */
export const UNREAD_MESSAGE: Message = {
  kind: 'text',
  head: null,
  traits: { text: '', isMarkupOnly: false, mail: null },
  attachments: [],
  links: [],
  sentences: new Map(),
  nonWeb: [],
  pictures: [],
  unread: [],
  isWhole: false,
};
