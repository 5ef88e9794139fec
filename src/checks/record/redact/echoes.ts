import { MAX_TEXT_LENGTH } from '#src/core/base/text/truncate-text.ts';
import { isAscii } from '#src/core/base/text/untrusted-text.ts';
import { areTooMany, MASK, type TextMask } from './mask.ts';
import { unescapeFully } from './unescape-fully.ts';

/** Minimum length of a secret that is also masked elsewhere; a shorter one would match everywhere. */
const MIN_ECHO_LENGTH = 4;
const MIN_PIECE_LENGTH = 6;

/** Minimum length of the beginning of a truncated secret that is masked. */
const MIN_CUT_LENGTH = 8;

/** Maximum number of forms to search for; more would take too long. */
const MAX_ECHOES = 32;

/** Maximum length of a secret: an escape takes three characters, and many letters two bytes. */
const MAX_SECRET_LENGTH = 6 * MAX_TEXT_LENGTH;

/** Scheme, credentials and host. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@\\]*@)?[^/?#@\\]*/i;

/**
 * Returns what masks the secrets of a URL where a page or a reason repeats them. With too many secrets, it keeps only the
 * origin of a URL. Null without secrets. The host stays public in any case.
 */
export function echoMask(secrets: ReadonlySet<string>, host: string): TextMask | null {
  if (areTooMany(secrets)) return ORIGINS_ONLY;
  const echoes = new Set([...secrets].flatMap(formsOf).filter((echo) => !host.includes(echo)));
  if (echoes.size > MAX_ECHOES) return ORIGINS_ONLY;
  if (echoes.size === 0) return null;
  const longestFirst = [...echoes].sort((a, b) => b.length - a.length);
  // A text with an echo, or with the beginning of one, has one of these.
  const heads = [...new Set(longestFirst.map((echo) => echo.slice(0, MIN_CUT_LENGTH)))];
  const maskEnd = (text: string) => {
    const lower = text.toLowerCase();
    const starts = longestFirst.map((echo) => cutEchoStart(lower, echo)).filter((start) => start !== -1);
    return starts.length === 0 ? text : text.slice(0, Math.min(...starts)) + MASK;
  };
  return {
    mayChange(text) {
      const lower = text.toLowerCase();
      return heads.some((head) => lower.includes(head));
    },
    change(text) {
      // The scheme and host stay, so that it remains a URL.
      const origin = ORIGIN.exec(text)?.[0] ?? '';
      const rest = text.slice(origin.length);
      const lower = rest.toLowerCase();
      const present = longestFirst.filter((echo) => lower.includes(echo));
      return origin + maskEnd(present.reduce(maskEcho, rest));
    },
  };
}

const ORIGINS_ONLY: TextMask = { mayChange: () => true, change: keepOrigin };

/** Masks an echo, whatever the case of its letters. */
function maskEcho(text: string, echo: string): string {
  if (!isAscii(echo)) return text.replace(new RegExp(RegExp.escape(echo), 'gi'), MASK);
  // Compiling an expression takes several times longer. Only ASCII keeps its length in lower case.
  const lower = text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
  let at = 0;
  const between = lower.split(echo).map(({ length }) => {
    const piece = text.slice(at, at + length);
    at += length + echo.length;
    return piece;
  });
  return between.join(MASK);
}

/** Returns where a text ends with the beginning of a truncated secret; -1 if it does not. */
function cutEchoStart(lower: string, echo: string): number {
  if (echo.length <= MIN_CUT_LENGTH) return -1;
  const start = lower.lastIndexOf(echo.slice(0, MIN_CUT_LENGTH));
  return start !== -1 && echo.startsWith(lower.slice(start)) ? start : -1;
}

/** Reduces a text to the scheme and host of a URL. */
export function keepOrigin(text: string): string {
  const origin = ORIGIN.exec(text)?.[0];
  return origin === undefined ? MASK : `${origin}/${MASK}`;
}

/**
 * Returns the lower-case forms in which a secret may be repeated: whole, unescaped, its parts, the name before the `@`.
 */
function formsOf(secret: string): string[] {
  // Longer than any text that might repeat it.
  if (secret.length > MAX_SECRET_LENGTH) return [];
  const plain = unescapeFully(secret);
  const pieces = plain.split(/[^\p{L}\p{N}]+/u).filter((piece) => piece.length >= MIN_PIECE_LENGTH && /\d/.test(piece));
  const mailbox = plain.includes('@') ? [plain.slice(0, plain.indexOf('@'))] : [];
  // A person's name, as a title writes it.
  const name = /\d/.test(plain) ? [] : [plain.replace(/[-_.]+/g, ' ')];
  return [secret, plain, plain.replaceAll('+', ' '), ...name, ...pieces, ...mailbox]
    .map((form) => form.toLowerCase())
    .filter((echo) => echo.length >= MIN_ECHO_LENGTH && echo.length <= MAX_TEXT_LENGTH);
}
