import { hasBidiReordering, plainLine } from '#src/core/base/text/untrusted-text.ts';
import { RISKY_FILES } from '#src/core/knowledge/words/mail-words.ts';
import { isCompoundFile } from './outlook/compound-file.ts';
import { isPdf } from './pdf/links-in-pdf.ts';

/**
 * Effects that opening an attached file can have. `program`: runs code or leads elsewhere; `disk`: opens as a disk, whose files carry
 * no mark of their origin; `macros`: a document with code; `page`: opens as a page in the browser; `disguised`: a program
 * whose name looks like that of a document.
 */
const ATTACHMENT_RISKS = ['disguised', 'program', 'disk', 'macros', 'page'] as const;

export type AttachmentRisk = (typeof ATTACHMENT_RISKS)[number];

/** Returns the risk of a file by its name, as the system opens it; null if there is none. */
export function attachmentRisk(name: string): AttachmentRisk | null {
  const [last = '', before = ''] = plainLine(name.slice(-MAX_NAME))
    .toLowerCase()
    .replace(/[\s.]{1,100}$/, '')
    .split('.')
    .toReversed();
  const risk = (['program', 'disk', 'macros', 'page'] as const).find((one) => RISKY_FILES[one].includes(last)) ?? null;
  const isDocument = RISKY_FILES.document.includes(before.trim());
  return risk !== null && risk !== 'macros' && (isDocument || hasBidiReordering(name)) ? 'disguised' : risk;
}

/** Length of the end of a name that is read, in UTF-16 code units. */
const MAX_NAME = 1000;

/**
 * How a file or a part of a mail is read. `outlook`: a mail that Outlook saved; `picture`: a picture that may contain a code; `unread`:
 * not at all.
 */
export type PartKind = 'mail' | 'outlook' | 'html' | 'text' | 'pdf' | 'picture' | 'unread';

/** Names of files that programs open as a mail, as a page, or as text, whatever bytes are in them. */
const MAIL_NAME = /\.(?:eml|emlx|mht|mhtml)$/;
const PAGE_NAME = /\.(?:[xs]?html?|xht|svg)$/;
const TEXT_NAME = /\.(?:txt|ics|ical|ifb|vcf|vcard|csv|tsv|md|log|json|xml|url|webloc)$/;

const PAGE_TYPE = /^(?:text\/html|application\/xhtml\+xml|image\/svg\+xml)$/;
const MAIL_TYPE = /^message\/(?:rfc822|global)$/;
const ENCRYPTED_TYPE = /^application\/(?:x-)?pkcs7-mime$/;

/** Bytes that are examined for binary content. */
const SAMPLE = 65_536;

/**
 * Returns how programs read a part: by its name, then by its type, and by its content only if these do not determine it.
 *
 * @param type media type in lower case; empty if unknown
 */
export function partKind(name: string, type: string, bytes: Uint8Array): PartKind {
  const file = plainLine(name)
    .toLowerCase()
    .replace(/[\s.]{1,100}$/, '');
  if (isOutlookMessage(file, bytes)) return 'outlook';
  if (MAIL_TYPE.test(type) || MAIL_NAME.test(file)) return 'mail';
  if (PAGE_NAME.test(file) || PAGE_TYPE.test(type)) return 'html';
  if (TEXT_NAME.test(file) || type.startsWith('text/')) return 'text';
  if (ENCRYPTED_TYPE.test(type)) return 'unread';
  if (isPdf(bytes)) return 'pdf';
  const isBinary = isBinaryContent(bytes);
  if (isBinary && (type.startsWith('image/') || isPicture(bytes))) return 'picture';
  return isBinary ? 'unread' : 'text';
}

/** Name of the table of properties of a message that Outlook saved, as a directory has it. */
const OUTLOOK_TABLE = [...'__properties_version'].join('\0');

/** Returns true for a message that Outlook saved, and not for other compound files. */
function isOutlookMessage(name: string, bytes: Uint8Array): boolean {
  if (!isCompoundFile(bytes)) return false;
  return name.endsWith('.msg') || new TextDecoder('latin1').decode(bytes).includes(OUTLOOK_TABLE);
}

/** First bytes of files of PNG, JPEG, GIF, WebP and BMP, as hexadecimal digits. */
const PICTURE = /^(?:89504e470d0a|ffd8ff|47494638|52494646.{8}57454250|424d.{8}00000000)/;

/** Returns true for a picture by its first bytes, whatever its sender calls it. */
function isPicture(bytes: Uint8Array): boolean {
  const digits = Array.from(bytes.subarray(0, 12), (byte) => byte.toString(16).padStart(2, '0'));
  return PICTURE.test(digits.join(''));
}

/** Returns true if a name or type makes a file XML, which is read by other rules than HTML. */
export function isXmlPart(name: string, type: string): boolean {
  return /\.(?:xhtml?|xht|svg)$/i.test(name) || (type !== 'text/html' && type.endsWith('+xml'));
}

/** Returns true if bytes are not text in an encoding of messages; UTF-16 begins with a mark. */
function isBinaryContent(bytes: Uint8Array): boolean {
  const isMarked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const isPdf = bytes[0] === 0x25 && bytes[1] === 0x50 && bytes[2] === 0x44 && bytes[3] === 0x46;
  return isPdf || (!isMarked && bytes.subarray(0, SAMPLE).includes(0));
}
