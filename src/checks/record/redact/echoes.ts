import { MAX_TEXT_LENGTH } from '#src/core/base/text/truncate-text.ts';
import { areTooMany, MASK } from './mask.ts';
import { unescapeFully } from './unescape-fully.ts';

/** A shorter secret is masked where it stands, but not looked for elsewhere: it would be found in everything. */
const MIN_ECHO_LENGTH = 4;
const MIN_PIECE_LENGTH = 6;

/** Of a secret that a text was cut through, its beginning is masked from this length on. */
const MIN_CUT_LENGTH = 8;

/** A secret has several forms, and to look for more than this in every text would take too long. */
const MAX_ECHOES = 32;

/** An escape takes three characters, and two bytes make many a letter. */
const MAX_SECRET_LENGTH = 6 * MAX_TEXT_LENGTH;

/** Scheme, credentials and host. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@\\]*@)?[^/?#@\\]*/i;

/**
 * What masks the secrets of a URL where a page or a reason repeats them. Where there are too many to look for, nothing is
 * left of a text but the origin of a URL. Null where there is nothing to look for. The host is public in any case.
 */
export function echoMask(secrets: ReadonlySet<string>, host: string): ((text: string) => string) | null {
  if (areTooMany(secrets)) return keepOrigin;
  const echoes = new Set([...secrets].flatMap(formsOf).filter((echo) => !host.includes(echo)));
  if (echoes.size > MAX_ECHOES) return keepOrigin;
  if (echoes.size === 0) return null;
  const longestFirst = [...echoes].sort((a, b) => b.length - a.length);
  const patterns = longestFirst.map((echo) => ({ echo, pattern: new RegExp(RegExp.escape(echo), 'gi') }));
  const maskEnd = (text: string) => {
    const lower = text.toLowerCase();
    const starts = longestFirst.map((echo) => cutEchoStart(lower, echo)).filter((start) => start !== -1);
    return starts.length === 0 ? text : text.slice(0, Math.min(...starts)) + MASK;
  };
  return (text) => {
    // The scheme and host of a URL stay: it has to remain one.
    const origin = ORIGIN.exec(text)?.[0] ?? '';
    const rest = text.slice(origin.length);
    const lower = rest.toLowerCase();
    const present = patterns.filter(({ echo }) => lower.includes(echo));
    return origin + maskEnd(present.reduce((masked, { pattern }) => masked.replace(pattern, MASK), rest));
  };
}

/** Where the beginning of a secret ends a text, which was cut there; -1 where none does. */
function cutEchoStart(lower: string, echo: string): number {
  if (echo.length <= MIN_CUT_LENGTH) return -1;
  const start = lower.lastIndexOf(echo.slice(0, MIN_CUT_LENGTH));
  return start !== -1 && echo.startsWith(lower.slice(start)) ? start : -1;
}

/** Nothing of a text, of a URL its scheme and host. */
export function keepOrigin(text: string): string {
  const origin = ORIGIN.exec(text)?.[0];
  return origin === undefined ? MASK : `${origin}/${MASK}`;
}

/** The forms, in lower case, in which a secret may be repeated: whole, unescaped, its parts, the name before the `@`. */
function formsOf(secret: string): string[] {
  // Longer than any text that might repeat it.
  if (secret.length > MAX_SECRET_LENGTH) return [];
  const plain = unescapeFully(secret);
  const pieces = plain.split(/[^\p{L}\p{N}]+/u).filter((piece) => piece.length >= MIN_PIECE_LENGTH && /\d/.test(piece));
  const mailbox = plain.includes('@') ? [plain.slice(0, plain.indexOf('@'))] : [];
  // The name of a person, as a title writes it.
  const name = /\d/.test(plain) ? [] : [plain.replace(/[-_.]+/g, ' ')];
  return [secret, plain, plain.replaceAll('+', ' '), ...name, ...pieces, ...mailbox]
    .map((form) => form.toLowerCase())
    .filter((echo) => echo.length >= MIN_ECHO_LENGTH && echo.length <= MAX_TEXT_LENGTH);
}
