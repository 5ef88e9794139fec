import { withoutInvisible } from '#src/core/base/text/untrusted-text.ts';

/** A text read as a URL, and what was done to it. */
export interface Refanged {
  readonly url: string;
  /** Changes, each as a short phrase; empty if the text was already a URL. */
  readonly changes: readonly string[];
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

/**
 * Restores a URL that was defanged so that nobody clicks on it by mistake: `hxxp`, `h**p`, `[.]`, `(dot)`, `[:]//`,
 * quotes and brackets around it, invisible characters; a host without a scheme becomes `http://…`. It is for the
 * command line and the web page, which read pasted text; the API never guesses. Returns the text unchanged if nothing
 * applies.
 */
export function refang(text: string): Refanged {
  if (text.length > MAX_LENGTH || PLAIN_URL.test(text)) return { url: text, changes: [] };
  const changes: string[] = [];
  const step = (phrase: string, changed: string, before: string) => {
    if (changed !== before) changes.push(phrase);
    return changed;
  };
  let url = step('removed white space around it', text.trim(), text);
  url = step('removed invisible characters', withoutInvisible(url), url);
  url = step('removed quotes or brackets around it', unwrapQuotes(url), url);
  url = step('read the written-out scheme as http', refangScheme(url), url);
  url = step('read the marked dots as dots', refangAuthority(url), url);
  url = step('added http:// in front', addScheme(url), url);
  return { url, changes };
}

/** A URL written so that no program makes a link of it: `hxxps://example[.]com/path`. {@link refang} reads it back. */
export function defang(url: string): string {
  const match = /^(https?)(:\/\/)([^/?#]*)(.*)$/is.exec(url);
  if (!match) return url;
  const [, scheme = '', slashes = '', authority = '', rest = ''] = match;
  return `${scheme.replace(/tt/i, 'xx')}${slashes}${authority.replaceAll('.', '[.]')}${rest}`;
}

function unwrapQuotes(text: string): string {
  let inner = text;
  for (let i = 0; i < 4; i++) {
    const closing = WRAPPERS[inner[0] ?? ''];
    // An IPv6 host in brackets and a marked dot are no quotes.
    if (closing === undefined || !inner.endsWith(closing) || inner.length < 3 || isBracketedPart(inner)) return inner;
    inner = inner.slice(1, -1).trim();
  }
  return inner;
}

function isBracketedPart(text: string): boolean {
  const closing = WRAPPERS[text[0] ?? ''] ?? '';
  return text.startsWith('[') && (text.indexOf(closing) < text.length - 1 || /^\[[\da-f:.]+\]$/i.test(text));
}

const WRITTEN_SCHEME =
  /^h(?:tt|xx|\*\*|__|\+\+)p(s?)\s{0,3}(?:\[:\/\/\]|\(:\/\/\)|(?:\[:\]|\(:\)|\{:\}|:)\s{0,3}(?:\/\/|\[\/\/\]|\[\/\]\[\/\]))\s{0,3}/i;

function refangScheme(text: string): string {
  const [written = '', secure = ''] = WRITTEN_SCHEME.exec(text) ?? [];
  if (written === '' || /^https?:\/\/$/i.test(written)) return text;
  return `http${secure.toLowerCase()}://${text.slice(written.length)}`;
}

const MARKED_DOT = /\s{0,3}(?:\[\s?(?:\.|dot|punkt|point|punto)\s?\]|[({]\s?(?:\.|dot)\s?[)}]|\\\.|[。．｡])\s{0,3}/gi;
const SPOKEN_DOT = /(?<=[\p{L}\p{N}]) {1,3}dot {1,3}(?=[\p{L}\p{N}])/giu;

/** Only where the host can stand: a path may well hold `[.]`. */
function refangAuthority(text: string): string {
  const start = /^https?:\/\//i.exec(text)?.[0].length ?? 0;
  const end = authorityEnd(text, start);
  const authority = text
    .slice(start, end)
    .replace(MARKED_DOT, '.')
    .replace(SPOKEN_DOT, '.')
    .replace(/\[:\](?=\d)/g, ':')
    .replace(/\[(?:at|@)\]/gi, '@');
  return text.slice(0, start) + authority + text.slice(end);
}

function authorityEnd(text: string, start: number): number {
  const length = text.slice(start).search(/[/?#]/);
  return length === -1 ? text.length : start + length;
}

function addScheme(text: string): string {
  if (/^[a-z][a-z0-9+.-]{0,30}:(?!\d{1,5}(?:[/?#]|$))/i.test(text)) return text;
  const bare = text.replace(/^\/\//, '');
  const host = bare
    .slice(0, authorityEnd(bare, 0))
    .replace(/^.*@/, '')
    .replace(/:\d{1,5}$/, '');
  // Two tests: one expression for both would try each dot of a text whose last character makes it invalid.
  const isName = !/[\s:@]/.test(host) && /^[^.].*\../su.test(host);
  const isHost = /^\[[\da-f:.]+\]$/i.test(host) || host === 'localhost' || isName;
  return isHost ? `http://${bare}` : text;
}
