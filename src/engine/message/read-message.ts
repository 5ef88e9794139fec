import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { decodeHtml } from '#src/network/html/charset.ts';
import { cellsOf } from './cells.ts';
import type { MarkupReading } from './collect-markup.ts';
import type { MessagePicture } from './embedded-picture.ts';
import { looksLikeHtml, looksLikeMail } from './kind.ts';
import { readMarkup } from './links-in-html.ts';
import { linksInText } from './links-in-text.ts';
import { type MailHead, mailHead } from './mail-head.ts';
import { type MessageLink, withoutRepeats } from './message-link.ts';
import type { NonWebTarget } from './non-web-target.ts';
import { createReading, type Reading } from './reading.ts';
import { savedAt } from './saved-page.ts';
import type { LinkSentence } from './sentence.ts';

/** What was found in a file or in what somebody pasted. */
export interface Message {
  readonly kind: 'mail' | 'html' | 'text';
  /** Who sent it, and when; null where it is no mail. */
  readonly head: MailHead | null;
  /** Files that came with it, whether they are read or not. */
  readonly attachments: readonly AttachedFile[];
  readonly links: readonly MessageLink[];
  /** The sentence in which a link stands, by its URL; some stand in none. */
  readonly sentences: ReadonlyMap<string, LinkSentence>;
  /** Targets that are no web addresses. */
  readonly nonWeb: readonly NonWebTarget[];
  /** Attached to a mail or embedded in HTML; their content is not read here. */
  readonly pictures: readonly MessagePicture[];
  /** Names of attachments that are not read. */
  readonly unread: readonly string[];
  /** False where something else was not read, so that links may be missing: the budget was spent, or it is nested too deep. */
  readonly isWhole: boolean;
}

/** A file that came with a mail, by what the mail says of it. */
export interface AttachedFile {
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/** Larger files are not messages, in bytes. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Mails within mails are read so deep. */
const MAX_DEPTH = 4;

/**
 * Finds the links of a message: a mail (`.eml`, `.mht`), HTML, a table (`.csv`, `.tsv`) or any other text, told apart by what
 * it holds, and by its name where that leaves a doubt. Null for what is no text, such as Outlook's `.msg`. Nothing is loaded.
 *
 * @param isSpent asked while reading; once it returns true, the rest is left out.
 */
export async function readMessage(
  bytes: Uint8Array<ArrayBuffer>,
  name = '',
  isSpent: () => boolean = () => false,
): Promise<Message | null> {
  if (isBinary(bytes)) return null;
  const reading = createReading(isSpent);
  const found = await read(bytes, name.toLowerCase(), reading, 0);
  return { ...found, sentences: reading.sentences, isWhole: reading.isWhole };
}

/** What was found, before all was read. */
type Found = Omit<Message, 'isWhole' | 'sentences'>;

async function read(bytes: Uint8Array<ArrayBuffer>, name: string, reading: Reading, depth: number): Promise<Found> {
  const { text } = decodeHtml(bytes, null);
  if (/\.(?:eml|mht|mhtml|emlx?)$/.test(name) || looksLikeMail(text)) return await readMail(bytes, reading, depth);
  if (/\.(?:x?html?|shtml|svg)$/.test(name) || looksLikeHtml(text))
    return { ...EMPTY, kind: 'html', ...readMarkup(text, reading) };
  const lines = /\.[ct]sv$/.test(name) ? cellsOf(text).join('\n\n') : text;
  return { ...EMPTY, kind: 'text', links: linksInText(lines, reading).links };
}

const EMPTY = { head: null, attachments: [], nonWeb: [], pictures: [], unread: [] } as const;

async function readMail(bytes: Uint8Array<ArrayBuffer>, reading: Reading, depth: number): Promise<Found> {
  const mail = await parseMail(bytes);
  if (mail === null) {
    reading.leaveOut();
    return { ...EMPTY, kind: 'mail', links: linksInText(decodeHtml(bytes, null).text, reading).links };
  }
  const markup = readMarkup(mail.html ?? '', reading, savedAt(mail.headers));
  const links = [
    ...markup.links,
    ...withoutShownWords(linksInText(mail.text ?? '', reading).links, markup),
    ...linksInHeaders(mail, reading),
  ];
  const nonWeb = [...markup.nonWeb];
  const pictures = [...markup.pictures];
  const unread: string[] = [];
  for (const attachment of mail.attachments) {
    const content = contentOf(attachment);
    const { mimeType } = attachment;
    const name = attachment.filename ?? mimeType;
    if (reading.isSpent()) unread.push(name);
    else if (/^image\/(?!svg)/.test(mimeType)) pictures.push({ name, contentType: mimeType, bytes: content });
    else if (isBinary(content) || depth >= MAX_DEPTH) unread.push(name);
    else {
      const isMail = mimeType === 'message/rfc822';
      const inner = isMail
        ? await readMail(content, reading, depth + 1)
        : await read(content, name.toLowerCase(), reading, depth + 1);
      links.push(...inner.links);
      nonWeb.push(...inner.nonWeb);
      pictures.push(...inner.pictures);
      unread.push(...inner.unread);
    }
  }
  const attachments = mail.attachments.flatMap(attachedFile);
  return { kind: 'mail', head: mailHead(mail), attachments, links: withoutRepeats(links), nonWeb, pictures, unread };
}

/** A file as its receiver sees it; pictures that the text shows are none. */
function attachedFile(attachment: Attachment): AttachedFile[] {
  const { filename, mimeType, disposition, content } = attachment;
  if (disposition === 'inline' && mimeType.startsWith('image/')) return [];
  const sizeBytes = typeof content === 'string' ? content.length : content.byteLength;
  return [{ name: filename ?? mimeType, contentType: mimeType, sizeBytes }];
}

/** The links of the plain text but for those that the HTML shows in front of a target that is no web address. */
function withoutShownWords(links: readonly MessageLink[], { nonWeb }: MarkupReading): MessageLink[] {
  const shown = new Set(nonWeb.flatMap(({ words }) => linksInText(words ?? '').links.map(({ url }) => url)));
  return links.filter(({ url }) => !shown.has(url));
}

/** Null where the mail exceeds what the parser allows of nested parts or of headers. */
async function parseMail(bytes: Uint8Array<ArrayBuffer>): Promise<Email | null> {
  try {
    return await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer' });
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Maximum ')) return null;
    throw error;
  }
}

/** Headers whose links programs offer as buttons (RFC 2369): to unsubscribe, above all. */
const LIST_HEADERS = /^list-(?:unsubscribe|subscribe|help|archive|post|owner)$/;

/** Links that a mail program shows outside of the body: in the subject, and as buttons of a mailing list. */
function linksInHeaders({ subject, headers }: Email, reading: Reading): readonly MessageLink[] {
  const ofLists = headers.filter(({ key }) => LIST_HEADERS.test(key)).map(({ value }) => value);
  return linksInText([subject ?? '', ...ofLists].join('\n\n'), reading).links;
}

function contentOf({ content }: Attachment): Uint8Array<ArrayBuffer> {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  return content instanceof Uint8Array ? new Uint8Array(content) : new Uint8Array(content);
}

/** Whether bytes are no text in any encoding that a message may have: those of two bytes a character begin with a mark. */
function isBinary(bytes: Uint8Array): boolean {
  const isMarked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const isPdf = bytes[0] === 0x25 && bytes[1] === 0x50 && bytes[2] === 0x44 && bytes[3] === 0x46;
  return isPdf || (!isMarked && bytes.subarray(0, 65_536).includes(0));
}
