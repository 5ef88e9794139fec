import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { numbersOfReason, PACKED_REASON_BYTES } from '#src/checks/record/pack/pack-reasons.ts';
import { activeSettings, checks } from '../file/schema.ts';
import type { SearchFilter } from '../scan-log.ts';
import { textKey } from './search.ts';

/** Model version of a check's active settings. */
export const MODEL_VERSION = sql<string | null>`json_extract(${activeSettings.settings}, '$.model_version')`;

/** Maximum number of reasons of a check among which one is searched. */
const MAX_REASONS = 300;

/** Returns what `searchTest` tests, as a condition; undefined if the filter has no such member. */
export function searchCondition(filter: SearchFilter): SQL | undefined {
  const { coverage = null, caution = null, via = null, list = null, entry = null } = filter;
  const { reason = null, modelVersion = null } = filter;
  const key = textKey(filter.text);
  return and(
    key === null ? undefined : isInHostOrPath(key),
    coverage === null ? undefined : eq(checks.coverage, coverage),
    caution === null ? undefined : eq(checks.caution, caution),
    via === null ? undefined : eq(checks.via, via),
    // Not by the index of lists: the checks are given by their ids.
    list === null ? undefined : sql`+${checks.list} = ${list}`,
    entry === null ? undefined : sql`+${checks.entry} = ${entry}`,
    modelVersion === null ? undefined : inArray(checks.activeSettingsId, withModel(modelVersion)),
    reason === null ? undefined : (or(...numbersOfReason(reason).map(hasReason)) ?? sql`false`),
  );
}

/** Returns the active settings of a model version. */
const withModel = (version: string) =>
  sql`(select ${activeSettings.id} from ${activeSettings} where ${MODEL_VERSION} = ${version})`;

/** The first place of the text decides: later ones are no nearer to the beginning of the query. */
function isInHostOrPath(key: string): SQL {
  const rest = sql`lower(substr(${checks.url}, instr(${checks.url}, '://') + 3))`;
  const place = sql`instr(${rest}, ${key})`;
  const endsBefore = (mark: string) => sql`instr(substr(${rest}, 1, ${place} + ${key.length - 1}), ${mark}) = 0`;
  return sql`${place} > 0 and instr(${checks.url}, '://') > 0 and ${endsBefore('?')} and ${endsBefore('#')}`;
}

/** Each reason has as many bytes; most often the first place where the number occurs is one of them. */
function hasReason(number: Buffer): SQL {
  const first = sql`instr(${checks.reasons}, ${number})`;
  const places = JSON.stringify(Array.from({ length: MAX_REASONS }, (_, i) => 1 + i * PACKED_REASON_BYTES));
  return sql`${first} > 0 and (${first} % ${PACKED_REASON_BYTES} = 1 or exists (
    select 1 from json_each(${places}) where substr(${checks.reasons}, value, ${number.length}) = ${number}))`;
}
