import { startHostPath } from './host-paths.ts';
import { replaceMailAddresses } from './mail-address.ts';
import { mapPieces, separators } from './map-pieces.ts';
import { areTooMany, MASK, type Masking, mask } from './mask.ts';
import { isEverybodys, isSecretSegment, nextAnnouncement, type SegmentPlace } from './path-place.ts';
import { isSecretBehind, isSecretOfLink } from './secret-behind.ts';
import { type Announcement, kindOfName, type NameKind } from './secret-name.ts';
import { isSecretValue } from './secret-value.ts';
import { replaceTokens } from './token.ts';
import { unescapeFully as decode } from './unescape-fully.ts';

/** How often a value is unescaped to see a URL inside a URL inside a URL. */
const MAX_DEPTH = 4;

/** How often what changed is looked at again. */
const MAX_ROUNDS = 3;

/** What every rule for free text needs to see. */
const SUSPICIOUS = /[@=]|[/\\]{2}|eyJ|["']:/;
const DOUBLE_SLASH = /[/\\]{2}/;
const SCHEME_BEFORE = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,15}:$/i;
const SCHEME = /^[a-z][a-z0-9+.-]{1,15}:$/i;
const BETWEEN_WORDS = separators(/[\s"'<>`]/);
const BETWEEN_PAIRS = separators(/[?&;#]/);
const BETWEEN_PARAMETERS = separators(/;/);
const BETWEEN_SEGMENTS = separators(/[/\\]/);
/** A member of an object: in JSON, in JSON within a text of JSON, or as scripts write it. */
const MEMBER = /(\\"|["'])([^"'\\\s]{1,64})\1(\s{0,8}:\s{0,8})(?:\1((?:(?!\1)[\s\S])*)\1|(-?\d[\d.]*))/g;
const HAS_MEMBER = new RegExp(MEMBER.source);
/** Too short for a secret without a name, and nothing in it to undo. */
const PLAIN = /^[\w.~-]{0,8}$/;

/** Whether {@link redactText} has to look at a text at all; nearly every text is plain words. */
export function mayHoldSecret(text: string): boolean {
  return SUSPICIOUS.test(text);
}

/**
 * A text with its secrets replaced by `***`, in time linear in its length: every character belongs to one word, one pair
 * or one URL, and what is unescaped is looked into at most {@link MAX_DEPTH} times; what lies deeper goes whole.
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

/** A URL with its secrets replaced by `***`; it stays a URL, with the same host. What is not one goes whole. */
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

/** Shows a path, and says whether it announces a secret or a record, as in `/unsubscribe?id=…`. */
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
    // Of the segment as it is shown, so that whoever looks at that finds the same.
    before = decode(redacted);
    host.pass(before);
    // What is announced, or published, holds no password but one that gives itself away.
    announced = isForSecrets ? nextAnnouncement(before, announced) : null;
    isAnnouncing ||= byHost === 'secret' || announced === 'secret' || announced === 'person' || announced === 'record';
    return redacted;
  });
  return { shown, isAnnouncing };
}

/** The parameters of a link that lets its holder in: what is made up is a secret whatever its name. */
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
  const first = isSecret ? mask(bare, masking) : isEverybodys(decoded, place) ? bare : redactPair(bare, masking, depth);
  const parameters = semicolon === -1 ? '' : redactParameters(shown.slice(semicolon), masking, depth);
  return withoutPassword(first + parameters, masking);
}

function redactParameters(text: string, masking: Masking, depth: number): string {
  return mapPieces(text, BETWEEN_PARAMETERS, (pair) => redactPair(pair, masking, depth));
}

/** A URL inside a path may have lost a slash and with it the look of a URL; its password is one all the same. */
function withoutPassword(segment: string, masking: Masking): string {
  if (!segment.includes('@')) return segment;
  const parts = /^(?!(?:mailto|acct|sip):)([^:@]*:)([^@]+)@/i.exec(segment);
  return parts?.[2] ? `${parts[1]}${mask(parts[2], masking)}${segment.slice(parts[0].length - 1)}` : segment;
}

/** A server never sees the fragment: where the record becomes public, none of it is kept. */
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
  return once(pair, masking, depth, () => redactPairOnce(pair, masking, depth));
}

/** `name=value`, and `name=name=value` too: whatever stands behind the name of a secret goes. */
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
    // Whoever looks at what is shown must find the same, and no mask may hide what follows.
    shownKind = shown === part ? kind : kindOfName(decode(shown));
    start = equals + 1;
  }
}

/** A value in which there is no `=`. */
function redactValue(value: string, masking: Masking, depth: number): string {
  if (PLAIN.test(value)) return value;
  return once(value, masking, depth, () => settleValue(value, masking, depth));
}

function settleValue(value: string, masking: Masking, depth: number): string {
  return settle(value, (it) => redactValueOnce(it, masking, depth));
}

/** What becomes of a piece, which is found out once in a run, and not at all where nothing more is to be found. */
function once(piece: string, { secrets, pieces, earlier }: Masking, depth: number, redact: () => string): string {
  if (areTooMany(secrets)) return MASK;
  if (earlier?.pieces[depth]?.get(piece) === piece) return piece;
  pieces[depth] ??= new Map();
  const known = pieces[depth].get(piece);
  if (known !== undefined) return known;
  const redacted = redact();
  pieces[depth].set(piece, redacted);
  return redacted;
}

/** One mask can bring the next secret into view, so what changed is looked at again, and goes if it never rests. */
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

/** What gives itself away inside a longer text. */
function redactAtoms(text: string, masking: Masking): string {
  if (masking.severity === 'passwords') return text;
  const masked = (secret: string) => mask(secret, masking);
  return replaceMailAddresses(replaceTokens(text, masked), masked);
}
