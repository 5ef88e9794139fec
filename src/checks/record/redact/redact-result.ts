import { isObject } from '#src/core/base/guard.ts';
import { MAX_TEXT_LENGTH, truncateText } from '#src/core/base/text/truncate-text.ts';
import { isAscii } from '#src/core/base/text/untrusted-text.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { isTargetProblem, MAX_URL_LENGTH, parseTarget } from '#src/core/url/target.ts';
import { entryFor } from '#src/engine/reasons/sentence.ts';
import { cachedJson } from '../cached-json.ts';
import { type CheckResult, OWN_DETAILS, type Reason } from '../check-result.ts';
import { fitRecord, mapItems, mapMembers, surveyResult } from '../fit-record.ts';
import { withOtherArgs, withSameDecisive } from '../reasons/explain.ts';
import { areTooMany, MASK, type Masking, OWN_WORDS, startMasking, type TextMask } from './mask.ts';
import { mayHoldSecret, redactText, redactUrl } from './redact-text.ts';
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

/** A result masked by {@link maskResult}. */
export type RedactedResult = CheckResult & { readonly [isRedacted]: true };

declare const isRedacted: unique symbol;

/** A masked result for its readers. */
interface MaskedResult {
  /** For the client: without passwords, except in `url`, which is the string as it was sent. */
  readonly answer: CheckResult;
  /**
   * For the log: without passwords in the private log; without anything that looks like a secret or names a person in
   * the public one, in the URL or repeated by the page. Masking is idempotent.
   */
  readonly stored: RedactedResult;
}

/** Truncates and masks a result for its answer and its log. */
export function maskResult(described: CheckResult, visibility: Visibility): MaskedResult {
  const survey = surveyResult(described);
  const result = survey.fits ? described : fitRecord(described);
  const isPlain = survey.fits && survey.isPlain;
  const masking = visibility === 'private' ? null : startMasking('secrets');
  const bare = masking ? redactSecrets(result, masking, isPlain) : redactPasswords(result, null, isPlain);
  const stored = settle(bare, result) as RedactedResult;
  // One object for both, so that it is serialized once.
  if (bare === result) return { answer: stored, stored };
  // Without secrets there is no password.
  const isClean = masking !== null && bare.analysis_details === result.analysis_details;
  const answer = isClean ? result : masking ? redactPasswords(result, masking, isPlain) : bare;
  return { answer: settle(withUrl(answer, result.url), result), stored };
}

/** Characters that every password rule requires, in JSON. */
const MAY_HOLD_PASSWORD = /[@=%]|\\":/;

function redactPasswords(result: CheckResult, earlier: Masking | null, isPlain: boolean): CheckResult {
  // If no other text may hold a secret, none repeats a password that is not in the checked URL.
  const json = isPlain ? JSON.stringify([result.url, result.analysis_details.normalized_url]) : cachedJson(result);
  if (!MAY_HOLD_PASSWORD.test(json)) return result;
  const masking = startMasking('passwords', earlier);
  const { canonical, masked, fragment } = redactChecked(result, masking);
  // The parser drops tabs and reads `\` as `/`, so that a password may be invisible in the text as it was sent.
  const given = URL.parse(result.url);
  const isClean =
    masked === canonical &&
    fragment === given?.hash &&
    given.password === '' &&
    given.href.length <= MAX_URL_LENGTH &&
    isFormOf(canonical, result.url);
  if (isClean && earlier?.hasScannedText === false) return result;
  const url = isClean ? result.url : masked + fragment;
  return redactTexts(result, { url, canonical, masked }, masking);
}

/** The public URL is the canonical form, without a fragment. */
function redactSecrets(result: CheckResult, masking: Masking, isPlain: boolean): CheckResult {
  const { canonical, masked } = redactChecked(result, masking);
  if (isPlain && masked === canonical && masking.secrets.size === 0) return withUrl(result, masked);
  return redactTexts(result, { url: masked, canonical, masked }, masking);
}

/** Masks the checked URL: its canonical form, and its fragment, which that form lacks. */
function redactChecked({ url, analysis_details }: CheckResult, masking: Masking) {
  const canonical = analysis_details.normalized_url;
  const masked = redactUrl(canonical, masking);
  const hash = url.includes('#') ? truncateText(URL.parse(url)?.hash ?? '', MAX_FRAGMENT_LENGTH) : '';
  const fragment = hash && redactUrl(`${NO_URL}${hash}`, masking).slice(NO_URL.length);
  return { canonical, masked, fragment };
}

/** Maximum length of a logged fragment, which no server sees. */
const MAX_FRAGMENT_LENGTH = 1024;
const NO_URL = 'https://fragment/';

/** Returns true if `canonical` is the canonical form of `url`; in an answer it is masked already. */
function isFormOf(canonical: string, url: string): boolean {
  if (url === canonical) return true;
  const target = parseTarget(url);
  return !isTargetProblem(target) && target.url === canonical;
}

/**
 * Maximum number of characters that are scanned besides the checked URL: of 1,636 pages, the largest needed 1,629.
 * Beyond that, only hosts are shown.
 */
const MAX_SCANNED_LENGTH = MAX_URL_LENGTH;

function redactTexts(
  result: CheckResult,
  { url, canonical, masked: maskedUrl }: { readonly url: string; readonly canonical: string; readonly masked: string },
  masking: Masking,
): CheckResult {
  const { secrets } = masking;
  // The same URL occurs several times in a record. Most records have no other one.
  let others: Map<string, string> | null = null;
  let left = MAX_SCANNED_LENGTH;
  const secretMask: TextMask = {
    mayChange: mayHoldSecret,
    change(text) {
      if (text === url || text === maskedUrl) return text;
      if (text === canonical) return maskedUrl;
      const earlier = others?.get(text);
      if (earlier !== undefined) return earlier;
      masking.hasScannedText = true;
      left -= text.length;
      const masked = left < 0 ? keepOrigin(text) : redactText(text, masking);
      others ??= new Map();
      others.set(text, masked);
      return masked;
    },
  };
  // Redirects come first, so that a site cannot hide them by sending more text.
  const { final_url, redirects } = result.analysis_details;
  maskTexts([final_url, redirects], secretMask);
  const given = withUrl(result, url);
  let known: number;
  let redacted: CheckResult;
  do {
    known = secrets.size;
    const echoes = known === 0 ? null : echoMask(secrets, URL.parse(canonical)?.hostname ?? '');
    redacted = maskTexts(given, echoes ? inTurn(secretMask, echoes) : secretMask);
    // What was masked meanwhile may be repeated by a text before it.
  } while (secrets.size > known);
  return redacted;
}

/** Masks by one mask, and what it leaves by another. */
function inTurn(first: TextMask, second: TextMask): TextMask {
  return {
    mayChange: (text) => first.mayChange(text) || second.mayChange(text),
    change(text) {
      const once = first.mayChange(text) ? first.change(text) : text;
      return second.mayChange(once) ? second.change(once) : once;
    },
  };
}

function withUrl(result: CheckResult, url: string): CheckResult {
  return url === result.url ? result : { ...result, url };
}

/** Masks every string except for {@link OWN_WORDS}; unchanged values are not copied. */
function maskTexts<T>(value: T, mask: TextMask): T;
function maskTexts(value: unknown, mask: TextMask): unknown {
  if (typeof value === 'string') return mask.mayChange(value) ? mask.change(value) : value;
  if (Array.isArray(value)) return mapItems(value, (item) => maskTexts(item, mask));
  if (!isObject(value)) return value;
  return mapMembers(value, (member, name) => {
    if (typeof member === 'string')
      return OWN_WORDS.has(name) || !mask.mayChange(member) ? member : mask.change(member);
    if (typeof member !== 'object' || member === null || OWN_DETAILS.has(name)) return member;
    if (name === 'reasons') return mapItems(member as Reason[], (reason) => maskReason(reason as Reason, mask));
    return maskTexts(member, mask);
  });
}

/** Masks the args of a reason and rebuilds its sentence; the program's own words stay. */
function maskReason(reason: Reason, mask: TextMask): Reason {
  const args = maskTexts(reason.args, mask);
  if (args === reason.args && !mask.mayChange(reason.message)) return reason;
  return withOtherArgs(reason, args, (text) => maskTexts(text, mask));
}

/** Maximum length of a quotation in a sentence, in UTF-16 code units. */
const MAX_QUOTED = 60;

/**
 * Returns a masked result as it is shown: quotations of a path or page have at most {@link MAX_QUOTED} characters, and the
 * counterfactual has the sentence of its reason. Analyzers quote in full, because half of a secret would not be recognized.
 */
function settle(bare: CheckResult, result: CheckResult): CheckResult {
  const details = bare.analysis_details;
  const reasons = mapItems(details.reasons, (reason) => shortenReason(reason as Reason)) as Reason[];
  const settled = withSameDecisive(reasons === details.reasons ? details : { ...details, reasons });
  if (bare === result && settled === details) return result;
  // A mask may be longer than what it hides.
  return fitRecord({ ...bare, analysis_details: settled });
}

function shortenReason(reason: Reason): Reason {
  const quoted = entryFor(reason.code, reason.args)?.quoted;
  if (!quoted || quoted.size === 0) return reason;
  const args = mapMembers(reason.args, (value, name) => {
    const most = MAX_QUOTED - (quoted.get(name) ?? 0);
    const isLong = typeof value === 'string' && quoted.has(name) && value.length > most;
    return isLong ? `${value.slice(0, most - 1).toWellFormed()}…` : value;
  }) as Reason['args'];
  return args === reason.args ? reason : withOtherArgs(reason, args, (text) => text);
}
