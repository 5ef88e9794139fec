import { isObject } from '#src/core/base/text/is-object.ts';
import { MAX_TEXT_LENGTH, truncateText } from '#src/core/base/text/truncate-text.ts';
import { MAX_URL_LENGTH } from '#src/core/url/target.ts';
import { MAX_ITEMS } from './bounded-schema.ts';
import { cachedJson } from './cached-json.ts';
import { type AnalysisDetails, type CheckResult, OWN_DETAILS } from './check-result.ts';
import { mapItems, mapMembers } from './map-json.ts';

/** Maximum size of a record, as JSON in UTF-8 bytes (`src/service/server/INTERFACE.md`). */
export const MAX_RECORD_BYTES = 65_536;

interface Limits {
  /** Maximum length of a text, in UTF-16 code units. */
  readonly text: number;
  /** Maximum length of the canonical URL, likewise. */
  readonly url: number;
  readonly items: number;
}

const USUAL: Limits = { text: MAX_TEXT_LENGTH, url: MAX_URL_LENGTH, items: MAX_ITEMS };

/** Limits in the order of trial: the usual ones first, then stricter ones for records that are still too large. */
const LIMITS: readonly Limits[] = [0, 1, 2, 3, 4, 5].map((halvings) => ({
  text: USUAL.text >> halvings,
  url: USUAL.url >> halvings,
  items: USUAL.items >> halvings,
}));

/** Lists that are never truncated: weights must add up, and a failed probe must not seem absent. */
const WHOLE_LISTS = new Set(['reasons', 'unavailable']);
/** Objects with a `truncated` member of their own. */
const SELF_MARKING = new Set(['dns_records', 'whois_info', 'cert_info', 'page']);

/**
 * Truncates a result to {@link MAX_RECORD_BYTES}, whatever a site sent: no text is longer than 512 characters, except
 * for the submitted URL and its canonical form. Truncated objects get `truncated: true`. The function is idempotent.
 */
export function fitRecord(result: CheckResult): CheckResult {
  const rootBytes = ROOT_BYTES + result.url.length * BYTES_OF_UNIT;
  // Nearly every record is far too small for a copy or its JSON to be needed.
  if (rootBytes + mostBytesOf(result.analysis_details) <= MAX_RECORD_BYTES) return result;
  let fitted = result;
  for (const limits of LIMITS) {
    const details = cutDetails(fitted.analysis_details, limits);
    fitted = details === fitted.analysis_details ? fitted : { ...fitted, analysis_details: details };
    if (isSmallEnough(fitted)) break;
  }
  return fitted;
}

/** Keeps the members last that are not in a stored record. */
function cutDetails(details: AnalysisDetails, limits: Limits): AnalysisDetails {
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

/** Maximum size of a UTF-16 code unit in JSON: `\u001f`. */
const BYTES_OF_UNIT = 6;
/** More than the marks of a member or item take, with a number, which has at most 24 characters. */
const BYTES_OF_MEMBER = 32;
/** More than the members beside `url` and `analysis_details` take. */
const ROOT_BYTES = 1024;
/** More than a member of {@link OWN_DETAILS} takes. */
const MOST_BYTES_OF_OWN = 1024;

/** Returns an upper bound of the size of the members as JSON; infinity if a text or list in them has to be cut. */
function mostBytesOf(members: Readonly<Record<string, unknown>>): number {
  let bytes = 0;
  for (const name in members) bytes += BYTES_OF_MEMBER + name.length + mostBytesIn(members[name], name);
  return bytes;
}

/** Likewise of a member, without its marks. */
function mostBytesIn(value: unknown, name: string): number {
  if (typeof value === 'string') {
    return value.length > maxLengthOf(name, USUAL) ? Infinity : value.length * BYTES_OF_UNIT;
  }
  if (typeof value !== 'object' || value === null) return 0;
  if (OWN_DETAILS.has(name)) return MOST_BYTES_OF_OWN;
  if (!Array.isArray(value)) return mostBytesOf(value as Readonly<Record<string, unknown>>);
  if (isTooLong(value, name, USUAL)) return Infinity;
  let bytes = BYTES_OF_MEMBER * value.length;
  for (const item of value) bytes += mostBytesIn(item, name);
  return bytes;
}

function maxLengthOf(name: string, limits: Limits): number {
  return name === 'normalized_url' ? limits.url : limits.text;
}

function isTooLong(list: readonly unknown[], name: string, limits: Limits): boolean {
  return list.length > limits.items && !WHOLE_LISTS.has(name);
}

function cutMembers<T extends object>(members: T, limits: Limits): T;
function cutMembers(members: Readonly<Record<string, unknown>>, limits: Limits): object {
  let wasCut = false;
  const cut = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') {
      const short = truncateText(value, maxLengthOf(name, limits));
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
