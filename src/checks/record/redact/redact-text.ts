import { areTooMany, MASK, type Masking, mask } from './mask.ts';
import { isPublicSegment, isSecretSegment, nextAnnouncement, type SegmentPlace, startHostPath } from './path-place.ts';
import { type Announcement, kindOfName, type NameKind } from './secret-name.ts';
import { isSecretBehind, isSecretOfLink, isSecretValue, replaceMailAddresses } from './secret-value.ts';
import { unescapeFully as decode } from './unescape-fully.ts';

/** Returns true if a UTF-16 code unit separates pieces. */
type IsBetween = (code: number) => boolean;

const NO = 1;
const YES = 2;

/** Returns the characters of a pattern as separators; each character is matched once. */
function separators(pattern: RegExp): IsBetween {
  const known = new Uint8Array(0x10000);
  return (code) => {
    if (known[code] === 0) known[code] = pattern.test(String.fromCharCode(code)) ? YES : NO;
    return known[code] === YES;
  };
}

/** Maps each piece between separators; returns the same text if none changed. */
function mapPieces(text: string, isBetween: IsBetween, change: (piece: string) => string): string {
  let mapped = '';
  let done = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !isBetween(text.charCodeAt(at))) continue;
    if (at > start) {
      const piece = text.slice(start, at);
      const changed = change(piece);
      if (changed !== piece) {
        mapped += text.slice(done, start) + changed;
        done = at;
      }
    }
    start = at + 1;
  }
  return done === 0 ? text : mapped + text.slice(done);
}

/** Maximum nesting of URLs inside URLs. */
const MAX_DEPTH = 4;

/** Maximum number of passes over a changed text. */
const MAX_ROUNDS = 3;

/** Characters that every rule for free text requires. */
const SUSPICIOUS = /[@=]|[/\\]{2}|eyJ|["']:/;
const DOUBLE_SLASH = /[/\\]{2}/;
const SCHEME_BEFORE = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,15}:$/i;
const SCHEME = /^[a-z][a-z0-9+.-]{1,15}:$/i;
const BETWEEN_WORDS = separators(/[\s"'<>`]/);
const BETWEEN_PAIRS = separators(/[?&;#]/);
const BETWEEN_PARAMETERS = separators(/;/);
const BETWEEN_SEGMENTS = separators(/[/\\]/);
/** A member of an object: in JSON, in nested JSON, or in scripts. */
const MEMBER = /(\\"|["'])([^"'\\\s]{1,64})\1(\s{0,8}:\s{0,8})(?:\1((?:(?!\1)[\s\S])*)\1|(-?\d[\d.]*))/g;
const HAS_MEMBER = new RegExp(MEMBER.source);
/** Too short for an unnamed secret, and without escapes. */
const PLAIN = /^[\w.~-]{0,8}$/;

/** Returns true if {@link redactText} has to scan a text; nearly every text is plain words. */
export function mayHoldSecret(text: string): boolean {
  return SUSPICIOUS.test(text);
}

/**
 * Replaces the secrets of a text by `***`, in time linear in its length: every character belongs to one word, pair or
 * URL, and unescaped text is scanned to a depth of {@link MAX_DEPTH}; deeper text is masked completely.
 */
export function redactText(text: string, masking: Masking, depth = 0): string {
  if (!mayHoldSecret(text)) return text;
  if (depth > MAX_DEPTH) return MASK;
  if (!HAS_MEMBER.test(text)) return redactWords(text, masking, depth);
  const parts: string[] = [];
  let done = 0;
  for (const match of text.matchAll(MEMBER)) {
    const [member, quote = '', name = '', colon = '', quoted, number = ''] = match;
    parts.push(redactWords(text.slice(done, match.index), masking, depth));
    const value = quoted ?? number;
    const isSecret = isSecretBehind(kindOfName(name), value, value.length, masking);
    const redacted = isSecret ? mask(value, masking) : settleValue(value, masking, depth);
    const shown = quoted === undefined && redacted === value ? value : `${quote}${redacted}${quote}`;
    parts.push(`${quote}${name}${quote}${colon}${shown}`);
    done = match.index + member.length;
  }
  return parts.join('') + redactWords(text.slice(done), masking, depth);
}

function redactWords(text: string, masking: Masking, depth: number): string {
  return mapPieces(text, BETWEEN_WORDS, (word) => (mayHoldSecret(word) ? redactWord(word, masking, depth) : word));
}

function redactWord(word: string, masking: Masking, depth: number): string {
  const slashes = word.search(DOUBLE_SLASH);
  if (slashes === -1) return redactPairs(word, masking, depth);
  const scheme = SCHEME_BEFORE.exec(word.slice(Math.max(0, slashes - 17), slashes))?.[0] ?? '';
  const start = slashes - scheme.length;
  const before = word.slice(0, start);
  const url = word.slice(start);
  const name = /(?:^|[?&;#])([^?&;#=]+)=$/.exec(before)?.[1];
  const kind = name === undefined ? 'plain' : kindOfName(decode(name));
  if (isSecretBehind(kind, url, url.length, masking)) return before + mask(url, masking);
  return redactPairs(before, masking, depth) + redactUrl(url, masking, depth);
}

/** Replaces the secrets of a URL by `***`; it remains a URL with the same host. Any other text is masked completely. */
export function redactUrl(url: string, masking: Masking, depth = 0): string {
  const parts = /^((?:[a-z][a-z0-9+.-]*:)?[/\\]{2})([^/?#\\]*)([^?#]*)(\?[^#]*)?(#.*)?$/is.exec(url);
  if (!parts) return mask(url, masking);
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = parts;
  const origin = scheme + redactAuthority(authority, masking);
  const { shown, isAnnouncing } = redactPath(path, authority, masking, depth);
  const pairs = isAnnouncing ? redactLinkQuery(query, masking, depth) : redactPairs(query, masking, depth);
  return origin + shown + pairs + redactFragment(fragment, masking, depth);
}

function redactAuthority(authority: string, masking: Masking): string {
  const at = authority.lastIndexOf('@');
  if (at < 0) return authority;
  const [user = '', ...rest] = authority.slice(0, at).split(':');
  const password = rest.join(':');
  const isPerson = masking.severity === 'secrets' && (isSecretValue(decode(user)) || decode(user).includes('@'));
  return `${isPerson ? mask(user, masking) : user}${password && `:${mask(password, masking)}`}${authority.slice(at)}`;
}

/** Redacts a path. Also returns if it announces a secret or a record, as in `/unsubscribe?id=…`. */
function redactPath(path: string, authority: string, masking: Masking, depth: number) {
  const isForSecrets = masking.severity === 'secrets';
  const host = startHostPath(isForSecrets ? authority : '');
  let before = '';
  let announced: Announcement = null;
  let isAnnouncing = false;
  const shown = mapPieces(path, BETWEEN_SEGMENTS, (segment) => {
    if (areTooMany(masking.secrets)) return MASK;
    if (before.endsWith(':') && SCHEME.test(before)) {
      before = '';
      return redactAuthority(segment, masking);
    }
    const byHost = host.announce(decode(segment));
    const place = { before, announced, byHost };
    const redacted = settle(segment, (it) => redactSegment(it, place, masking, depth));
    // The segment as it is shown, so that a second pass finds the same.
    before = decode(redacted);
    host.pass(before);
    // An announced or published value holds no password, unless it is recognizable itself.
    announced = isForSecrets ? nextAnnouncement(before, announced) : null;
    isAnnouncing ||= byHost === 'secret' || announced === 'secret' || announced === 'person' || announced === 'record';
    return redacted;
  });
  return { shown, isAnnouncing };
}

/** Redacts the parameters of a link that grants access: a random value is a secret whatever its name. */
function redactLinkQuery(query: string, masking: Masking, depth: number): string {
  return mapPieces(query, BETWEEN_PAIRS, (pair) => {
    const end = pair.indexOf('=');
    const name = pair.slice(0, end);
    const value = pair.slice(end + 1);
    const isSecret = end !== -1 && isSecretOfLink(decode(value)) && kindOfName(decode(name)) !== 'published';
    return isSecret ? `${redactValue(name, masking, depth)}=${mask(value, masking)}` : redactPair(pair, masking, depth);
  });
}

function redactSegment(segment: string, place: SegmentPlace, masking: Masking, depth: number): string {
  if (place.announced === null && place.byHost === null && PLAIN.test(segment)) return segment;
  const decoded = decode(segment);
  const shown = withoutPassword(segment, masking);
  const semicolon = shown.indexOf(';');
  const bare = semicolon === -1 ? shown : shown.slice(0, semicolon);
  const isSecret = masking.severity === 'secrets' && isSecretSegment(decoded, place);
  const first = isSecret
    ? mask(bare, masking)
    : isPublicSegment(decoded, place)
      ? bare
      : redactPair(bare, masking, depth);
  const parameters =
    semicolon === -1
      ? ''
      : mapPieces(shown.slice(semicolon), BETWEEN_PARAMETERS, (pair) => redactPair(pair, masking, depth));
  return withoutPassword(first + parameters, masking);
}

/** Redacts the password of a URL in a path that has lost a slash. */
function withoutPassword(segment: string, masking: Masking): string {
  if (!segment.includes('@')) return segment;
  const parts = /^(?!(?:mailto|acct|sip):)([^:@]*:)([^@]+)@/i.exec(segment);
  return parts?.[2] ? `${parts[1]}${mask(parts[2], masking)}${segment.slice(parts[0].length - 1)}` : segment;
}

/** Redacts a fragment, which no server sees: the public record has none of it. */
function redactFragment(fragment: string, masking: Masking, depth: number): string {
  const redacted = redactPairs(fragment, masking, depth);
  if (masking.severity === 'passwords' || fragment.length < 2) return redacted;
  return `#${mask(fragment.slice(1), masking)}`;
}

function redactPairs(text: string, masking: Masking, depth: number): string {
  return mapPieces(text, BETWEEN_PAIRS, (pair) => redactPair(pair, masking, depth));
}

function redactPair(pair: string, masking: Masking, depth: number): string {
  if (!pair.includes('=')) return redactValue(pair, masking, depth);
  return once(pair, masking, depth, redactPairOnce);
}

/** Redacts `name=value` and `name=name=value`: all that follows the name of a secret is masked. */
function redactPairOnce(pair: string, masking: Masking, depth: number): string {
  let redacted = '';
  let kind: NameKind = 'plain';
  let shownKind: NameKind = 'plain';
  for (let start = 0; ; ) {
    const equals = pair.indexOf('=', start);
    const part = pair.slice(start, equals === -1 ? pair.length : equals);
    const decoded = decode(part);
    const length = pair.length - start;
    const isSecret =
      isSecretBehind(shownKind, decoded, length, masking) ||
      (kind !== shownKind && isSecretBehind(kind, decoded, length, masking));
    if (isSecret) return redacted + mask(pair.slice(start), masking);
    const isPublished = shownKind === 'published' && !decoded.includes('@');
    const shown: string = isPublished ? part : redactValue(part, masking, depth);
    redacted += shown;
    if (equals === -1) return redacted;
    redacted += '=';
    kind = kindOfName(decoded);
    // A second pass over the shown text must find the same, and no mask may hide what follows.
    shownKind = shown === part ? kind : kindOfName(decode(shown));
    start = equals + 1;
  }
}

/** Redacts a value without `=`. */
function redactValue(value: string, masking: Masking, depth: number): string {
  if (PLAIN.test(value)) return value;
  return once(value, masking, depth, settleValue);
}

function settleValue(value: string, masking: Masking, depth: number): string {
  return settle(value, (it) => redactValueOnce(it, masking, depth));
}

type Redact = (piece: string, masking: Masking, depth: number) => string;

/** Redacts a piece once per run, and not at all if an earlier run found nothing. */
function once(piece: string, masking: Masking, depth: number, redact: Redact): string {
  const { secrets, pieces, earlier } = masking;
  if (areTooMany(secrets)) return MASK;
  if (earlier?.pieces[depth]?.get(piece) === piece) return piece;
  pieces[depth] ??= new Map();
  const known = pieces[depth].get(piece);
  if (known !== undefined) return known;
  const redacted = redact(piece, masking, depth);
  pieces[depth].set(piece, redacted);
  return redacted;
}

/** Repeats redaction until it is stable, because a mask can expose the next secret; else masks all. */
function settle(text: string, redact: (text: string) => string): string {
  let settled = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = redact(settled);
    if (next === settled || next === MASK) return next;
    settled = next;
  }
  return MASK;
}

function redactValueOnce(value: string, masking: Masking, depth: number): string {
  if (PLAIN.test(value)) return value;
  const decoded = decode(value);
  if (masking.severity === 'secrets' && isSecretValue(decoded)) return mask(value, masking);
  if (decoded === value && !DOUBLE_SLASH.test(value)) return redactAtoms(value, masking);
  const redacted = redactText(decoded, masking, depth + 1);
  if (redacted === decoded) return value;
  return decoded === value ? redacted : encodeURIComponent(redacted.toWellFormed());
}

/** Redacts recognizable secrets inside a longer text. */
function redactAtoms(text: string, masking: Masking): string {
  if (masking.severity === 'passwords') return text;
  const masked = (secret: string) => mask(secret, masking);
  return replaceMailAddresses(replaceTokens(text, masked), masked);
}

const MIN_PART_LENGTH = 8;
const START = 'eyJ';

/** Replaces each JSON Web Token (RFC 7519): two or three base64url parts that begin with `eyJ`, which is `{"`. */
export function replaceTokens(text: string, replace: (token: string) => string): string {
  const parts: string[] = [];
  let done = 0;
  for (let at = text.indexOf(START); at !== -1; at = text.indexOf(START, done)) {
    const headEnd = partEnd(text, at);
    const bodyEnd = text[headEnd] === '.' ? partEnd(text, headEnd + 1) : headEnd;
    const isToken = headEnd - at >= START.length + MIN_PART_LENGTH && bodyEnd - headEnd > MIN_PART_LENGTH;
    const end = isToken && text[bodyEnd] === '.' ? partEnd(text, bodyEnd + 1) : bodyEnd;
    parts.push(text.slice(done, at), isToken ? replace(text.slice(at, end)) : text.slice(at, headEnd));
    done = isToken ? end : headEnd;
  }
  return done === 0 ? text : parts.join('') + text.slice(done);
}

const PART = /[\w-]*/y;

function partEnd(text: string, start: number): number {
  PART.lastIndex = start;
  PART.test(text);
  return PART.lastIndex;
}
