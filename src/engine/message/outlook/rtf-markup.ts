import CODE_PAGES from './code-pages.json';
import PACKED_RTF from './packed-rtf.json';
import RTF from './rtf-words.json';

/** Maximum size of the unpacked text, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Marks of the header (MS-OXRTFCP §2.1.3): packed, or as it is. */
const PACKED = 0x75465a4c;
const PLAIN = 0x414c454d;

const HEADER_BYTES = 16;

const { dictionary: FIRST_DICTIONARY } = PACKED_RTF;

const DICTIONARY_BYTES = 4096;

/** Unpacks the text of a message in Rich Text Format, up to an error or a limit; empty if it has no such header. */
export function unpackRtf(packed: Uint8Array): Uint8Array {
  if (packed.length < HEADER_BYTES) return new Uint8Array();
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const [size, mark] = [view.getUint32(4, true), view.getUint32(8, true)];
  if (mark === PLAIN) return packed.subarray(HEADER_BYTES, HEADER_BYTES + size);
  if (mark !== PACKED) return new Uint8Array();
  // A token of two bytes stands for at most 17.
  const text = new Uint8Array(Math.min(size, MAX_BYTES, 9 * packed.length));
  const dictionary = new Uint8Array(DICTIONARY_BYTES);
  dictionary.set(new TextEncoder().encode(FIRST_DICTIONARY));
  let written = FIRST_DICTIONARY.length;
  let length = 0;
  const write = (byte: number) => {
    text[length++] = byte;
    dictionary[written++ % DICTIONARY_BYTES] = byte;
  };
  for (let at = HEADER_BYTES; at < packed.length; ) {
    const control = packed[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < packed.length; bit++) {
      if (length >= text.length) return text;
      if (((control >> bit) & 1) === 0) {
        write(packed[at++] ?? 0);
        continue;
      }
      const token = ((packed[at] ?? 0) << 8) | (packed[at + 1] ?? 0);
      at += 2;
      const offset = token >> 4;
      if (offset === written % DICTIONARY_BYTES) return text.subarray(0, length);
      for (let index = 0; index < (token & 15) + 2 && length < text.length; index++)
        write(dictionary[(offset + index) % DICTIONARY_BYTES] ?? 0);
    }
  }
  return text.subarray(0, length);
}

interface Group {
  /** True if its content is not shown. */
  isHidden: boolean;
  /** True for markup of the original. */
  isMarkup: boolean;
  /** True if it repeats the markup in Rich Text Format. */
  isRepeated: boolean;
  /** True for the instruction of a field. */
  isInstruction: boolean;
  /** True for a field, with its instruction and its words. */
  isField: boolean;
  /** Characters after a Unicode character that stand for it in other programs. */
  fallback: number;
}

const CHARACTERS: Readonly<Record<string, string>> = RTF.characters;

/** A control word or symbol, a character by its byte, a brace, or text. */
const TOKEN = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([\s\S])|([{}])|([^\\{}\r\n]{1,4096})|[\r\n]+/giy;

/** Maximum nesting of groups, and length of an instruction. */
const MAX_DEPTH = 500;
const MAX_INSTRUCTION = 8192;

/**
 * Returns the markup of a text in Rich Text Format: its HTML if it was made of some (MS-OXRTFEX), otherwise its words with their
 * links. Never throws; runs in linear time.
 */
export function rtfMarkup(bytes: Uint8Array): string {
  const rtf = new TextDecoder('latin1').decode(bytes);
  const isFromHtml = /^\s{0,100}\{\\rtf[\s\S]{0,2000}?\\fromhtml1/.test(rtf.slice(0, 3000));
  let decoder = codePageDecoder(1252);
  let group: Group = {
    isHidden: false,
    isMarkup: false,
    isRepeated: false,
    isInstruction: false,
    isField: false,
    fallback: 1,
  };
  const outer: Group[] = [];
  const parts: string[] = [];
  let pending: number[] = [];
  let instruction = '';
  let isDestination = false;
  let skipped = 0;
  let isOpen = false;

  function flush(): void {
    const text = pending.length === 0 ? '' : decoder.decode(Uint8Array.from(pending));
    pending = [];
    put(text);
  }

  function put(text: string): void {
    if (text === '' || text === '\0' || group.isHidden || (isFromHtml && group.isRepeated)) return;
    if (group.isInstruction) instruction = (instruction + text).slice(0, MAX_INSTRUCTION);
    else parts.push(isFromHtml ? (group.isMarkup ? text : escaped(text)) : escaped(text).replaceAll('\n', '<br>\n'));
  }

  /** The target of a field is known at the end of its instruction; the link ends with the field. */
  function endInstruction(): void {
    const [, target = ''] = /HYPERLINK\s{1,20}(?:\\\S{1,2}\s{1,20})?"([^"]{1,8192})"/i.exec(instruction) ?? [];
    instruction = '';
    if (target === '' || isFromHtml) return;
    if (isOpen) parts.push('</a>');
    parts.push(`<a href="${escaped(target)}">`);
    isOpen = true;
  }

  function closeLink(): void {
    if (isOpen) parts.push('</a>');
    isOpen = false;
  }

  function begin(): void {
    if (outer.length < MAX_DEPTH) outer.push(group);
    group = { ...group };
  }

  function end(): void {
    const before = outer.pop();
    if (before === undefined) return;
    if (group.isInstruction && !before.isInstruction) endInstruction();
    if (group.isField && !before.isField) closeLink();
    group = before;
  }

  function word(name: string, value: number | null): void {
    if (name === 'htmltag' && isFromHtml) {
      group.isMarkup = true;
      group.isHidden = false;
    } else if (name === 'field') group.isField = true;
    else if (name === 'fldinst') group.isInstruction = true;
    else if (isDestination || RTF.hidden.includes(name)) group.isHidden = true;
    else if (name === 'htmlrtf') group.isRepeated = value !== 0;
    else if (name === 'ansicpg') decoder = codePageDecoder(value ?? 1252);
    else if (name === 'uc') group.fallback = Math.min(value ?? 1, 10);
    else if (name === 'u') {
      put(String.fromCharCode((value ?? 0) & 0xffff));
      skipped = group.fallback;
    } else put(CHARACTERS[name] ?? '');
    isDestination = false;
  }

  for (const [, name, value, byte, symbol, brace, text] of rtf.matchAll(TOKEN)) {
    if (byte !== undefined) {
      if (skipped > 0) skipped--;
      else pending.push(Number.parseInt(byte, 16));
      continue;
    }
    if (pending.length > 0) flush();
    if (brace === '{') begin();
    else if (brace === '}') end();
    else if (name !== undefined) word(name, value === undefined ? null : Number(value));
    else if (symbol === '*') isDestination = true;
    else if (symbol !== undefined) put(CHARACTERS[symbol] ?? (/[\r\n]/.test(symbol) ? '\n' : symbol));
    else if (text !== undefined) {
      put(text.slice(skipped));
      skipped = Math.max(0, skipped - text.length);
    }
  }
  flush();
  closeLink();
  return parts.join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Returns the decoder of a code page of Windows; that of Western Europe if it is unknown. */
export function codePageDecoder(number: number): TextDecoder {
  const known = (CODE_PAGES.entries as Readonly<Record<string, string>>)[number];
  const latin = number > 28590 && number < 28606 ? `iso-8859-${number - 28590}` : `windows-${number}`;
  try {
    // An unknown name is an error.
    return new TextDecoder((known ?? latin) as ConstructorParameters<typeof TextDecoder>[0]);
  } catch {
    return new TextDecoder('windows-1252');
  }
}
