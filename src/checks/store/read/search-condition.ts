import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { numbersOfReason } from '#src/checks/record/pack/pack-reasons.ts';
import type { SearchFilter } from '../scan-log.ts';
import type { LogTables } from './readable-log.ts';
import { textKey } from './search.ts';

/** Returns what `searchTest` tests, as a condition; undefined if the filter has no such member. */
export function searchCondition(tables: LogTables, filter: SearchFilter): SQL | undefined {
  const { checks, haveReason, withoutIndex } = tables;
  const { coverage = null, caution = null, via = null, list = null, entry = null } = filter;
  const { reason = null, modelVersion = null } = filter;
  const key = textKey(filter.text);
  return and(
    key === null ? undefined : isInHostOrPath(tables, key),
    coverage === null ? undefined : eq(checks.coverage, coverage),
    caution === null ? undefined : eq(checks.caution, caution),
    via === null ? undefined : eq(checks.via, via),
    // Not by the index of lists: the checks are given by their ids.
    list === null ? undefined : sql`${withoutIndex(checks.list)} = ${list}`,
    entry === null ? undefined : sql`${withoutIndex(checks.entry)} = ${entry}`,
    modelVersion === null ? undefined : inArray(checks.activeSettingsId, withModel(tables, modelVersion)),
    reason === null ? undefined : (or(...numbersOfReason(reason).map(haveReason)) ?? sql`false`),
  );
}

/** Returns the active settings of a model version. */
const withModel = ({ activeSettings, modelVersion }: LogTables, version: string) =>
  sql`(select ${activeSettings.id} from ${activeSettings} where ${modelVersion} = ${version})`;

/** The first place of the text decides: later ones are no nearer to the beginning of the query. */
function isInHostOrPath({ checks: { url }, placeOf }: LogTables, key: string): SQL {
  const scheme = placeOf(sql`${url}`, '://');
  const rest = sql`lower(substr(${url}, ${scheme} + 3))`;
  const place = placeOf(rest, key);
  const before = sql`substr(${rest}, 1, ${place} + ${sql.raw(String(key.length - 1))})`;
  return sql`${place} > 0 and ${scheme} > 0 and ${placeOf(before, '?')} = 0 and ${placeOf(before, '#')} = 0`;
}
