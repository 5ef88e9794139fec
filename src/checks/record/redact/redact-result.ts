import { cutShort } from '#src/core/base/text/truncate-text.ts';
import { isObject } from '#src/core/base/text/is-object.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { isTargetProblem, MAX_URL_LENGTH, parseTarget } from '#src/core/url/target.ts';
import type { CheckResult } from '../check-result.ts';
import { fitRecord } from '../fit-record.ts';
import { mapItems, mapMembers } from '../map-json.ts';
import { writtenJson } from '../written-json.ts';
import { echoMask, keepOrigin } from './echoes.ts';
import { type Masking, startMasking } from './mask.ts';
import { mayHoldSecret, redactText, redactUrl } from './redact-text.ts';
import { shortenQuotations } from './shorten-quotations.ts';

/** Members that the program fills with its own words, identifiers and times. */
const OWN_WORDS = new Set(
  `request_id timestamp decision model_version component code status reason source method protocol key
  signature_algorithm fingerprint_sha256 how coverage valid_from valid_to created_at updated_at expires_at`.split(
    /\s+/,
  ),
);

/** What fitting makes anew of the sentence beside it. */
const MADE_ANEW = 'args';

/** A result that {@link maskResult} has been over. */
export type RedactedResult = CheckResult & { readonly [isRedacted]: true };

declare const isRedacted: unique symbol;

/** A result, for everyone who gets to see it. */
export interface MaskedResult {
  /** For the client: no password is left in it but in `url`, which is the string as it was sent. */
  readonly answer: CheckResult;
  /**
   * As its log may keep it: without passwords in the private log; without anything that looks like a secret or names a
   * person in the public one, be it in the URL or repeated by the page. Masked again it stays as it is.
   */
  readonly kept: RedactedResult;
}

/** Masks a result, once for all. */
export function maskResult(result: CheckResult, visibility: Visibility): MaskedResult {
  if (visibility === 'private') {
    const bare = redactPasswords(result, null);
    return bare === result ? cleanOf(result) : { answer: answerOf(bare, result), kept: keptOf(bare, result) };
  }
  const masking = startMasking('secrets');
  const bare = redactSecrets(result, masking);
  // Where no secret is, there is no password.
  const isClean = bare.analysis_details === result.analysis_details;
  if (bare === result) return cleanOf(result);
  const answer = answerOf(isClean ? result : redactPasswords(result, masking), result);
  return { answer, kept: keptOf(bare, result) };
}

/** One object for both, so that it is written down once. */
function cleanOf(result: CheckResult): MaskedResult {
  const kept = keptOf(result, result);
  return { answer: kept, kept };
}

function answerOf(bare: CheckResult, result: CheckResult): CheckResult {
  return shortenQuotations(bare === result ? result : fitRecord({ ...bare, url: result.url }));
}

function keptOf(bare: CheckResult, result: CheckResult): RedactedResult {
  return shortenQuotations(bare === result ? result : fitRecord(bare)) as RedactedResult;
}

/** What every rule for passwords needs to see, in JSON. */
const MAY_HOLD_PASSWORD = /[@=%]|\\":/;

function redactPasswords(result: CheckResult, earlier: Masking | null): CheckResult {
  if (!MAY_HOLD_PASSWORD.test(writtenJson(result))) return result;
  const masking = startMasking('passwords', earlier);
  const { canonical, masked, fragment } = redactChecked(result, masking);
  // The parser drops tabs and reads `\` as `/`, so a password may hide from anyone who looks at the text as it was sent.
  const given = URL.parse(result.url);
  const isClean =
    masked === canonical &&
    fragment === given?.hash &&
    given.password === '' &&
    !isLong(given) &&
    isFormOf(canonical, result.url);
  const url = isClean ? result.url : masked + fragment;
  return redactTexts(result, { url, canonical, masked }, masking);
}

/** What everybody may read of the URL is its canonical form, of which a fragment is no part. */
function redactSecrets(result: CheckResult, masking: Masking): CheckResult {
  const { canonical, masked } = redactChecked(result, masking);
  return redactTexts(result, { url: masked, canonical, masked }, masking);
}

/** The checked URL, masked: its canonical form, and its fragment, which that form has not. */
function redactChecked({ url, analysis_details }: CheckResult, masking: Masking) {
  const canonical = analysis_details.normalized_url;
  const masked = redactUrl(canonical, masking);
  const hash = url.includes('#') ? cutShort(URL.parse(url)?.hash ?? '', MAX_FRAGMENT_LENGTH) : '';
  const fragment = hash && redactUrl(`${NO_URL}${hash}`, masking).slice(NO_URL.length);
  return { canonical, masked, fragment };
}

/** No server sees a fragment, so a log does without the rest of a long one. */
const MAX_FRAGMENT_LENGTH = 1024;
const NO_URL = 'https://fragment/';

/** Whether the canonical form may be cut, and so says nothing of the rest. */
function isLong({ href }: URL): boolean {
  return href.length > MAX_URL_LENGTH;
}

/** Of an answer the canonical form is masked already, and says nothing of what stands in the URL as it was sent. */
function isFormOf(canonical: string, url: string): boolean {
  if (url === canonical) return true;
  const target = parseTarget(url);
  return !isTargetProblem(target) && target.url === canonical;
}

/**
 * How many characters are looked into besides the checked URL, as many as that may have: of 1,636 pages the one with the
 * most to look into had 1,629. Of what a site sends beyond, only hosts stay.
 */
const MAX_LOOKED_INTO = MAX_URL_LENGTH;

function redactTexts(
  result: CheckResult,
  { url, canonical, masked: maskedUrl }: { readonly url: string; readonly canonical: string; readonly masked: string },
  masking: Masking,
): CheckResult {
  // The same URL stands in a record several times.
  const known = new Map([
    [canonical, maskedUrl],
    [maskedUrl, maskedUrl],
    [url, url],
  ]);
  let left = MAX_LOOKED_INTO;
  const look = (text: string): string => {
    if (!mayHoldSecret(text)) return text;
    const earlier = known.get(text);
    if (earlier !== undefined) return earlier;
    left -= text.length;
    const masked = left < 0 ? keepOrigin(text) : redactText(text, masking);
    known.set(text, masked);
    return masked;
  };
  // Where the link led comes first: whatever else a site sends, it can't hide that.
  const { final_url, redirects } = result.analysis_details;
  mapTexts([final_url, redirects], look);
  const redacted = mapTexts(url === result.url ? result : { ...result, url }, look);
  if (masking.secrets.size === 0) return redacted;
  const host = URL.parse(result.analysis_details.normalized_url)?.hostname ?? '';
  const maskEchoes = echoMask(masking.secrets, host);
  return maskEchoes ? mapTexts(redacted, maskEchoes) : redacted;
}

/** The same value with every string replaced but for {@link OWN_WORDS}; what does not change is not copied. */
function mapTexts<T>(value: T, change: (text: string) => string): T;
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return mapItems(value, (item) => mapTexts(item, change));
  if (!isObject(value)) return value;
  return mapMembers(value, (member, name) =>
    name === MADE_ANEW || (typeof member === 'string' && OWN_WORDS.has(name)) ? member : mapTexts(member, change),
  );
}
