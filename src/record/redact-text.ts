import { isAnnouncement, isPasswordName, isSecretName, isSecretValue, MASK } from './secret-value.ts';
import { unescapeFully as decode } from './unescape-fully.ts';

/** How much has to go: only passwords, or everything that looks like a secret or names a person. */
export type Severity = 'passwords' | 'secrets';

/** Takes down each secret that was masked, as it was written, so that its echoes can be masked too. */
export type OnSecret = (secret: string) => void;

/** How often a value is unescaped to see a URL inside a URL inside a URL. */
const MAX_DEPTH = 4;

/** What every rule for free text needs to see. */
const SUSPICIOUS = /[@=]|[/\\]{2}|eyJ|":/;
const DOUBLE_SLASH = /[/\\]{2}/;
const URL_IN_TEXT = /(?:\b[a-z][a-z0-9+.-]{1,15}:)?[/\\]{2}[^\s"'<>`]+/gi;
const PAIR = /([?&;#\s]|^)([\w%.~[\]-]{1,128})=([^&;#\s"'<>]+)/g;
/** Too short for a secret without a name, and nothing in it to undo. */
const PLAIN = /^[\w.~-]{0,11}$/;
/** Behind `countryCode` or `state` stands a few letters' worth of no secret. */
const COUNTRY = /^[a-z]{1,3}$/i;
const MEMBER = /"([\w-]{1,64})"(\s{0,8}:\s{0,8})"([^"]*)"/g;
const LOCAL_PART = /[\p{L}\p{N}._%+'-]{1,64}$/u;
const MAIL_DOMAIN = /^(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,63}/u;
const JWT = /eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g;

/** Whether {@link redactText} has to look at a text at all; nearly every text is plain words. */
export function mayHoldSecret(text: string): boolean {
  return SUSPICIOUS.test(text);
}

/** A text with its secrets replaced by `***`. Doing it twice changes nothing more. */
export function redactText(text: string, severity: Severity, onSecret: OnSecret, depth = 0): string {
  if (depth > MAX_DEPTH) return MASK;
  if (!mayHoldSecret(text)) return text;
  let redacted = text;
  if (DOUBLE_SLASH.test(redacted)) {
    redacted = redacted.replace(URL_IN_TEXT, (url) => redactUrl(url, severity, onSecret, depth));
  }
  if (redacted.includes('=')) {
    redacted = redacted.replace(
      PAIR,
      (_, before: string, name: string, value: string) =>
        `${before}${name}=${redactValue(name, value, severity, onSecret, depth)}`,
    );
  }
  if (redacted.includes('":')) {
    redacted = redacted.replace(
      MEMBER,
      (_, name: string, colon: string, value: string) =>
        `"${name}"${colon}"${redactValue(name, value, severity, onSecret, depth)}"`,
    );
  }
  if (severity === 'passwords') return redacted;
  if (redacted.includes('eyJ')) redacted = redacted.replace(JWT, (token) => mask(token, onSecret));
  return redacted.includes('@') ? redactAddresses(redacted, onSecret) : redacted;
}

/** A URL with its secrets replaced by `***`; it stays a URL, with the same host. What is not one goes whole. */
export function redactUrl(url: string, severity: Severity, onSecret: OnSecret, depth = 0): string {
  if (depth > MAX_DEPTH) return MASK;
  const parts = /^((?:[a-z][a-z0-9+.-]*:)?[/\\]{2})([^/?#\\]*)([^?#]*)(\?[^#]*)?(#.*)?$/is.exec(url);
  if (!parts) return mask(url, onSecret);
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = parts;
  return [
    scheme,
    redactAuthority(authority, severity, onSecret),
    redactPath(path, severity, onSecret, depth),
    redactQuery(query, severity, onSecret, depth),
    redactFragment(fragment, severity, onSecret, depth),
  ].join('');
}

function redactAuthority(authority: string, severity: Severity, onSecret: OnSecret): string {
  const at = authority.lastIndexOf('@');
  if (at < 0) return authority;
  const [user = '', ...rest] = authority.slice(0, at).split(':');
  const password = rest.join(':');
  const isPerson = severity === 'secrets' && (isSecretValue(decode(user)) || decode(user).includes('@'));
  return `${isPerson ? mask(user, onSecret) : user}${password && `:${mask(password, onSecret)}`}${authority.slice(at)}`;
}

/** A segment behind one that announces a secret (`/otp/4711`) goes as soon as it holds a digit. */
function redactPath(path: string, severity: Severity, onSecret: OnSecret, depth: number): string {
  let before = '';
  const outer = DOUBLE_SLASH.test(path)
    ? path.replace(URL_IN_TEXT, (url) => redactUrl(url, severity, onSecret, depth + 1))
    : path;
  return outer.replace(/[^/\\]+/g, (segment) => {
    const isAnnounced = /\d/.test(decode(segment)) && isAnnouncement(decode(before));
    before = segment;
    if (!isAnnounced && PLAIN.test(segment)) return segment;
    const [bare = '', ...parameters] = withoutPassword(segment, onSecret).split(';');
    const redacted =
      severity === 'secrets' && isAnnounced ? mask(bare, onSecret) : redactValue('', bare, severity, onSecret, depth);
    return [redacted, ...parameters.map((pair) => redactPair(pair, severity, onSecret, depth))].join(';');
  });
}

/** A URL inside a path may have lost a slash and with it the look of a URL; its password is one all the same. */
function withoutPassword(segment: string, onSecret: OnSecret): string {
  const parts = /^([^:@]*:)([^@]+)@/.exec(segment);
  return parts?.[2] ? `${parts[1]}${mask(parts[2], onSecret)}${segment.slice(parts[0].length - 1)}` : segment;
}

function redactQuery(query: string, severity: Severity, onSecret: OnSecret, depth: number): string {
  return query.replace(/[^?&;]+/g, (pair) => redactPair(pair, severity, onSecret, depth));
}

/** A server never sees the fragment: where the record becomes public, none of it is kept. */
function redactFragment(fragment: string, severity: Severity, onSecret: OnSecret, depth: number): string {
  if (severity === 'passwords') return redactQuery(fragment, severity, onSecret, depth);
  if (fragment.length < 2) return fragment;
  redactQuery(fragment.slice(1), severity, onSecret, depth);
  return `#${mask(fragment.slice(1), onSecret)}`;
}

function redactPair(pair: string, severity: Severity, onSecret: OnSecret, depth: number): string {
  const equals = pair.indexOf('=');
  if (equals < 0) return redactValue('', pair, severity, onSecret, depth);
  const name = pair.slice(0, equals);
  return `${redactValue('', name, severity, onSecret, depth)}=${redactValue(name, pair.slice(equals + 1), severity, onSecret, depth)}`;
}

function redactValue(name: string, value: string, severity: Severity, onSecret: OnSecret, depth: number): string {
  if (PLAIN.test(value) && name === '') return value;
  const key = decode(name);
  if (isPasswordName(key)) return mask(value, onSecret);
  if (severity === 'secrets' && isSecretName(key) && !COUNTRY.test(value)) return mask(value, onSecret);
  const decoded = decode(value);
  if (severity === 'secrets' && (isSecretValue(decoded) || isEncodedAddress(decoded))) return mask(value, onSecret);
  const redacted = redactText(decoded, severity, onSecret, depth + 1);
  if (redacted === decoded) return value;
  return decoded === value ? redacted : encodeURIComponent(redacted.toWellFormed());
}

function redactAddresses(text: string, onSecret: OnSecret): string {
  const pieces = text.split('@');
  let redacted = pieces[0] ?? '';
  for (const piece of pieces.slice(1)) {
    const local = LOCAL_PART.exec(redacted.slice(-128))?.[0];
    const domain = MAIL_DOMAIN.exec(piece.slice(0, 512))?.[0];
    if (local && domain) {
      redacted = redacted.slice(0, -local.length) + mask(`${local}@${domain}`, onSecret) + piece.slice(domain.length);
    } else {
      redacted += `@${piece}`;
    }
  }
  return redacted;
}

/** Phishing kits carry the victim's address in base64, behind the URL of their page. */
function isEncodedAddress(value: string): boolean {
  if (!/^[\w+/-]{8,512}={0,2}$/.test(value)) return false;
  const bytes = Buffer.from(value, 'base64').toString('latin1');
  return /^[\w.%+'-]{1,64}@(?:[\w-]{1,63}\.){1,8}[a-z]{2,63}$/i.test(bytes);
}

function mask(secret: string, onSecret: OnSecret): string {
  if (secret !== MASK) onSecret(secret);
  return MASK;
}
