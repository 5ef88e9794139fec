const MAX_ROUNDS = 8;

/**
 * Cache, because several rules in a row ask about the same piece, and a hostile URL has more than a thousand pieces.
 */
let latest = { text: '', decoded: '' };

/** Undoes percent escapes, including nested ones. Bytes that are not UTF-8 are read as Latin-1. Never throws. */
export function unescapeFully(text: string): string {
  if (!text.includes('%')) return text;
  if (text !== latest.text) latest = { text, decoded: undoEscapes(text) };
  return latest.decoded;
}

function undoEscapes(text: string): string {
  let decoded = text;
  for (let round = 0; round < MAX_ROUNDS && decoded.includes('%'); round++) {
    // `%252541` would take one round per `25`, and a hostile text has thousands of them.
    const flat = decoded.includes('%25') ? decoded.replace(/%(?:25)+(?=[0-9a-f]{2})/gi, '%') : decoded;
    const next = flat.replace(/(?:%[0-9a-f]{2})+/gi, decodeRun);
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}

/** RFC 3629 §4, except for surrogates and overlong forms. Testing first is several times cheaper than an exception. */
const LIKE_UTF8 = /^(?:%[0-7].|%[cd].%[89ab].|%e.(?:%[89ab].){2}|%f.(?:%[89ab].){3})+$/i;

function decodeRun(escapes: string): string {
  if (escapes.length === 3) return fromLatin1(escapes);
  if (LIKE_UTF8.test(escapes)) {
    try {
      return decodeURIComponent(escapes);
    } catch {}
  }
  return escapes.replace(/%../g, fromLatin1);
}

function fromLatin1(escaped: string): string {
  return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
}
