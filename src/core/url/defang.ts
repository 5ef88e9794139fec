import { withoutInvisible } from '#src/core/base/text/untrusted-text.ts';

/** An opening or closing bracket around a part that was marked. */
const OPEN = String.raw`[[({<]\s?`;
const CLOSE = String.raw`\s?[\])}>]`;

/** `http`, `hxxp`, `h**p`, `h00p`, `hxtp`, `ht tp`, `meow`, each with or without `s`, `[s]`, `(s)`. */
const NAME = String.raw`(?:h\s?(?:[tx*_+0?#^~zy-]\s?){1,3}[px]|meow)\s?(s|[[(]s[\])])?`;

const SLASHES = String.raw`(?:\\?[\\/]\s?|${OPEN}[\\/]{1,2}${CLOSE}){1,3}`;

/**
 * Source of an expression for a scheme as people and programs write it, defanged or not, with the slashes behind it:
 * `https://`, `hxxp[:]//`, `hxxp:\\`, `http[s]://`. Its first group is set for `https`. Use it with the flags `iu`.
 */
export const WRITTEN_SCHEME: string = String.raw`${NAME}\s{0,3}(?:${OPEN}:\s?[\\/]{1,2}${CLOSE}[\\/]{0,2}|(?::|${OPEN}:${CLOSE})\s{0,3}${SLASHES})`;

/** A text read as a URL. */
export interface Refanged {
  readonly url: string;
  /** True if the scheme or the host was written so that no program makes a link of it. */
  readonly isDefanged: boolean;
}

/** Twice the maximum length of a URL; longer texts are refused without refanging. */
const MAX_LENGTH = 16_384;

/** A URL in which nothing can be defanged: nearly every line of a list. */
const PLAIN_URL = /^https?:\/\/[a-z\d.-]+(?:[/?#][!-~]*)?$/i;

const WRAPPERS: Readonly<Record<string, string>> = {
  '<': '>',
  '(': ')',
  '[': ']',
  '{': '}',
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '„': '“',
  '‘': '’',
  '«': '»',
  '‹': '›',
};

/** Passes over a text; the second one finds nothing to change except in texts that nobody writes. */
const MAX_PASSES = 4;

/**
 * Restores a URL that was defanged so that nobody clicks on it by mistake: `hxxp`, `h**p`, `[.]`, `(dot)`, `[:]//`,
 * quotes and brackets around it, invisible characters; a host without a scheme becomes `http://…`. If the scheme or the
 * host was defanged, so was the rest; otherwise the path stays as it is, as it may well hold `[.]`. It is for the
 * command line and the web page, which read pasted text; the API never guesses. Returns the text unchanged if nothing
 * applies. Idempotent.
 */
export function refang(text: string): Refanged {
  let read: Refanged = { url: text, isDefanged: false };
  if (text.length > MAX_LENGTH) return read;
  for (let pass = 0; pass < MAX_PASSES && !PLAIN_URL.test(read.url); pass++) {
    const { url, isDefanged } = refangOnce(read.url);
    const isStable = url === read.url;
    read = { url, isDefanged: read.isDefanged || isDefanged };
    if (isStable) break;
  }
  return read;
}

/** A URL written so that no program makes a link of it: `hxxps://example[.]com/path`. {@link refang} reads it back. */
export function defang(url: string): string {
  const match = /^(https?)(:\/\/)([^/?#]*)(.*)$/is.exec(url);
  if (!match) return url;
  const [, scheme = '', slashes = '', authority = '', rest = ''] = match;
  const beginning = `${scheme.replace(/tt/i, 'xx')}${slashes}${authority.replaceAll('.', '[.]')}`;
  // Some brackets of a path would be read as marks.
  const isRestored = refang(beginning + rest).url === url;
  return beginning + (isRestored ? rest : rest.replace(/[[\](){}]/g, (bracket) => BRACKETS[bracket] ?? bracket));
}

const BRACKETS: Readonly<Record<string, string>> = Object.fromEntries(
  [...'[](){}'].map((bracket) => [bracket, `%${bracket.charCodeAt(0).toString(16).toUpperCase()}`]),
);

function refangOnce(text: string): Refanged {
  const plain = unwrapQuotes(withoutInvisible(text.trim()));
  const [written = '', secure] = SCHEME.exec(plain) ?? [];
  const behind = plain.slice(written.length);
  const isUsualScheme = written === '' || /^https?:[\\/]{1,3}$/i.test(written);
  const isDefanged = !isUsualScheme || HOST_MARK.test(behind.slice(0, authorityEnd(behind)));
  if (!isDefanged) return { url: addScheme(plain), isDefanged };
  const scheme = written === '' ? '' : `http${secure ? 's' : ''}://`;
  const isBackslashed = written.endsWith('\\');
  return { url: addScheme(scheme + refangRest(behind, isBackslashed)), isDefanged };
}

function unwrapQuotes(text: string): string {
  let [start, end] = [0, text.length];
  for (;;) {
    const closing = WRAPPERS[text.charAt(start)];
    // An IPv6 host in brackets and a marked dot are no quotes.
    if (closing === undefined || text.charAt(end - 1) !== closing || end - start < 3) break;
    if (closing === ']' && isBracketedPart(text.slice(start, end))) break;
    start++;
    end--;
    while (start < end && /\s/.test(text.charAt(start))) start++;
    while (start < end && /\s/.test(text.charAt(end - 1))) end--;
  }
  return text.slice(start, end);
}

function isBracketedPart(text: string): boolean {
  return text.indexOf(']') < text.length - 1 || /^\[[\da-f:.]+\]$/i.test(text);
}

const SCHEME = new RegExp(`^${WRITTEN_SCHEME}\\s{0,3}`, 'iu');

/** A marked dot, with the spaces around it. */
const MARKED_DOT = /\s{0,3}(?:[[({<]\s?(?:\.|d[o0]t|punkt|point|punto|ponto)\s?[\])}>]|\\\.)\s{0,3}/gi;
/** Dots that mark a host alone: half brackets, and the full stop of other scripts. */
const HALF_MARKED_DOT = /(?<=[\p{L}\p{N}])(?:[[({<]\.|\.[\])}>])(?=[\p{L}\p{N}])|\s{0,3}[。．｡]\s{0,3}/gu;
const SPOKEN_DOT = /(?<=[\p{L}\p{N}]) {1,3}dot {1,3}(?=[\p{L}\p{N}])/giu;
const HOST_MARK = new RegExp(
  [MARKED_DOT, HALF_MARKED_DOT, SPOKEN_DOT].map(({ source }) => source).join('|') + /|\[(?:at|@|:)\]/.source,
  'iu',
);

/** Other characters that were marked, and schemes within: of a redirector's target. */
const MARKED = /\s{0,3}[[({<]\s?(:\/\/|\/{1,2}|:|@|at)\s?[\])}>]\s{0,3}/gi;
const INNER_SCHEME = /(?<![a-z\d])h(?:xx|\*\*|__|\+\+|00|tx|xt)p(?=s?(?::|%3a))/gi;

function refangRest(text: string, isBackslashed: boolean): string {
  const rest = text
    .replaceAll('\\/', '/')
    .replace(MARKED_DOT, '.')
    .replace(MARKED, (_, marked: string) => (/^at$/i.test(marked) ? '@' : marked))
    .replace(INNER_SCHEME, 'http');
  const slashed = isBackslashed ? rest.replaceAll('\\', '/') : rest;
  const end = authorityEnd(slashed);
  const host = slashed.slice(0, end).replace(HALF_MARKED_DOT, '.').replace(SPOKEN_DOT, '.');
  return (
    (/^(?:[^@]*@)?\[[\da-f:.]+\](?::\d+)?$/i.test(host) ? host : host.replace(/[[\](){}<>]/g, '')) + slashed.slice(end)
  );
}

function authorityEnd(text: string): number {
  const length = text.search(/[/?#]/);
  return length === -1 ? text.length : length;
}

function addScheme(text: string): string {
  if (/^[a-z][a-z0-9+.-]{0,30}:(?!\d{1,5}(?:[/?#]|$))/i.test(text)) return text;
  const bare = text.replace(/^\/\//, '');
  const host = bare
    .slice(0, authorityEnd(bare))
    .replace(/^.*@/, '')
    .replace(/:\d{1,5}$/, '');
  // Two tests: one expression for both would try each dot of a text whose last character makes it invalid.
  const isName = !/[\s:@]/.test(host) && /^[^.].*\../su.test(host);
  const isHost = /^\[[\da-f:.]+\]$/i.test(host) || host === 'localhost' || isName;
  return isHost ? `http://${bare}` : text;
}
