import { readUrl } from '#src/core/url/read-url.ts';
import type { AuthenticationTrust } from './authentication-results.ts';
import { decodeText, unreadableIn } from './decode-text.ts';
import { isMarkup, looksLikeHtml, looksLikeMail } from './kind.ts';
import { readMail } from './mail/read-mail.ts';
import type { Message, MessageContents } from './message.ts';
import { withoutRepeats } from './message-link.ts';
import { compareWords } from './mismatch.ts';
import { readOutlook } from './outlook/read-outlook.ts';
import { readPageMarkup } from './page/read-page-markup.ts';
import { isXmlPart, type PartKind, partKind } from './part-kind.ts';
import { linksInPdf } from './pdf/links-in-pdf.ts';
import { createReading, type Reading, type TakeLinks } from './reading.ts';
import { senderLinks } from './sender-link.ts';
import { drawnCodes } from './text/drawn-code.ts';
import { linksInText } from './text/links-in-text.ts';
import { addressAlone } from './text/mail-address.ts';
import { shownProperties } from './text/properties.ts';
import { quotedSenders } from './text/quoted-senders.ts';

/** Maximum size of a message, in bytes. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Maximum length of pasted text that the verdict weighs, in UTF-16 code units. */
const MAX_SHOWN_TEXT = 16_384;

/** Maximum nesting of mails within mails. */
const MAX_DEPTH = 10;

/**
 * Finds the links of a message: a mail (`.eml`, `.mht`, `.msg`), HTML or SVG, a table (`.csv`, `.tsv`), a PDF or other text, detected by
 * name and content. Null for other binary files. Nothing is loaded.
 *
 * @param isSpent polled while reading; once it returns true, the rest is skipped.
 * @param takeLinks takes links whenever there are many; those that the message has then are the rest
 * @param trust servers whose authentication results may be believed; by default that which received the mail
 */
export async function readMessage(
  bytes: Uint8Array<ArrayBuffer>,
  name = '',
  isSpent: () => boolean = () => false,
  takeLinks: TakeLinks | null = null,
  trust?: AuthenticationTrust,
): Promise<Message | null> {
  const kind = partKind(name, '', bytes);
  const text = kind === 'pdf' || MAIL_KINDS.includes(kind) ? '' : decodeText(bytes);
  if (kind === 'unread' && !looksLikeMail(text) && !looksLikeHtml(text)) return null;
  const reading = createReading(isSpent, compareWords, takeLinks, trust);
  const found = await read(bytes, { name, kind, type: '' }, reading, 0);
  const shown = found.kind === 'html' ? reading.takeText() : text.slice(0, MAX_SHOWN_TEXT).toWellFormed();
  const traits = found.traits ?? { text: shown, isMarkupOnly: false, mail: null };
  return { ...found, traits, sentences: reading.sentences, isWhole: reading.isWhole };
}

/** Description of a file or a part before it is read. */
interface Part {
  readonly name: string;
  /** Media type in lower case; empty if unknown. */
  readonly type: string;
  readonly kind: PartKind;
}

async function read(
  bytes: Uint8Array<ArrayBuffer>,
  part: Part,
  reading: Reading,
  depth: number,
): Promise<MessageContents> {
  if (part.kind === 'pdf') {
    const { isWhole, ...found } = await linksInPdf(bytes, part.name, reading);
    return { ...EMPTY, kind: 'text', ...found, unread: isWhole ? [] : [part.name] };
  }
  if (part.kind === 'picture')
    return { ...EMPTY, kind: 'text', links: [], pictures: [{ name: part.name, contentType: part.type, bytes }] };
  const text = MAIL_KINDS.includes(part.kind) ? '' : decodeText(bytes);
  if (MAIL_KINDS.includes(part.kind) || looksLikeMail(text)) {
    if (depth > MAX_DEPTH) return { ...EMPTY, kind: 'mail', links: [], unread: [part.name] };
    const readPart = (inner: Uint8Array<ArrayBuffer>, of: Part) => read(inner, of, reading, depth + 1);
    return await (part.kind === 'outlook' ? readOutlook : readMail)(bytes, reading, readPart);
  }
  return readText(text, part, reading);
}

const MAIL_KINDS: readonly PartKind[] = ['mail', 'outlook'];

function readText(text: string, part: Part, reading: Reading): MessageContents {
  const properties = shownProperties(text);
  if (properties !== null) return { ...EMPTY, kind: 'text', ...readBoth(properties.text, properties.markup, reading) };
  const unread = [...unreadableIn(text, part.name), ...(part.kind === 'unread' ? [part.name] : [])];
  const isXml = isXmlPart(part.name, part.type) || (part.kind !== 'html' && XML_PAGE.test(text));
  if (part.kind === 'html' || isXml || isMarkup(text)) {
    const { hasUnreadCode, ...found } = readPageMarkup(text, reading, null, isXml ? 'xml' : 'html');
    if (hasUnreadCode) unread.push(part.name === '' ? 'script' : `${part.name}: script`);
    return { ...EMPTY, kind: 'html', ...found, unread };
  }
  if (looksLikeHtml(text)) return { ...EMPTY, kind: 'text', ...readBoth(text, text, reading), unread };
  const lines = /\.[ct]sv$/i.test(part.name) ? cellsOf(withWords(text)).join('\n\n') : text;
  // A text that is an address alone is there to be checked, as the senders that a copied mail names.
  const isAddress = !text.trim().includes('\n') && addressAlone(text.trim()) !== null;
  const { links } = linksInText(lines, reading, isAddress);
  const found = withoutRepeats([...links, ...senderLinks(quotedSenders(text))], reading);
  return { ...EMPTY, kind: 'text', links: found, pictures: drawnCodes(text), unread };
}

function readBoth(
  text: string,
  markup: string,
  reading: Reading,
): Pick<MessageContents, 'links' | 'nonWeb' | 'pictures'> {
  const { links, nonWeb, pictures } = readPageMarkup(markup, reading);
  const ofMarkup = new Map(links.map((link) => [normalized(link.url), link]));
  const ofText = linksInText(text, reading).links.map((link) => ofMarkup.get(normalized(link.url)) ?? link);
  return { nonWeb, pictures, links: withoutRepeats([...ofText, ...links], reading) };
}

/** Returns a URL as markup has it, whose ampersands are escaped in its source. */
function normalized(url: string): string {
  return readUrl(url.replaceAll('&amp;', '&'))?.href ?? url;
}

/** Beginning of a drawing, or of a page in XML. */
const XML_PAGE = /^\s{0,1000}<(?:svg\b|\?xml\b[\s\S]{0,2000}?<(?:svg|html)\b)/i;

const EMPTY = { head: null, attachments: [], nonWeb: [], pictures: [], unread: [] } as const;

/** A formula of a spreadsheet that shows words in front of a target; its quotation marks are doubled in a quoted cell. */
const FORMULA = /=HYPERLINK\(\s{0,9}""?([^"\r\n]{1,8192})""?\s{0,9}[,;]\s{0,9}""?([^"\r\n]{1,500})""?\s{0,9}\)/gi;

/** Returns a table whose links with words are written as Markdown has them. */
function withWords(text: string): string {
  return text.replace(FORMULA, '[$2]($1)');
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

/** Findings of a message, or in a part from its beginning. */
interface MessagePart {
  readonly message: Message | null;
  readonly isPart: boolean;
}

/** Size of the first part, in bytes, and how much larger each further part is. */
const FIRST_PART = 64 * 1024;
const GROWTH = 16;

/**
 * Reads a message as {@link readMessage} does, but first its beginning, so that what its reader found is known even if
 * the rest takes too long. Yields what was found in growing parts, last in the whole; parts have `isWhole` false.
 */
export async function* readInParts(
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  isSpent: () => boolean,
  trust: AuthenticationTrust,
): AsyncGenerator<MessagePart> {
  let found: Message | null = null;
  for (let size = FIRST_PART; 2 * size <= bytes.length; size *= GROWTH) {
    const part = joined(await readMessage(bytes.slice(0, size), name, isSpent, null, trust), found);
    found = part && { ...part, isWhole: false };
    yield { message: found, isPart: true };
  }
  yield { message: joined(await readMessage(bytes, name, isSpent, null, trust), found), isPart: false };
}

/** Returns a message with the links of an earlier part of it, which count if it was not read that far. */
function joined(message: Message | null, part: Message | null): Message | null {
  if (message === null || part === null || message.isWhole) return message;
  return { ...message, links: withoutRepeats([...message.links, ...part.links], createReading()) };
}
