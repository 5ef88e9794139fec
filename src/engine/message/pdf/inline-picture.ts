import type { PdfObject } from './pdf-document.ts';
import type { PdfSyntax } from './pdf-syntax.ts';
import { asText, type PdfValue } from './pdf-value.ts';

/** Short names of the entries (ISO 32000-1 §8.9.7). */
const ENTRIES: Readonly<Record<string, string>> = {
  W: 'Width',
  H: 'Height',
  BPC: 'BitsPerComponent',
  CS: 'ColorSpace',
  F: 'Filter',
  DP: 'DecodeParms',
  IM: 'ImageMask',
  D: 'Decode',
};

/** Reads a picture that is written within a content, from behind its `BI` to behind its `EI`. */
export function inlinePicture(syntax: PdfSyntax, bytes: Uint8Array): PdfObject {
  const entries = new Map<string, PdfValue>();
  for (let key = syntax.next(); key !== undefined && asText(key) !== 'ID'; key = syntax.next()) {
    const name = asText(key);
    entries.set(ENTRIES[name] ?? name, syntax.next() ?? null);
  }
  const start = syntax.at + 1;
  let end = start;
  while (end < bytes.length && !isEnd(bytes, end)) end++;
  syntax.at = Math.min(bytes.length, end + 3);
  return { value: entries, packed: bytes.slice(start, end) };
}

/** Returns true for white space, `EI` and white space. */
function isEnd(bytes: Uint8Array, at: number): boolean {
  const after = bytes[at + 3] ?? 0x20;
  return (bytes[at] ?? 0) <= 0x20 && bytes[at + 1] === 0x45 && bytes[at + 2] === 0x49 && after <= 0x20;
}
