/** Writes HTML of at most a number of characters. */
export interface MarkupWriter {
  open(name: string, attributes: readonly (readonly [name: string, value: string])[]): void;
  close(name: string): void;
  text(text: string): void;
  /** True if something did not fit. */
  readonly isCut: boolean;
  bytes(): Uint8Array;
}

/** Elements without content, whose end tag is not written (HTML Standard, void elements). */
export const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'wbr']);

/** Creates an empty document. */
export function createMarkupWriter(maxCharacters: number): MarkupWriter {
  const parts: string[] = ['<!doctype html>'];
  let left = maxCharacters;
  let isCut = false;
  const write = (part: string) => {
    left -= part.length;
    if (left < 0) isCut = true;
    else parts.push(part);
  };
  return {
    open: (name, attributes) =>
      write(`<${name}${attributes.map(([key, value]) => ` ${key}="${escapeMarkup(value)}"`).join('')}>`),
    close: (name) => {
      if (!VOID.has(name)) write(`</${name}>`);
    },
    text: (text) => write(escapeMarkup(text)),
    get isCut() {
      return isCut;
    },
    bytes: () => new TextEncoder().encode(parts.join('')),
  };
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
