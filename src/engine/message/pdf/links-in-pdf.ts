import { readUrl } from '#src/core/url/read-url.ts';
import { type MessageLink, messageLink, withoutRepeats } from '../message-link.ts';
import { classifyTarget, type NonWebTarget } from '../non-web-target.ts';
import { bitmapPicture, type GrayPixels, type MessagePicture } from '../pictures.ts';
import type { Reading } from '../reading.ts';
import { drawnCodes } from '../text/drawn-code.ts';
import { isBareAddress } from '../text/hosts-in-text.ts';
import { linksInText } from '../text/links-in-text.ts';
import { type ContentReader, contentReader, type PageText } from './page-content.ts';
import { openPdf, type PdfDocument, type PdfObject } from './pdf-document.ts';
import { pdfPicture } from './pdf-picture.ts';
import { asArray, asDictionary, asNumber, asText, type PdfDictionary, type PdfValue } from './pdf-syntax.ts';

/** Maximum length of an address, in characters, and nesting of actions in an object. */
const MAX_ADDRESS = 8192;
const MAX_NESTING = 40;

/** Yields the addresses of actions within an object: links, and targets of forms (ISO 32000-1 §12.6.4.7, §12.7.5.2). */
function* actionAddresses(value: PdfValue, document: PdfDocument, depth = 0): Generator<string> {
  if (typeof value !== 'object' || value === null || depth > MAX_NESTING) return;
  if (value instanceof Map) {
    const address = actionAddress(value.get('URI'), document);
    if (address !== '') yield address;
    const target = actionAddress(value.get('F'), document);
    if (/^https?:/i.test(target)) yield target;
  }
  const inner: Iterable<PdfValue> = value instanceof Map ? value.values() : Array.isArray(value) ? value : [];
  for (const one of inner) yield* actionAddresses(one, document, depth + 1);
}

/** Returns an address that a string or a reference to one states; empty if none does. */
function actionAddress(value: PdfValue | undefined, { resolve }: PdfDocument): string {
  const string = asText(resolve(value)).slice(0, MAX_ADDRESS);
  // A mark of UTF-16, of which the address has every second byte.
  return (string.startsWith('\u00fe\u00ff') ? string.slice(2).replaceAll('\0', '') : string).trim();
}

/** Returns an address as a web address, completed if it has no scheme; null for any other. */
function webUrl(address: string): string | null {
  const url = readUrl(isBareAddress(address) ? `http://${address}` : address);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null;
}

/** Links of a PDF document, and its pictures, which may have codes. */
export interface PdfReading {
  readonly links: readonly MessageLink[];
  readonly nonWeb: readonly NonWebTarget[];
  readonly pictures: readonly MessagePicture[];
  /** False if it is encrypted or damaged, or a part of it was not read. */
  readonly isWhole: boolean;
}

/** Maximum number of addresses, pages, parts of a page, pictures, and bytes of pictures. */
const MAX_ADDRESSES = 2000;
const MAX_PAGES = 1000;
const MAX_PARTS = 1000;
const MAX_PICTURES = 30;
const MAX_PICTURE_BYTES = 24 * 1024 * 1024;

/** Returns true for a PDF document, whose mark may follow other bytes. */
export function isPdf(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 1024)).includes('%PDF-');
}

/**
 * Reads the links of a document, of its annotations and in its text, and its pictures, including drawings that may be codes. Nothing
 * of an encrypted document is read. Never throws; hostile documents end at the limits.
 */
export async function linksInPdf(bytes: Uint8Array<ArrayBuffer>, name: string, reading: Reading): Promise<PdfReading> {
  const document = await openPdf(bytes, reading.isSpent);
  if (document.isEncrypted) return { links: [], nonWeb: [], pictures: [], isWhole: false };
  const findings = openFindings(name, document, reading);
  const reader = contentReader(document, reading.isSpent);
  let pages = 0;
  for (const { value } of document.objects) {
    const page = asDictionary(value);
    if (asText(document.resolve(page.get('Type'))) !== 'Page') continue;
    if (++pages > MAX_PAGES || reading.isSpent()) {
      findings.leaveOut();
      break;
    }
    await readPage(page, { document, reader, findings, reading });
  }
  for (const object of document.objects) {
    for (const address of actionAddresses(object.value, document)) findings.addAddress(address, '');
    const isPicture = asText(document.resolve(asDictionary(object.value).get('Subtype'))) === 'Image';
    if (isPicture && object.packed !== null) await findings.addPicture(object);
  }
  const found = findings.reading();
  return { ...found, isWhole: found.isWhole && pages > 0 && document.isWhole };
}

interface Work {
  readonly document: PdfDocument;
  readonly reader: ContentReader;
  readonly findings: Findings;
  readonly reading: Reading;
}

async function readPage(page: PdfDictionary, { document, reader, findings, reading }: Work): Promise<void> {
  const { resolve, objectAt } = document;
  const written = resolve(page.get('Contents'));
  const parts = Array.isArray(written) ? written.slice(0, MAX_PARTS) : [page.get('Contents')];
  const content = await reader.read(
    parts.flatMap((one) => objectAt(one) ?? []),
    page,
  );
  findings.addText(content.text);
  if (!content.isWhole) findings.leaveOut();
  for (const picture of content.pictures) await findings.addPicture(picture);
  const pixels = content.shapes.pixels();
  if (pixels !== null) findings.addDrawing(pixels);
  const annotations = asArray(resolve(page.get('Annots'))).slice(0, MAX_ADDRESSES);
  for (const annotation of annotations.map((one) => asDictionary(resolve(one)))) {
    if (reading.isSpent()) break;
    const address = actionAddress(asDictionary(resolve(annotation.get('A'))).get('URI'), document);
    if (address !== '') findings.addAddress(address, wordsAt(annotation, content.text, document));
    for (const form of formsOf(annotation, document)) {
      const shown = await reader.read([form], asDictionary(form.value));
      findings.addText(shown.text);
      if (!shown.isWhole) findings.leaveOut();
    }
  }
}

/** Returns the words where an annotation can be clicked. */
function wordsAt(annotation: PdfDictionary, text: PageText, { resolve }: PdfDocument): string {
  const corners = asArray(resolve(annotation.get('Rect'))).map((one) => asNumber(resolve(one)));
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = corners;
  return text.within([Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]);
}

/** Returns the forms that draw an annotation in its usual states (§12.5.5). */
function formsOf(annotation: PdfDictionary, { resolve, objectAt }: PdfDocument): PdfObject[] {
  const usual = asDictionary(resolve(annotation.get('AP'))).get('N');
  const form = objectAt(usual);
  const states = form?.packed ? [] : [...asDictionary(resolve(usual)).values()].slice(0, MAX_PARTS);
  return [form, ...states.map(objectAt)].filter((one): one is PdfObject => one !== null && one.packed !== null);
}

/** Findings of a document while it is read. */
interface Findings {
  /** Adds an address that can be clicked, and the words in its place; each counts once. */
  addAddress(address: string, words: string): void;
  addText(text: PageText): void;
  addPicture(picture: PdfObject): Promise<void>;
  addDrawing(pixels: GrayPixels): void;
  leaveOut(): void;
  reading(): PdfReading;
}

function openFindings(name: string, document: PdfDocument, reading: Reading): Findings {
  const words = new Map<string, string>();
  const links: MessageLink[] = [];
  const pictures: MessagePicture[] = [];
  let pictureBytes = 0;
  let isWhole = true;

  function leaveOut(): void {
    isWhole = false;
  }

  function keep(picture: MessagePicture): void {
    if (pictures.length >= MAX_PICTURES || pictureBytes >= MAX_PICTURE_BYTES) {
      leaveOut();
      return;
    }
    pictureBytes += picture.bytes.length;
    pictures.push(picture);
  }

  return {
    leaveOut,
    addAddress(address, shown) {
      if (words.size >= MAX_ADDRESSES && !words.has(address)) leaveOut();
      else if ((words.get(address) ?? '') === '') words.set(address, shown);
    },
    addText(page) {
      const text = page.text();
      if (text === '') return;
      links.push(...linksInText(text, reading).links);
      for (const code of drawnCodes(text)) keep(code);
    },
    async addPicture(object) {
      if (pictures.length >= MAX_PICTURES || reading.isSpent()) return leaveOut();
      const picture = await pdfPicture(object, name, document);
      if (picture === 'unread') leaveOut();
      else if (picture !== 'blank') keep(picture);
    },
    addDrawing: (pixels) => keep(bitmapPicture(name, pixels)),
    reading() {
      const targets = [...words].map(([address, shown]) => ({ address, shown, url: webUrl(address) }));
      // The words in front of a target that is another one.
      const inWords = new Set(targets.flatMap(({ shown }) => linksInText(shown).links.map(({ url }) => url)));
      const clicked = targets.flatMap(({ url, shown }) => (url === null ? [] : messageLink(url, shown)));
      return {
        links: withoutRepeats([...clicked, ...links.filter(({ url }) => !inWords.has(url))], reading),
        nonWeb: targets.flatMap(({ address, shown, url }) =>
          url === null ? (classifyTarget(address, shown) ?? []) : [],
        ),
        pictures,
        isWhole,
      };
    },
  };
}
