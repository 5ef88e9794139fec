const KNOWN_NAMES = 1024;

/**
 * Returns a reader of the names in a text, in lower case if asked for. One that was met before in the same spelling is
 * compared in place, which is several times faster than cutting it out.
 */
export function readNames(source: string, isLowerCase: boolean): (start: number, length: number) => string {
  const known: string[] = [];
  return (start, length) => {
    const slot = (source.charCodeAt(start) * 31 + source.charCodeAt(start + length - 1) * 7 + length) % KNOWN_NAMES;
    const met = known[slot];
    if (met !== undefined && met.length === length && source.startsWith(met, start)) return met;
    const written = source.slice(start, start + length);
    const name = isLowerCase ? written.toLowerCase() : written;
    if (name === written) known[slot] = written;
    return name;
  };
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
};

/** Replaces the escapes of a string, template or name of JavaScript. */
export function unescapeLiteral(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|([0-3][0-7]{0,2}|[4-7][0-7]?)|(\r\n|[\s\S]))/gi,
    (_, x, u, braced, octal, other) => {
      const hex: string | undefined = x ?? u ?? braced;
      if (hex === undefined && octal === undefined) return /^[\n\r]/.test(other) ? '' : (SHORT_ESCAPES[other] ?? other);
      const codePoint = hex === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16);
      return codePoint > 0x10ffff ? '' : String.fromCodePoint(codePoint);
    },
  );
}

/** Returns the end of the comment that begins at a position; null if none does. `<!--` and `#!` begin one, too. */
export function skipComment(source: string, at: number, code: number): number | null {
  if (code === 0x2f) {
    const next = source.charCodeAt(at + 1);
    if (next === 0x2f) return lineEnd(source, at);
    if (next !== 0x2a) return null;
    const end = source.indexOf('*/', at + 2);
    return end === -1 ? source.length : end + 2;
  }
  if (code === 0x3c && source.startsWith('<!--', at)) return lineEnd(source, at);
  if (
    code === 0x2d &&
    source.startsWith('-->', at) &&
    /(?:^|[\n\r])\s{0,50}$/.test(source.slice(Math.max(0, at - 51), at))
  )
    return lineEnd(source, at);
  return null;
}

function lineEnd(source: string, start: number): number {
  for (let at = start; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029) return at;
  }
  return source.length;
}

/** Returns the end of a string; one that its line does not end, ends with the line. */
export function skipString(source: string, start: number): number {
  const quote = source.charCodeAt(start);
  for (let at = start + 1; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === 0x5c) at += source.startsWith('\r\n', at + 1) ? 2 : 1;
    else if (code === 0x0a || code === 0x0d) return at;
  }
  return source.length;
}

/** Returns the end of a piece of a template; `isOpen` if an expression follows it. */
export function skipTemplate(source: string, start: number): { end: number; isOpen: boolean } {
  for (let at = start + 1; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === 0x60) return { end: at + 1, isOpen: false };
    if (code === 0x5c) at += 1;
    else if (code === 0x24 && source.charCodeAt(at + 1) === 0x7b) return { end: at + 2, isOpen: true };
  }
  return { end: source.length, isOpen: false };
}

/** Returns the end of a regular expression with its flags; not whole if its line ends before it. */
export function skipRegex(source: string, start: number): { end: number; isWhole: boolean } {
  let inClass = false;
  for (let at = start + 1; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === 0x0a || code === 0x0d) return { end: at, isWhole: false };
    if (code === 0x5c) at += 1;
    else if (code === 0x5b) inClass = true;
    else if (code === 0x5d) inClass = false;
    else if (code === 0x2f && !inClass) return { end: skipWord(source, at + 1), isWhole: true };
  }
  return { end: source.length, isWhole: false };
}

/** Returns the end of a number, with its exponent and suffix. */
export function skipNumber(source: string, start: number): number {
  let at = start;
  for (;;) {
    const code = source.charCodeAt(at);
    const isSign = code === 0x2b || code === 0x2d;
    if (isSign ? !/^[\d._]{1,40}e$/i.test(source.slice(start, at)) : !isWordPart(code) && code !== 0x2e) return at;
    at += 1;
  }
}

/** Returns the end of a name or keyword. */
export function skipWord(source: string, start: number): number {
  let at = start;
  for (; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (isWordPart(code) || code === 0x23) continue;
    if (code !== 0x5c) break;
    if (source.startsWith('u{', at + 1)) at = closingBrace(source, at + 3);
  }
  return at;
}

/** Returns the end of `\u{…}`. */
function closingBrace(source: string, from: number): number {
  for (let at = from; at < from + 8; at++) if (source.charCodeAt(at) === 0x7d) return at;
  return from;
}

function isWordPart(code: number): boolean {
  if (code >= 0x80) return code !== 0xa0 && code !== 0xfeff && code !== 0x2028 && code !== 0x2029;
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x24;
}

/**
 * Returns the end of the content of a script that begins at `from`: the index of its `</script`, or the end of the text. A comment
 * mark followed by `<script` makes the next end tag part of the script (HTML standard, "script data double escaped").
 */
export function findScriptEnd(source: string, from: number): number {
  const marks = /<!--|-->|<script(?=[\t\n\f\r />])|<\/script(?=[\t\n\f\r />])/gi;
  marks.lastIndex = from;
  let state: 'plain' | 'escaped' | 'double' = 'plain';
  for (let mark = marks.exec(source); mark; mark = marks.exec(source)) {
    const text = mark[0];
    if (text === '<!--') {
      if (state === 'plain') state = 'escaped';
      // The two dashes may already belong to the end mark, as in `<!-->`.
      marks.lastIndex -= 2;
    } else if (text === '-->') {
      state = 'plain';
    } else if (text.charAt(1) !== '/') {
      if (state === 'escaped') state = 'double';
    } else if (state === 'double') {
      state = 'escaped';
    } else {
      return mark.index;
    }
  }
  return source.length;
}
