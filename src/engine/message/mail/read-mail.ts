import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { decodeText, unreadableIn } from '../decode-text.ts';
import { savedAt } from '../links-in-html.ts';
import { type MailHead, mailHead, mailTraits } from '../mail-head.ts';
import type { AttachedFile, MessageContents } from '../message.ts';
import { type MessageLink, withoutRepeats } from '../message-link.ts';
import { isSameSite } from '../mismatch.ts';
import type { NonWebTarget } from '../non-web-target.ts';
import { readPageMarkup } from '../page/read-page-markup.ts';
import { attachmentRisk, type PartKind, partKind } from '../part-kind.ts';
import { gatherLinks, type Reading } from '../reading.ts';
import { drawnCodes } from '../text/drawn-code.ts';
import { linksInText } from '../text/links-in-text.ts';
import { domainOf } from '../text/mail-address.ts';
import { repairMail } from './repair-mail.ts';

/** Reads a part of a mail that is a file of its own; its media type is in lower case. */
export type InnerReader = (
  bytes: Uint8Array<ArrayBuffer>,
  part: { readonly name: string; readonly type: string; readonly kind: PartKind },
) => Promise<MessageContents>;

/** Reads a mail. If programs differ in how they read it, the links of both readings are returned. */
export async function readMail(
  bytes: Uint8Array<ArrayBuffer>,
  reading: Reading,
  readPart: InnerReader,
): Promise<MessageContents> {
  const { readings, isWhole } = repairMail(bytes);
  if (!isWhole) reading.leaveOut();
  const [first, second] = await Array.fromAsync(readings, (one) => readParsed(one, reading, readPart));
  if (first === undefined) throw new Error('a mail has at least one reading');
  if (second === undefined) return first;
  return {
    ...first,
    links: withoutRepeats([...first.links, ...second.links], reading),
    attachments: distinct([...first.attachments, ...second.attachments]),
    nonWeb: distinct([...first.nonWeb, ...second.nonWeb]),
    pictures: [...first.pictures, ...second.pictures],
    unread: distinct([...first.unread, ...second.unread]),
  };
}

const distinct = <T>(values: readonly T[]): T[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

async function readParsed(
  bytes: Uint8Array<ArrayBuffer>,
  reading: Reading,
  readPart: InnerReader,
): Promise<MessageContents> {
  // The garbage of each step may be collected before the next.
  reading.isSpent();
  const mail = await parse(bytes);
  reading.isSpent();
  if (mail === null) {
    reading.leaveOut();
    const { links } = linksInText(decodeText(bytes), reading);
    return { kind: 'mail', head: null, attachments: [], links, nonWeb: [], pictures: [], unread: [] };
  }
  return await readEmail(mail, reading, readPart);
}

/** Reads a mail that has been parsed. */
export async function readEmail(mail: Email, reading: Reading, readPart: InnerReader): Promise<MessageContents> {
  const { html = '', text = '' } = mail;
  reading.takeText();
  const markup = readPageMarkup(html, reading, savedAt(mail.headers));
  const links = gatherLinks(reading);
  const shown = html === '' ? text.slice(0, MAX_SHOWN_TEXT) : reading.takeText();
  links.add(markup.links);
  links.add(withoutShownWords(linksInText(text, reading).links, markup));
  links.add(linksInHeaders(mail, reading));
  const nonWeb = [...markup.nonWeb];
  const pictures = [...markup.pictures, ...drawnCodes(text)];
  const unread = [...new Set([...unreadableIn(text, 'text'), ...unreadableIn(html, 'text')])];
  for (const attachment of mail.attachments) {
    const content = contentOf(attachment);
    const type = attachment.mimeType.toLowerCase();
    const name = attachment.filename ?? type;
    const kind = partKind(attachment.filename ?? '', type, content);
    if (content.length === 0) continue;
    if (kind === 'picture' && !reading.isSpent()) pictures.push({ name, contentType: type, bytes: content });
    else if (kind === 'unread' || reading.isSpent()) unread.push(name);
    else {
      const inner = await readPart(content, { name, type, kind });
      links.add(inner.links.map((link) => ({ file: name, ...link })));
      nonWeb.push(...inner.nonWeb);
      pictures.push(...inner.pictures);
      unread.push(...inner.unread);
    }
  }
  const attachments = mail.attachments.flatMap(attachedFile);
  const head = mailHead(mail, reading.trust);
  const told = links.distinct().map((link) => withoutOwnTracker(link, head));
  const isMarkupOnly = html !== '' && text.trim() === '';
  const traits = { text: shown.toWellFormed(), isMarkupOnly, mail: mailTraits(mail.headers, head.from.length) };
  return { kind: 'mail', head, traits, attachments, links: told, nonWeb, pictures, unread };
}

/** Maximum length of plain text that the verdict weighs, in UTF-16 code units. */
const MAX_SHOWN_TEXT = 16_384;

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
  return [{ name: filename ?? mimeType, contentType: mimeType, sizeBytes, risk: attachmentRisk(filename ?? '') }];
}

/**
 * Returns the links of the plain text without those that the HTML shows in front of a target that is not a web address.
 */
function withoutShownWords(
  links: readonly MessageLink[],
  { nonWeb }: { readonly nonWeb: readonly NonWebTarget[] },
): MessageLink[] {
  const shown = new Set(nonWeb.flatMap(({ words }) => linksInText(words ?? '').links.map(({ url }) => url)));
  return links.filter(({ url }) => !shown.has(url));
}

/** Parses a mail; null if it exceeds the parser's limits of nested parts or headers. */
async function parse(bytes: Uint8Array<ArrayBuffer>): Promise<Email | null> {
  try {
    // Mails within it are repaired as well.
    return await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer', forceRfc822Attachments: true });
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
