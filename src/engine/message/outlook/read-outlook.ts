import PostalMime, { type Attachment, type Email, type Header } from 'postal-mime';
import { decodeText } from '../decode-text.ts';
import { type InnerReader, readEmail } from '../mail/read-mail.ts';
import type { MessageContents } from '../message.ts';
import { withoutRepeats } from '../message-link.ts';
import type { Reading } from '../reading.ts';
import { openCompoundFile, type Storage } from './compound-file.ts';
import { codePageDecoder, rtfMarkup, unpackRtf } from './rtf-markup.ts';

/** Properties of a message or of an attachment (MS-OXMSG §2.1, §2.4). */
interface MessageProperties {
  /** Returns a text; empty if it is absent. */
  text(id: number): string;
  bytes(id: number): Uint8Array<ArrayBuffer> | null;
  /** Returns a number of at most 32 bits, or true as 1; null if it is absent. */
  number(id: number): number | null;
  /** Returns a time in ISO 8601; null if it is absent. */
  time(id: number): string | null;
}

/** Bytes before the entries: of a message, of one within another, and of an attachment (§2.4.1). */
const PROPERTY_HEADER = { message: 32, inner: 24, attachment: 8 } as const;

const ENTRY_BYTES = 16;

/** Types of properties (MS-OXCDATA §2.11.1) as streams are named. */
const [WIDE, NARROW, BINARY] = ['001F', '001E', '0102'] as const;

/** The code page of narrow texts: that of the message, then that of its body. */
const CODE_PAGES = [0x3ffd, 0x3fde];

/** Maximum length of a text, in bytes. */
const MAX_TEXT = 8 * 1024 * 1024;

/** 100-nanosecond intervals of a millisecond, and milliseconds from 1601 to 1970. */
const INTERVALS = 10_000n;
const EPOCH = 11_644_473_600_000n;

function messageProperties(storage: Storage, headerBytes: number): MessageProperties {
  const table = storage.stream('__properties_version1.0') ?? new Uint8Array();
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  const places = new Map<number, number>();
  for (let at = headerBytes; at + ENTRY_BYTES <= table.length; at += ENTRY_BYTES)
    places.set(view.getUint16(at + 2, true), at + 8);
  const number = (id: number) => {
    const at = places.get(id);
    return at === undefined ? null : view.getInt32(at, true);
  };
  const stream = (id: number, type: string) =>
    storage.stream(`__substg1.0_${id.toString(16).toUpperCase().padStart(4, '0')}${type}`);
  const codePage = CODE_PAGES.reduce<number | null>((found, id) => found ?? number(id), null);
  return {
    number,
    bytes: (id) => stream(id, BINARY),
    text(id) {
      const wide = stream(id, WIDE)?.subarray(0, MAX_TEXT);
      if (wide !== undefined) return withoutEnd(new TextDecoder('utf-16le').decode(wide));
      const narrow = stream(id, NARROW)?.subarray(0, MAX_TEXT);
      return narrow === undefined ? '' : withoutEnd(codePageDecoder(codePage ?? 1252).decode(narrow));
    },
    time(id) {
      const at = places.get(id);
      if (at === undefined) return null;
      const date = new Date(Number(view.getBigUint64(at, true) / INTERVALS - EPOCH));
      return Number.isNaN(date.getTime()) ? null : date.toISOString();
    },
  };
}

/** Returns a text without the zeros at its end. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 0) end--;
  return text.slice(0, end);
}

/** Properties that are read (MS-OXPROPS). */
const ID = {
  subject: 0x0037,
  sent: 0x0039,
  headers: 0x007d,
  representedName: 0x0042,
  representedAddress: 0x0065,
  representedSmtp: 0x5d02,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  senderSmtp: 0x5d01,
  delivered: 0x0e06,
  text: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  displayName: 0x3001,
  data: 0x3701,
  shortName: 0x3704,
  longName: 0x3707,
  path: 0x370d,
  mediaType: 0x370e,
  contentId: 0x3712,
  isHidden: 0x7ffe,
} as const;

/** An attachment that is a message of its own. */
const INNER_MESSAGE = '__substg1.0_3701000D';

/** Maximum number of attachments. */
const MAX_ATTACHMENTS = 1000;

/** Reads a message that Outlook saved, as a mail with the same content. Never throws; hostile files end at the limits. */
export async function readOutlook(
  bytes: Uint8Array<ArrayBuffer>,
  reading: Reading,
  readPart: InnerReader,
): Promise<MessageContents> {
  const file = openCompoundFile(bytes);
  const contents = await readStorage(file.root, PROPERTY_HEADER.message, reading, readPart);
  if (!file.isWhole) reading.leaveOut();
  return contents;
}

async function readStorage(
  storage: Storage,
  headerBytes: number,
  reading: Reading,
  readPart: InnerReader,
): Promise<MessageContents> {
  const properties = messageProperties(storage, headerBytes);
  const attached = [...storage.storages].filter(([name]) => name.startsWith('__attach_')).map(([, one]) => one);
  if (attached.length > MAX_ATTACHMENTS) reading.leaveOut();
  const attachments = attached.slice(0, MAX_ATTACHMENTS).map((one) => ({
    storage: one,
    properties: messageProperties(one, PROPERTY_HEADER.attachment),
  }));
  const files = attachments.flatMap((one) => attachment(one.properties));
  const paths = attachments.map((one) => one.properties.text(ID.path)).filter((path) => /^https?:/i.test(path));
  const own = await readEmail(await email(properties, files, paths), reading, readPart);
  const inner: MessageContents[] = [];
  for (const one of attachments) {
    const message = one.storage.storages.get(INNER_MESSAGE);
    if (message === undefined) continue;
    const name = fileName(one.properties) || 'message';
    if (reading.isSpent()) inner.push({ ...own, links: [], nonWeb: [], pictures: [], attachments: [], unread: [name] });
    else inner.push(named(await readStorage(message, PROPERTY_HEADER.inner, reading, readPart), name));
  }
  return {
    ...own,
    attachments: [...own.attachments, ...inner.flatMap(({ attachments: of }) => of)],
    links: withoutRepeats([...own.links, ...inner.flatMap(({ links }) => links)], reading),
    nonWeb: [...own.nonWeb, ...inner.flatMap(({ nonWeb }) => nonWeb)],
    pictures: [...own.pictures, ...inner.flatMap(({ pictures }) => pictures)],
    unread: [...own.unread, ...inner.flatMap(({ unread }) => unread)],
  };
}

/** Returns a message within another, whose links are those of a file. */
function named(contents: MessageContents, name: string): MessageContents {
  return { ...contents, links: contents.links.map((link) => ({ file: name, ...link })) };
}

/** Returns a message in the form in which mails are parsed. Programs show its sender by its properties, others by its header. */
async function email(
  properties: MessageProperties,
  attachments: Attachment[],
  paths: readonly string[],
): Promise<Email> {
  const written = properties.text(ID.headers).trim();
  const parsed = written === '' ? null : await parsedHeaders(written);
  const senders = [
    [
      properties.text(ID.representedName),
      properties.text(ID.representedSmtp) || properties.text(ID.representedAddress),
    ],
    [properties.text(ID.senderName), properties.text(ID.senderSmtp) || properties.text(ID.senderAddress)],
  ] as const;
  const known = (parsed?.headers ?? []).filter(({ key }) => key === 'from').map(({ value }) => value.toLowerCase());
  const from = new Set<string>();
  for (const [name, address] of senders) {
    const isNew = address.includes('@') && !known.some((one) => one.includes(address.toLowerCase()));
    if (isNew) from.add(`"${name.replace(/["\\\r\n]/g, '')}" <${address}>`);
  }
  const added = [...from].map((value): Header => ({ key: 'from', originalKey: 'From', value }));
  const rtf = properties.bytes(ID.rtf);
  const html = [htmlOf(properties), rtf === null ? '' : rtfMarkup(unpackRtf(rtf))]
    .filter((one) => one !== '')
    .join('<hr>');
  const date = parsed?.date ?? properties.time(ID.sent) ?? properties.time(ID.delivered);
  return {
    headerLines: [],
    ...parsed,
    headers: [...(parsed?.headers ?? []), ...added],
    subject: properties.text(ID.subject),
    ...(date !== null && { date }),
    html,
    text: [properties.text(ID.text), ...paths].join('\n\n'),
    attachments,
  };
}

async function parsedHeaders(written: string): Promise<Email | null> {
  try {
    return await PostalMime.parse(`${written.replace(/\r?\n\r?\n[\s\S]*$/, '')}\r\n\r\n`);
  } catch {
    return null; // There are more than the parser reads.
  }
}

/** Returns the markup, which most programs write as bytes. */
function htmlOf(properties: MessageProperties): string {
  const bytes = properties.bytes(ID.html);
  return bytes === null ? properties.text(ID.html) : decodeText(bytes);
}

function fileName(properties: MessageProperties): string {
  return properties.text(ID.longName) || properties.text(ID.shortName) || properties.text(ID.displayName);
}

/** Returns an attached file; empty for a message of its own, or a reference. */
function attachment(properties: MessageProperties): Attachment[] {
  const content = properties.bytes(ID.data);
  if (content === null) return [];
  const isInline = properties.number(ID.isHidden) === 1 && properties.text(ID.contentId) !== '';
  return [
    {
      filename: fileName(properties) || null,
      mimeType: properties.text(ID.mediaType) || 'application/octet-stream',
      disposition: isInline ? 'inline' : 'attachment',
      content: content.buffer,
    },
  ];
}
