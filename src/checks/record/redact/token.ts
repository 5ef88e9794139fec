const MIN_PART_LENGTH = 8;
const START = 'eyJ';

/**
 * The text with each JSON Web Token in it replaced (RFC 7519): two or three parts in base64url, the first of which begins
 * with `eyJ`, which is `{"`.
 */
export function replaceTokens(text: string, replace: (token: string) => string): string {
  const parts: string[] = [];
  let done = 0;
  for (let at = text.indexOf(START); at !== -1; at = text.indexOf(START, done)) {
    const headEnd = partEnd(text, at);
    const bodyEnd = text[headEnd] === '.' ? partEnd(text, headEnd + 1) : headEnd;
    const isToken = headEnd - at >= START.length + MIN_PART_LENGTH && bodyEnd - headEnd > MIN_PART_LENGTH;
    const end = isToken && text[bodyEnd] === '.' ? partEnd(text, bodyEnd + 1) : bodyEnd;
    parts.push(text.slice(done, at), isToken ? replace(text.slice(at, end)) : text.slice(at, headEnd));
    done = isToken ? end : headEnd;
  }
  return done === 0 ? text : parts.join('') + text.slice(done);
}

const PART = /[\w-]*/y;

function partEnd(text: string, start: number): number {
  PART.lastIndex = start;
  PART.test(text);
  return PART.lastIndex;
}
