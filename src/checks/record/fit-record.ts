import { isObject } from '#src/core/base/guard.ts';
import { MAX_TEXT_LENGTH, truncateText } from '#src/core/base/text/truncate-text.ts';
import { MAX_URL_LENGTH } from '#src/core/url/target.ts';
import { MAX_ITEMS } from './bounded-schema.ts';
import { cachedJson } from './cached-json.ts';
import { type AnalysisDetails, type CheckResult, OWN_DETAILS } from './check-result.ts';
import { OWN_WORDS } from './redact/mask.ts';
import { mayHoldSecret } from './redact/redact-text.ts';

/** Maximum size of a record, as JSON in UTF-8 bytes (`src/service/server/INTERFACE.md`). */
export const MAX_RECORD_BYTES = 65_536;

/** Bounds of the members of a record. */
interface RecordLimits {
  /** Maximum length of a text, in UTF-16 code units. */
  readonly text: number;
  /** Maximum length of the canonical URL, likewise. */
  readonly url: number;
  readonly items: number;
}

/** The limits of nearly every record. */
const USUAL: RecordLimits = { text: MAX_TEXT_LENGTH, url: MAX_URL_LENGTH, items: MAX_ITEMS };

/** Lists that are never truncated: weights must add up, and a failed probe must not seem absent. */
const WHOLE_LISTS = new Set(['reasons', 'unavailable']);
/** Maximum size of a UTF-16 code unit in JSON: `\u001f`. */
const BYTES_OF_UNIT = 6;
/** More than the marks of a member or item take, with a number, which has at most 24 characters. */
const BYTES_OF_MEMBER = 32;
/** More than the members beside `url` and `analysis_details` take. */
const ROOT_BYTES = 1024;
/** More than a member of {@link OWN_DETAILS} takes. */
const MOST_BYTES_OF_OWN = 1024;

/** Findings of one walk over a result. */
interface Survey {
  /** True if nothing in it has to be cut. */
  readonly fits: boolean;
  /** True if no text but the checked URL may hold a secret. */
  readonly isPlain: boolean;
}

let canonical = '';
let isPlain = true;

/** Surveys a result: for nearly every one, there is nothing to cut, and nothing to mask but its URL. */
export function surveyResult({ url, analysis_details }: CheckResult): Survey {
  canonical = analysis_details.normalized_url;
  isPlain = true;
  const bytes = ROOT_BYTES + url.length * BYTES_OF_UNIT + mostBytesOf(analysis_details);
  return { fits: bytes <= MAX_RECORD_BYTES, isPlain };
}

/** Returns an upper bound of the size of the members as JSON; infinity if a text or list in them has to be cut. */
function mostBytesOf(members: Readonly<Record<string, unknown>>): number {
  let bytes = 0;
  for (const name in members) {
    const value = members[name];
    bytes += BYTES_OF_MEMBER + name.length;
    if (typeof value === 'string') {
      bytes += bytesOfText(value, name);
      if (isPlain && !OWN_WORDS.has(name)) isPlain = !mayBeSecret(value);
    } else if (typeof value === 'object' && value !== null) {
      bytes += OWN_DETAILS.has(name) ? MOST_BYTES_OF_OWN : mostBytesIn(value, name);
    }
  }
  return bytes;
}

/** Likewise of a list or an object. */
function mostBytesIn(value: object, name: string): number {
  if (!Array.isArray(value)) return mostBytesOf(value as Readonly<Record<string, unknown>>);
  if (isTooLong(value, name, USUAL)) return Infinity;
  let bytes = BYTES_OF_MEMBER * value.length;
  for (const item of value) {
    if (typeof item === 'string') {
      bytes += bytesOfText(item, name);
      if (isPlain) isPlain = !mayBeSecret(item);
    } else if (typeof item === 'object' && item !== null) bytes += mostBytesIn(item, name);
  }
  return bytes;
}

function mayBeSecret(text: string): boolean {
  return text !== canonical && mayHoldSecret(text);
}

function bytesOfText(text: string, name: string): number {
  return text.length > maxLengthOf(USUAL, name) ? Infinity : text.length * BYTES_OF_UNIT;
}

/** Returns the maximum length of a text in the member `name`. */
function maxLengthOf(limits: RecordLimits, name: string): number {
  return name === 'normalized_url' ? limits.url : limits.text;
}

/** Returns true if a list in the member `name` has to be cut. */
function isTooLong(list: readonly unknown[], name: string, limits: RecordLimits): boolean {
  return list.length > limits.items && !WHOLE_LISTS.has(name);
}

/** Bounds in the order of trial: the usual ones first, then stricter ones for records that are still too large. */
const LIMITS: readonly RecordLimits[] = [0, 1, 2, 3, 4, 5].map((halvings) => ({
  text: USUAL.text >> halvings,
  url: USUAL.url >> halvings,
  items: USUAL.items >> halvings,
}));

/** Objects with a `truncated` member of their own. */
const SELF_MARKING = new Set(['dns_records', 'whois_info', 'cert_info', 'page']);

/**
 * Truncates a result to {@link MAX_RECORD_BYTES}, whatever a site sent: no text is longer than 512 characters, except
 * for the submitted URL and its canonical form. Truncated objects get `truncated: true`. The function is idempotent.
 */
export function fitRecord(result: CheckResult): CheckResult {
  // Nearly every record is far too small for a copy or its JSON to be needed.
  if (surveyResult(result).fits) return result;
  let fitted = result;
  for (const limits of LIMITS) {
    const details = cutDetails(fitted.analysis_details, limits);
    fitted = details === fitted.analysis_details ? fitted : { ...fitted, analysis_details: details };
    if (isSmallEnough(fitted)) break;
  }
  return fitted;
}

/** Keeps the members last that are not in a stored record. */
function cutDetails(details: AnalysisDetails, limits: RecordLimits): AnalysisDetails {
  const cut = cutMembers(details, limits);
  if (cut === details) return details;
  const { counterfactual_reason, via, decided_by, ...rest } = cut;
  return { ...rest, counterfactual_reason, via, decided_by };
}

/** A UTF-16 code unit takes at most three bytes. */
function isSmallEnough(result: CheckResult): boolean {
  const json = cachedJson(result);
  return json.length * 3 <= MAX_RECORD_BYTES || Buffer.byteLength(json) <= MAX_RECORD_BYTES;
}

function cutMembers<T extends object>(members: T, limits: RecordLimits): T;
function cutMembers(members: Readonly<Record<string, unknown>>, limits: RecordLimits): object {
  let wasCut = false;
  const cut = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') {
      const short = truncateText(value, maxLengthOf(limits, name));
      wasCut ||= short !== value;
      return short;
    }
    if (Array.isArray(value)) {
      const isCut = isTooLong(value, name, limits);
      wasCut ||= isCut;
      return mapItems(isCut ? value.slice(0, limits.items) : value, (item) => cut(item, name));
    }
    if (!isObject(value)) return value;
    return SELF_MARKING.has(name) ? cutMembers(value, limits) : mapMembers(value, cut);
  };
  const fitted = mapMembers(members, cut);
  return wasCut ? { ...fitted, truncated: true } : fitted;
}

/** Maps items; returns the same list if none changed. */
export function mapItems(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  let changed: unknown[] | null = null;
  for (let i = 0; i < items.length; i++) {
    const mapped = change(items[i]);
    if (mapped === items[i]) continue;
    changed ??= [...items];
    changed[i] = mapped;
  }
  return changed ?? items;
}

/** Maps members; returns the same object if none changed. */
export function mapMembers(
  members: Readonly<Record<string, unknown>>,
  change: (member: unknown, name: string) => unknown,
): Readonly<Record<string, unknown>> {
  let changed: Record<string, unknown> | null = null;
  for (const name in members) {
    const mapped = change(members[name], name);
    if (mapped === members[name]) continue;
    changed ??= { ...members };
    changed[name] = mapped;
  }
  return changed ?? members;
}
