import PostalMime, { type Attachment } from 'postal-mime';
import { decodeHtml } from '#src/html/charset.ts';
import { cellsOf } from './cells.ts';
import { looksLikeHtml, looksLikeMail } from './kind.ts';
import { linksInHtml } from './links-in-html.ts';
import { linksInText } from './links-in-text.ts';
import { type MessageLink, withoutRepeats } from './message-link.ts';

/** A picture that came with a message, in which a code may stand. */
export interface MessagePicture {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What was found in a file or in what somebody pasted. */
export interface Message {
  readonly kind: 'mail' | 'html' | 'text';
  readonly links: readonly MessageLink[];
  /** Those of a mail; their content is not looked at here. */
  readonly pictures: readonly MessagePicture[];
  /** Names of attachments that are not read. */
  readonly unread: readonly string[];
}

/** Mails within mails are read so deep. */
const MAX_DEPTH = 4;

/**
 * Finds the links of a message: a mail (`.eml`, `.mht`), HTML, a table (`.csv`, `.tsv`) or any other text, told apart by what
 * it holds, and by its name where that leaves a doubt. Null for what is no text, such as Outlook's `.msg`. Nothing is loaded.
 */
export async function readMessage(bytes: Uint8Array<ArrayBuffer>, name = ''): Promise<Message | null> {
  return isBinary(bytes) ? null : await read(bytes, name.toLowerCase(), 0);
}

async function read(bytes: Uint8Array<ArrayBuffer>, name: string, depth: number): Promise<Message> {
  const { text } = decodeHtml(bytes, null);
  if (/\.(?:eml|mht|mhtml|emlx?)$/.test(name) || looksLikeMail(text)) return await readMail(bytes, depth);
  if (/\.(?:x?html?|shtml|svg)$/.test(name) || looksLikeHtml(text))
    return { ...EMPTY, kind: 'html', links: linksInHtml(text) };
  const lines = /\.[ct]sv$/.test(name) ? cellsOf(text).join('\n\n') : text;
  return { ...EMPTY, kind: 'text', links: linksInText(lines).links };
}

const EMPTY = { pictures: [], unread: [] } as const;

async function readMail(bytes: Uint8Array<ArrayBuffer>, depth: number): Promise<Message> {
  const mail = await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer' });
  const links = [...linksInHtml(mail.html ?? ''), ...linksInText(mail.text ?? '').links];
  const pictures: MessagePicture[] = [];
  const unread: string[] = [];
  for (const attachment of mail.attachments) {
    const content = contentOf(attachment);
    const { mimeType } = attachment;
    const name = attachment.filename ?? mimeType;
    if (/^image\/(?!svg)/.test(mimeType)) pictures.push({ name, contentType: mimeType, bytes: content });
    else if (isBinary(content) || depth >= MAX_DEPTH) unread.push(name);
    else {
      const isMail = mimeType === 'message/rfc822';
      const inner = isMail ? await readMail(content, depth + 1) : await read(content, name.toLowerCase(), depth + 1);
      links.push(...inner.links);
      pictures.push(...inner.pictures);
      unread.push(...inner.unread);
    }
  }
  return { kind: 'mail', links: withoutRepeats(links), pictures, unread };
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
