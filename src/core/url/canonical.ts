/**
 * Escapes that are not canonical: of unreserved characters (RFC 3986 §2.3), which mean the same as the characters
 * themselves, and those in lower case. Other escapes, which are frequent in URLs of other scripts, are not matched.
 */
const ESCAPE = /%(?:2[DdEe]|3\d|[46][1-9A-Fa-f]|[57][\dAa]|5[Ff]|7[Ee]|[\dA-Fa-f][a-f]|[a-f][\dA-F])/g;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/**
 * Returns a WHATWG-serialised path with unnecessary escapes decoded, the others in upper case, and dot segments
 * resolved again.
 */
export function canonicalPath(pathname: string): string {
  return resolveDotSegments(unescapeUnreserved(pathname));
}

/** A WHATWG `search` string without its question mark, with needless escapes undone. */
export function canonicalQuery(search: string): string {
  return unescapeUnreserved(search.replace(/^\?/, ''));
}

/**
 * RFC 3986 §6.2.2.2, to the fixed point: undoing `%2541` gives `%41`, which is another URL, so a percent sign that came
 * out of an escape never starts a new one; `%25` itself is reserved and stays.
 */
function unescapeUnreserved(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(ESCAPE, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });
}

/** Undoing an escaped dot can bring forth a dot segment only in forms that the URL parser has not already resolved. */
function resolveDotSegments(path: string): string {
  if (!path.includes('/.')) return path;
  const retained: string[] = [];
  const segments = path.split('/').slice(1);
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === '..') retained.pop();
    else if (segment !== '.') retained.push(segment);
    if (isLast && (segment === '.' || segment === '..')) retained.push('');
  }
  return `/${retained.join('/')}`;
}
