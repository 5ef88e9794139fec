import { isObject } from '#src/core/base/text/is-object.ts';
import { MAX_TEXT_LENGTH, truncateText } from '#src/core/base/text/truncate-text.ts';
import { MAX_URL_LENGTH } from '#src/core/url/target.ts';
import { MAX_ITEMS } from './bounded-schema.ts';
import { cachedJson } from './cached-json.ts';
import type { AnalysisDetails, CheckResult } from './check-result.ts';
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

/** Limits in the order of trial: the usual ones first, then stricter ones for records that are still too large. */
const LIMITS: readonly Limits[] = [0, 1, 2, 3, 4, 5].map((halvings) => ({
  text: MAX_TEXT_LENGTH >> halvings,
  url: MAX_URL_LENGTH >> halvings,
  items: MAX_ITEMS >> halvings,
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
  let fitted = result;
  for (const limits of LIMITS) {
    const size: SizeBound = { bytes: ROOT_BYTES + fitted.url.length * BYTES_OF_UNIT };
    const details = cutDetails(fitted.analysis_details, limits, size);
    fitted = details === fitted.analysis_details ? fitted : { ...fitted, analysis_details: details };
    // Most records are far too small for their JSON to be needed.
    if (size.bytes <= MAX_RECORD_BYTES || isSmallEnough(fitted)) break;
  }
  return fitted;
}

/** Keeps the counterfactual reason last, as in a stored record. */
function cutDetails(details: AnalysisDetails, limits: Limits, size: SizeBound): AnalysisDetails {
  const cut = cutMembers(details, limits, size);
  if (cut === details) return details;
  const { counterfactual_reason, ...rest } = cut;
  return { ...rest, counterfactual_reason };
}

/** A UTF-16 code unit takes at most three bytes. */
function isSmallEnough(result: CheckResult): boolean {
  const json = cachedJson(result);
  return json.length * 3 <= MAX_RECORD_BYTES || Buffer.byteLength(json) <= MAX_RECORD_BYTES;
}

/** Upper bound of the size of a value as JSON. */
interface SizeBound {
  bytes: number;
}

/** Maximum size of a UTF-16 code unit in JSON: `\u001f`. */
const BYTES_OF_UNIT = 6;
/** More than the marks of a member or item take, with a number, which has at most 24 characters. */
const BYTES_OF_MEMBER = 32;
/** More than the members beside `url` and `analysis_details` take. */
const ROOT_BYTES = 1024;

function cutMembers<T extends object>(members: T, limits: Limits, size: SizeBound): T;
function cutMembers(members: Readonly<Record<string, unknown>>, limits: Limits, size: SizeBound): object {
  let wasCut = false;
  const cut = (value: unknown, name: string): unknown => {
    size.bytes += BYTES_OF_MEMBER + name.length;
    if (typeof value === 'string') {
      const short = truncateText(value, name === 'normalized_url' ? limits.url : limits.text);
      size.bytes += short.length * BYTES_OF_UNIT;
      wasCut ||= short !== value;
      return short;
    }
    if (Array.isArray(value)) {
      const isTooLong = value.length > limits.items && !WHOLE_LISTS.has(name);
      wasCut ||= isTooLong;
      return mapItems(isTooLong ? value.slice(0, limits.items) : value, (item) => cut(item, name));
    }
    if (!isObject(value)) return value;
    return SELF_MARKING.has(name) ? cutMembers(value, limits, size) : mapMembers(value, cut);
  };
  const fitted = mapMembers(members, cut);
  return wasCut ? { ...fitted, truncated: true } : fitted;
}
