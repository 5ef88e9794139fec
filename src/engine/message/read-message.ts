import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { readUrl } from '#src/core/url/read-url.ts';
import { decodeHtml } from '#src/network/html/charset.ts';
import type { MarkupReading } from './collect-markup.ts';
import { drawnCodes } from './drawn-code.ts';
import type { MessagePicture } from './embedded-picture.ts';
import { isMarkup, looksLikeHtml, looksLikeMail } from './kind.ts';
import { readMarkup } from './links-in-html.ts';
import { linksInText } from './links-in-text.ts';
import { domainOf, type MailHead, mailHead } from './mail-head.ts';
import { type MessageLink, withoutRepeats } from './message-link.ts';
import { compareWords, isSameSite } from './mismatch.ts';
import type { NonWebTarget } from './non-web-target.ts';
import { shownProperties } from './properties.ts';
import { createReading, type Reading } from './reading.ts';
import { savedAt } from './saved-page.ts';
import type { LinkSentence } from './sentence.ts';

/** Contents of a file or of pasted text. */
export interface Message {
  readonly kind: 'mail' | 'html' | 'text';
  /** Sender, subject and date; null if it is not a mail. */
  readonly head: MailHead | null;
  /** Attached files, including those that are not read. */
  readonly attachments: readonly AttachedFile[];
  readonly links: readonly MessageLink[];
  /** Sentence around each link, by URL; some links have none. */
  readonly sentences: ReadonlyMap<string, LinkSentence>;
  /** Targets that are not web addresses. */
  readonly nonWeb: readonly NonWebTarget[];
  /** Attached to a mail or embedded in HTML; their content is not read here. */
  readonly pictures: readonly MessagePicture[];
  /** Names of attachments that are not read. */
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
}

/** Maximum size of a message, in bytes. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Maximum nesting of mails within mails. */
const MAX_DEPTH = 4;

/**
 * Finds the links of a message: a mail (`.eml`, `.mht`), HTML, a table (`.csv`, `.tsv`) or other text, detected by
 * content and, if ambiguous, by name. Null for binary files such as Outlook's `.msg`. Nothing is loaded.
 *
 * @param isSpent polled while reading; once it returns true, the rest is skipped.
 */
export async function readMessage(
  bytes: Uint8Array<ArrayBuffer>,
  name = '',
  isSpent: () => boolean = () => false,
): Promise<Message | null> {
  if (isBinary(bytes)) return null;
  const reading = createReading(isSpent, compareWords);
  const found = await read(bytes, name.toLowerCase(), reading, 0);
  return { ...found, sentences: reading.sentences, isWhole: reading.isWhole };
}

/** Contents before reading is complete. */
type Found = Omit<Message, 'isWhole' | 'sentences'>;

async function read(bytes: Uint8Array<ArrayBuffer>, name: string, reading: Reading, depth: number): Promise<Found> {
  const { text } = decodeHtml(bytes, null);
  if (looksLikeMail(text)) return await readMail(withoutBlankStart(bytes), reading, depth);
  if (/\.(?:mht|mhtml|emlx?)$/.test(name)) return await readMail(bytes, reading, depth);
  const properties = shownProperties(text);
  if (properties !== null) return { ...EMPTY, kind: 'text', ...readBoth(properties.text, properties.markup, reading) };
  if (/\.(?:x?html?|shtml|svg)$/.test(name) || isMarkup(text))
    return { ...EMPTY, kind: 'html', ...readMarkup(text, reading) };
  if (looksLikeHtml(text)) return { ...EMPTY, kind: 'text', ...readBoth(text, text, reading) };
  const lines = /\.[ct]sv$/.test(name) ? cellsOf(text).join('\n\n') : text;
  return { ...EMPTY, kind: 'text', links: linksInText(lines, reading).links, pictures: drawnCodes(text) };
}

/** Reads text and markup of the same message, and joins what was found. */
function readBoth(text: string, markup: string, reading: Reading): MarkupReading {
  const { links, ...rest } = readMarkup(markup, reading);
  const ofMarkup = new Map(links.map((link) => [normalized(link.url), link]));
  const ofText = linksInText(text, reading).links.map((link) => ofMarkup.get(normalized(link.url)) ?? link);
  return { ...rest, links: withoutRepeats([...ofText, ...links], reading) };
}

/** Returns a URL as markup has it, whose ampersands are escaped in its source. */
function normalized(url: string): string {
  return readUrl(url.replaceAll('&amp;', '&'))?.href ?? url;
}

/** Removes leading white space, since a blank line before the first header would end the headers. */
function withoutBlankStart(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.subarray(bytes.findIndex((byte) => byte > 0x20));
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
  const pictures = [...markup.pictures, ...drawnCodes(mail.text ?? '')];
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
  const head = mailHead(mail);
  const told = withoutRepeats(links, reading).map((link) => withoutOwnTracker(link, head));
  return { kind: 'mail', head, attachments, links: told, nonWeb, pictures, unread };
}

/** Removes the detour of words that name the sender's own site: its mail service puts a tracker before every link. */
function withoutOwnTracker({ detour, ...link }: MessageLink, { from }: MailHead): MessageLink {
  const isOwn =
    detour?.kind === 'tracker' && from.some(({ address }) => isSameSite(detour.says, domainOf(address).toLowerCase()));
  return { ...link, ...(detour && !isOwn && { detour }) };
}

/** Returns a file as its receiver sees it; empty for pictures within the text. */
function attachedFile(attachment: Attachment): AttachedFile[] {
  const { filename, mimeType, disposition, content } = attachment;
  if (disposition === 'inline' && mimeType.startsWith('image/')) return [];
  const sizeBytes = typeof content === 'string' ? content.length : content.byteLength;
  return [{ name: filename ?? mimeType, contentType: mimeType, sizeBytes }];
}

/**
 * Returns the links of the plain text without those that the HTML shows in front of a target that is not a web address.
 */
function withoutShownWords(links: readonly MessageLink[], { nonWeb }: MarkupReading): MessageLink[] {
  const shown = new Set(nonWeb.flatMap(({ words }) => linksInText(words ?? '').links.map(({ url }) => url)));
  return links.filter(({ url }) => !shown.has(url));
}

/** Parses a mail; null if it exceeds the parser's limits of nested parts or headers. */
async function parseMail(bytes: Uint8Array<ArrayBuffer>): Promise<Email | null> {
  try {
    return await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer' });
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Maximum ')) return null;
    throw error;
  }
}

/** Headers whose links programs offer as buttons (RFC 2369), mostly to unsubscribe. */
const LIST_HEADERS = /^list-(?:unsubscribe|subscribe|help|archive|post|owner)$/;

/** Returns links that mail programs show outside of the body: in the subject, and as buttons of a mailing list. */
function linksInHeaders({ subject, headers }: Email, reading: Reading): readonly MessageLink[] {
  const ofLists = headers.filter(({ key }) => LIST_HEADERS.test(key)).map(({ value }) => value);
  return linksInText([subject ?? '', ...ofLists].join('\n\n'), reading).links;
}

function contentOf({ content }: Attachment): Uint8Array<ArrayBuffer> {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  return content instanceof Uint8Array ? new Uint8Array(content) : new Uint8Array(content);
}

/** Returns true if bytes are not text in an encoding of messages; UTF-16 begins with a mark. */
function isBinary(bytes: Uint8Array): boolean {
  const isMarked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const isPdf = bytes[0] === 0x25 && bytes[1] === 0x50 && bytes[2] === 0x44 && bytes[3] === 0x46;
  return isPdf || (!isMarked && bytes.subarray(0, 65_536).includes(0));
}

/** Returns the cells of a table (RFC 4180) with commas, semicolons or tabs as separators. */
export function cellsOf(text: string): string[] {
  const separator = [...',;\t'].reduce((best, one) => (count(text, one) > count(text, best) ? one : best));
  const cells: string[] = [];
  const cell = new RegExp(`"((?:[^"]|"")*)"?|([^${separator}\\r\\n]+)`, 'y');
  for (let at = 0; at < text.length; ) {
    cell.lastIndex = at;
    const [whole = '', quoted, plain] = cell.exec(text) ?? [];
    cells.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    at += Math.max(whole.length, 1);
  }
  return cells.filter((one) => one !== '');
}

/** Counts in the first line. */
function count(text: string, character: string): number {
  return text.slice(0, 10_000).split('\n', 1)[0]?.split(character).length ?? 0;
}
