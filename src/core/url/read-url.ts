import { isAscii } from '#src/core/base/text/is-ascii.ts';
import { longestMarkRow } from './marks.ts';

/** No host that the platform's parser takes has as many combining marks in a row; to refuse 4,000 takes it 60 ms. */
const MAX_MARKS = 1100;

/** Characters that the parser removes first. */
const DROPPED = /^[\0-\x20]+|[\t\n\r]/g;
/** Schemes whose hosts are names (WHATWG URL, "special scheme"), the slashes behind, and behind a user the host. */
const BEGINNING = /^((?:https?|wss?|ftp):)?([\\/]*)(?:[^\\/?#]*@)?([^\\/?#]*)/i;

/** Parses a URL like the platform, in linear time; null if the text is not a URL. */
export function readUrl(text: string, base?: string): URL | null {
  const isHopeless = !isAscii(text) && longestMarkRow(hostIn(text, base)) >= MAX_MARKS;
  return isHopeless ? null : URL.parse(text, base);
}

/** Empty if the text names no host, but a path beside that of the base. */
function hostIn(text: string, base: string | undefined): string {
  const [, scheme, slashes = '', host = ''] = BEGINNING.exec(text.replace(DROPPED, '')) ?? [];
  const isPath = slashes.length < 2 && (scheme === undefined || base?.startsWith(scheme.toLowerCase()));
  return isPath ? '' : host;
}
