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
