import type { PdfDocument } from './pdf-document.ts';
import { pdfSyntax } from './pdf-syntax.ts';
import { asText, type PdfValue } from './pdf-value.ts';

/** Reads the map of a font from codes to text (ISO 32000-1 §9.10.3). */
export function toUnicode(bytes: Uint8Array, document: PdfDocument): ReadonlyMap<number, string> {
  const map = new Map<number, string>();
  const syntax = pdfSyntax(bytes, 0, bytes.length, document.budget);
  let values: PdfValue[] = [];
  for (let one = syntax.next(); one !== undefined && document.codes > 0; one = syntax.next()) {
    const operator = typeof one === 'object' && one !== null && 'operator' in one ? one.operator : null;
    if (operator === null) values.push(one);
    else {
      if (operator === 'endbfchar')
        for (let at = 0; at < values.length; at += 2) addRange(values[at], values[at], values[at + 1]);
      if (operator === 'endbfrange')
        for (let at = 0; at < values.length; at += 3) addRange(values[at], values[at + 1], values[at + 2]);
      values = [];
    }
  }
  return map;

  function addRange(from: PdfValue | undefined, to: PdfValue | undefined, target: PdfValue | undefined): void {
    const [low, high] = [codeOf(asText(from)), codeOf(asText(to))];
    for (let code = low; code <= high && document.codes-- > 0; code++) {
      if (Array.isArray(target)) map.set(code, utf16(asText(target[code - low] as PdfValue)));
      else map.set(code, following(utf16(asText(target)), code - low));
    }
  }
}

function codeOf(text: string): number {
  return [...text.slice(0, 4)].reduce((sum, one) => 256 * sum + one.charCodeAt(0), 0);
}

function utf16(text: string): string {
  return (text.slice(0, 40).match(/[\s\S]{2}/g) ?? [])
    .map((pair) => String.fromCharCode(256 * pair.charCodeAt(0) + pair.charCodeAt(1)))
    .join('');
}

/** Returns a text whose last character is so many further on. */
function following(text: string, count: number): string {
  return text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + count);
}
