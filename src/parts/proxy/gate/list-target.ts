import { isTargetProblem, MAX_URL_LENGTH, parseTarget, type Target } from '#src/core/url/target.ts';

const SCHEME = /^\s*([a-z][a-z0-9+.-]*):[\\/]{2,}/i;
/** End of an authority (WHATWG URL, "authority state"), or of a path. */
const [AUTHORITY_END, PATH_END] = [/[\\/?#]/, /[?#]/];

/**
 * Returns a URL that a check would refuse as far as lists need it: host, port and path, as if it were a web address. Null
 * if it names no host. A path that is too long is cut at a slash, so that every entry above the cut still covers it.
 */
export function listTargetOf(url: string): Target | null {
  const scheme = SCHEME.exec(url);
  if (scheme === null) return null;
  const [authority, rest] = splitAt(url.slice(scheme[0].length), AUTHORITY_END);
  const [path] = splitAt(rest, PATH_END);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const web = `${scheme[1]?.toLowerCase() === 'https' ? 'https' : 'http'}://${host}`;
  const room = MAX_URL_LENGTH - web.length;
  if (room < 1) return null;
  const target = parseTarget(
    `${web}${path.length <= room ? path : path.slice(0, path.lastIndexOf('/', room - 1) + 1)}`,
  );
  return isTargetProblem(target) ? null : target;
}

function splitAt(text: string, end: RegExp): readonly [before: string, from: string] {
  const at = text.search(end);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}
