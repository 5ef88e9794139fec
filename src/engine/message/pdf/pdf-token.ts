/** A piece of a document, and the offset behind it. */
export interface Token {
  readonly text: string;
  readonly end: number;
}

/** Maximum length of a string, and of a name or an operator, in bytes. */
const MAX_STRING = 32_768;
const MAX_WORD = 200;

const [LF, CR, OPEN, CLOSE, BACKSLASH, GREATER] = [0x0a, 0x0d, 0x28, 0x29, 0x5c, 0x3e] as const;

/** Returns true for white space between objects (ISO 32000-1 §7.2.2). */
export function isSpace(code: number | undefined): boolean {
  return code === 0x20 || code === LF || code === CR || code === 0x09 || code === 0x0c || code === 0;
}

function isDelimiter(code: number): boolean {
  return isSpace(code) || '()<>[]{}/%'.includes(String.fromCharCode(code));
}

/** Reads a literal string (§7.3.4.2), whose parentheses are in balance, from behind its first one. */
export function literalString(bytes: Uint8Array, start: number, end: number): Token {
  const codes: number[] = [];
  let depth = 1;
  let at = start;
  for (; at < end && codes.length < MAX_STRING; at++) {
    const code = bytes[at] ?? 0;
    if (code === BACKSLASH) {
      const escaped = escapedCharacter(bytes, at + 1);
      if (escaped.text !== '') codes.push(escaped.text.charCodeAt(0));
      at = escaped.end - 1;
      continue;
    }
    if (code === OPEN) depth++;
    if (code === CLOSE && --depth === 0) break;
    codes.push(code);
  }
  return { text: String.fromCharCode(...codes), end: at + 1 };
}

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Reads what follows a backslash: three octal digits, the end of a line, or one character. */
function escapedCharacter(bytes: Uint8Array, at: number): Token {
  const [octal] = /^[0-7]{1,3}/.exec(String.fromCharCode(...bytes.subarray(at, at + 3))) ?? [];
  if (octal !== undefined)
    return { text: String.fromCharCode(Number.parseInt(octal, 8) & 0xff), end: at + octal.length };
  const code = bytes[at] ?? 0;
  if (code === CR || code === LF) return { text: '', end: at + (code === CR && bytes[at + 1] === LF ? 2 : 1) };
  const character = String.fromCharCode(code);
  return { text: CONTROLS[character] ?? character, end: at + 1 };
}

/** Reads a string of hexadecimal digits (§7.3.4.3) from behind its `<`; a last digit alone is followed by a zero. */
export function hexadecimalString(bytes: Uint8Array, start: number, end: number): Token {
  const codes: number[] = [];
  let count = 0;
  let at = start;
  for (; at < end && bytes[at] !== GREATER && count < MAX_STRING; at++) {
    const digit = Number.parseInt(String.fromCharCode(bytes[at] ?? 0), 16);
    if (Number.isNaN(digit)) continue;
    codes[count >> 1] = count % 2 === 0 ? 16 * digit : (codes[count >> 1] ?? 0) + digit;
    count++;
  }
  return { text: String.fromCharCode(...codes), end: at + 1 };
}

/** Reads the characters up to the next delimiter; the text is cut if it is too long for a name. */
export function regularCharacters(bytes: Uint8Array, start: number, end: number): Token {
  let at = start;
  while (at < end && at - start < MAX_STRING && !isDelimiter(bytes[at] ?? 0)) at++;
  return { text: String.fromCharCode(...bytes.subarray(start, Math.min(at, start + MAX_WORD))), end: at };
}
