import { refang } from '#src/url/defang.ts';

/** One link out of what a person pasted. */
export interface Link {
  /** As it was pasted. */
  readonly given: string;
  /** What will be checked; null where it cannot be read as a web address. */
  readonly url: string | null;
}

/** A word that is a link by its look: it begins with its scheme, however that is spelt, or with `www.`. */
const LINK_LIKE = /^[<([{"'“„‘«‹]*((?:h[tx*_+]{2}ps?[:[(]|www[.[(])\S+?)[>)\]}"'”’»›.,;:!?]*$/i;

/** The service takes URLs of up to 8,192 characters. */
const MAX_WORD_LENGTH = 8200;

/**
 * Reads every line as one link. A line that is none, such as a sentence of a message, is searched for links that begin
 * with their scheme or with `www.`.
 */
export function readLinks(text: string): Link[] {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.filter((line) => line !== '').flatMap(readLine);
}

function readLine(line: string): Link[] {
  const url = asUrl(line);
  if (url !== null) return [{ given: line, url }];
  const found = line.split(/\s+/).flatMap((word) => {
    const given = word.length > MAX_WORD_LENGTH ? '' : (LINK_LIKE.exec(word)?.[1] ?? '');
    const read = asUrl(given);
    return read === null ? [] : [{ given, url: read }];
  });
  return found.length > 0 ? found : [{ given: line, url: null }];
}

/** The text as a URL that the service accepts, undone and completed where it was written for people; otherwise null. */
function asUrl(text: string): string | null {
  const { url } = refang(text);
  return /^https?:/i.test(url) && URL.canParse(url) ? url : null;
}
