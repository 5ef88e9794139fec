import { codePageDecoder } from './code-page.ts';
import RTF from './rtf-words.json';

/** State of a group of Rich Text Format. */
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
