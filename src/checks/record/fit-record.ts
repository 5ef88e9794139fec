import { cutShort, MAX_TEXT_LENGTH } from '#src/core/base/text/truncate-text.ts';
import { isObject } from '#src/core/base/text/is-object.ts';
import { MAX_URL_LENGTH } from '#src/core/url/target.ts';
import { MAX_ITEMS } from './bounded-schema.ts';
import type { CheckResult } from './check-result.ts';
import { mapItems, mapMembers } from './map-json.ts';
import { type UnexplainedResult, withArgs, withoutArgs } from './reasons/args.ts';
import { writtenJson } from './written-json.ts';

/** The most bytes of a record, as JSON in UTF-8 (`src/service/server/INTERFACE.md`). */
export const MAX_RECORD_BYTES = 65_536;

interface Limits {
  /** Of a text, in UTF-16 code units. */
  readonly text: number;
  /** Of the canonical form of the URL, likewise. */
  readonly url: number;
  readonly items: number;
}

/** The first are the usual ones; the others are tried in turn where a record is too large with all those before. */
const LIMITS: readonly Limits[] = [0, 1, 2, 3, 4, 5].map((halvings) => ({
  text: MAX_TEXT_LENGTH >> halvings,
  url: MAX_URL_LENGTH >> halvings,
  items: MAX_ITEMS >> halvings,
}));

/** Lists that are whole or worthless: reasons add up, and what could not be looked at must not seem absent. */
const WHOLE_LISTS = new Set(['reasons', 'unavailable']);
/** Objects that tell themselves that something of theirs was cut. */
const TELLING = new Set(['dns_records', 'whois_info', 'cert_info', 'page']);

/**
 * A result of at most {@link MAX_RECORD_BYTES}, whatever a site sent: no text in it is longer than 512 characters but for
 * the URL as it was sent and its canonical form. `truncated: true` stands beside what was cut. Its reasons get their
 * `args` from the sentences as they are then. Fitting twice changes nothing more.
 */
export function fitRecord(result: UnexplainedResult): CheckResult {
  const whole = withArgs(result);
  let fitted = whole;
  for (const limits of LIMITS) {
    const details = cutMembers(fitted.analysis_details, limits);
    fitted = details === fitted.analysis_details ? fitted : { ...fitted, analysis_details: details };
    if (isSmallEnough(fitted)) break;
  }
  return fitted === whole ? whole : withArgs(withoutArgs(fitted));
}

/** A code unit takes three bytes at most: two of them are one character of four. */
function isSmallEnough(result: CheckResult): boolean {
  const json = writtenJson(result);
  return json.length * 3 <= MAX_RECORD_BYTES || Buffer.byteLength(json) <= MAX_RECORD_BYTES;
}

function cutMembers<T extends object>(members: T, limits: Limits): T;
function cutMembers(members: Readonly<Record<string, unknown>>, limits: Limits): object {
  let wasCut = false;
  const cut = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') {
      const short = cutShort(value, name === 'normalized_url' ? limits.url : limits.text);
      wasCut ||= short !== value;
      return short;
    }
    if (Array.isArray(value)) {
      const isTooLong = value.length > limits.items && !WHOLE_LISTS.has(name);
      wasCut ||= isTooLong;
      return mapItems(isTooLong ? value.slice(0, limits.items) : value, (item) => cut(item, name));
    }
    if (!isObject(value)) return value;
    return TELLING.has(name) ? cutMembers(value, limits) : mapMembers(value, cut);
  };
  const kept = mapMembers(members, cut);
  return wasCut ? { ...kept, truncated: true } : kept;
}
