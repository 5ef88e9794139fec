/** Maximum length of a header, in UTF-16 code units; longer ones are truncated. */
export const MAX_HEADER = 8192;

/** Returns the parts of a header between semicolons, without comments (RFC 5322 §3.2.2). Quoted strings are not split. */
export function segmentsOf(value: string): string[] {
  const header = value.slice(0, MAX_HEADER);
  const segments = [''];
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < header.length; at++) {
    const character = header.charAt(at);
    if (character === '\\') {
      if (depth === 0) segments[segments.length - 1] += header.slice(at, at + 2);
      at++;
    } else if (depth === 0 && character === '"') {
      isQuoted = !isQuoted;
      segments[segments.length - 1] += character;
    } else if (isQuoted) segments[segments.length - 1] += character;
    else if (character === '(') depth++;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0 && character === ';') segments.push('');
    else if (depth === 0) segments[segments.length - 1] += character;
  }
  return segments;
}
