import type { Visibility } from '#src/base/visibility.ts';
import type { CheckResult } from './check-result.ts';
import { mayHoldSecret, redactText, redactUrl, type Severity } from './redact-text.ts';
import { MASK } from './secret-value.ts';
import { unescapeFully } from './unescape-fully.ts';

/** Members that the program fills with its own words, identifiers and times. */
const OWN_WORDS = new Set(
  `request_id timestamp decision model_version component code status reason source method protocol key
  signature_algorithm fingerprint_sha256 valid_from valid_to created_at updated_at expires_at`.split(/\s+/),
);

/** A shorter secret is masked where it stands, but not looked for elsewhere: it would be found in everything. */
const MIN_ECHO_LENGTH = 4;
const MIN_PIECE_LENGTH = 6;

const MAX_ROUNDS = 8;

/** To look for more than this in every text would take too long; a URL with so many secrets is no ordinary one. */
const MAX_ECHOES = 100;

/** Scheme, credentials and host. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@\\]*@)?[^/?#@\\]*/i;

/** A result that {@link redactResult} has been over. */
export type RedactedResult = CheckResult & { readonly [isRedacted]: true };

declare const isRedacted: unique symbol;

/**
 * A result as its log may keep it: without passwords in the private log; without anything that looks like a secret or
 * names a person in the public one, be it in the URL or repeated by the page. Doing it twice changes nothing more.
 */
export function redactResult(result: CheckResult, visibility: Visibility): RedactedResult {
  return redactTexts(result, visibility === 'private' ? 'passwords' : 'secrets') as RedactedResult;
}

function redactTexts(result: CheckResult, severity: Severity): CheckResult {
  const secrets = new Set<string>();
  const onSecret = (secret: string) => void secrets.add(secret);
  const url = settle(wellFormed(result.url, severity), (text) => redactUrl(text, severity, onSecret));
  const { normalized_url: canonical } = result.analysis_details;
  const known = new Map([
    [canonical, settle(canonical, (text) => redactUrl(text, severity, onSecret))],
    [url, url],
  ]);
  const redacted = mapTexts(url === result.url ? result : { ...result, url }, (text) => {
    if (!mayHoldSecret(text)) return text;
    // The same URL stands in a record several times.
    const masked = known.get(text) ?? settle(text, (it) => redactText(it, severity, onSecret));
    if (masked !== text || text.includes('://')) known.set(text, masked);
    return masked;
  });
  if (secrets.size === 0) return redacted;
  const echoes = echoesOf(secrets, result.analysis_details.normalized_url);
  if (echoes.length === 0) return redacted;
  return mapTexts(redacted, (text) => (echoes.length > MAX_ECHOES ? keepOrigin(text) : maskEchoes(text, echoes)));
}

/** One mask can bring the next secret into view, so a text that changed is looked at again. */
function settle(text: string, redact: (text: string) => string): string {
  let settled = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = redact(settled);
    if (next === settled) break;
    settled = next;
  }
  return settled;
}

/** The parser drops tabs and reads `\` as `/`, so a password may hide from anyone who looks at the text as it was sent. */
function wellFormed(url: string, severity: Severity): string {
  const parsed = URL.parse(url);
  return parsed && (severity === 'secrets' || parsed.password !== '') ? parsed.href : url;
}

/** The same value with every string replaced but for {@link OWN_WORDS}; what does not change is not copied. */
function mapTexts<T>(value: T, change: (text: string) => string): T;
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return mapItems(value, change);
  return isObject(value) ? mapMembers(value, change) : value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function mapItems(items: readonly unknown[], change: (text: string) => string): readonly unknown[] {
  let changed: unknown[] | null = null;
  for (let i = 0; i < items.length; i++) {
    const mapped = mapTexts(items[i], change);
    if (mapped === items[i]) continue;
    changed ??= [...items];
    changed[i] = mapped;
  }
  return changed ?? items;
}

function mapMembers(members: Readonly<Record<string, unknown>>, change: (text: string) => string): object {
  let changed: Record<string, unknown> | null = null;
  for (const key in members) {
    const member = members[key];
    if (typeof member === 'number' || (typeof member === 'string' && OWN_WORDS.has(key))) continue;
    const mapped = mapTexts(member, change);
    if (mapped === member) continue;
    changed ??= { ...members };
    changed[key] = mapped;
  }
  return changed ?? members;
}

/** The forms in which a page or a reason may repeat a secret, the longest first. The host is public in any case. */
function echoesOf(secrets: ReadonlySet<string>, url: string): RegExp[] {
  const host = URL.parse(url)?.hostname ?? '';
  const echoes = new Set<string>();
  for (const secret of secrets) {
    const plain = unescapeFully(secret);
    const pieces = plain
      .split(/[^\p{L}\p{N}]+/u)
      .filter((piece) => piece.length >= MIN_PIECE_LENGTH && /\d/.test(piece));
    const mailbox = plain.includes('@') ? [plain.slice(0, plain.indexOf('@'))] : [];
    for (const form of [secret, plain, plain.replaceAll('+', ' '), ...pieces, ...mailbox]) {
      const echo = form.toLowerCase();
      if (echo.length >= MIN_ECHO_LENGTH && !host.includes(echo)) echoes.add(echo);
    }
  }
  return [...echoes].sort((a, b) => b.length - a.length).map((echo) => new RegExp(RegExp.escape(echo), 'gi'));
}

/** The scheme and host of a URL stay: it has to remain one. */
function maskEchoes(text: string, echoes: readonly RegExp[]): string {
  const origin = ORIGIN.exec(text)?.[0] ?? '';
  return origin + echoes.reduce((masked, echo) => masked.replace(echo, MASK), text.slice(origin.length));
}

function keepOrigin(text: string): string {
  const origin = ORIGIN.exec(text)?.[0];
  return origin === undefined ? MASK : `${origin}/${MASK}`;
}
