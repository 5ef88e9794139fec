import { isObject } from '#src/core/base/guard.ts';
import { truncateText } from '#src/core/base/text/truncate-text.ts';
import { cachedJson } from './cached-json.ts';
import type { AnalysisDetails, CheckResult } from './check-result.ts';
import { mapItems, mapMembers } from './map-json.ts';
import { isTooLong, MAX_RECORD_BYTES, maxLengthOf, type RecordLimits, surveyResult, USUAL } from './survey-result.ts';

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
