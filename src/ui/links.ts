/** One link out of what a person pasted. */
export interface Link {
  /** As it was pasted. */
  readonly given: string;
  /** What will be checked; null where it cannot be read as a web address. */
  readonly url: string | null;
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const HOST_LIKE = /^(?:[^\s/@:?#]+\.)+[^\s/@:?#.]{2,}(?=$|[/:?#])/u;
const LINK_LIKE = /^[<("'“‘[]*((?:https?:\/\/|www\.)\S+?)[>)"'”’\],.;:!]*$/i;

/**
 * Reads every line as one link. A line that is none, such as a sentence of a message, is searched for links that begin
 * with their scheme or with `www.`.
 *
 * @param refang undoes defanging, such as `hxxps://example[.]com`.
 */
export function readLinks(text: string, refang: (text: string) => string): Link[] {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.filter((line) => line !== '').flatMap((line) => readLine(line, refang));
}

function readLine(line: string, refang: (text: string) => string): Link[] {
  const whole = asUrl(refang(line));
  if (whole !== null) return [{ given: line, url: whole }];
  const words = line.split(/\s+/).flatMap((word) => LINK_LIKE.exec(refang(word))?.[1] ?? []);
  const found = words.map((given) => ({ given, url: asUrl(given) })).filter(({ url }) => url !== null);
  return found.length > 0 ? found : [{ given: line, url: null }];
}

/** The text as a URL that the service accepts, completed with `http://` where it begins with a host; otherwise null. */
function asUrl(text: string): string | null {
  if (/^https?:/i.test(text)) return URL.canParse(text) ? text : null;
  if (/\s/.test(text) || !HOST_LIKE.test(text)) return null;
  // `localhost:8080` looks like a scheme, `example.com:8080` does not: a scheme has no dot before its colon here.
  const isHostWithPort = /^[^/?#]*:\d{1,5}(?:$|[/?#])/.test(text);
  if (SCHEME.test(text) && !isHostWithPort) return null;
  return URL.canParse(`http://${text}`) ? `http://${text}` : null;
}
