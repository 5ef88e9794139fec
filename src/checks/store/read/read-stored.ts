import { asc, eq, getTableColumns, gt } from 'drizzle-orm';
import type { LogFile } from '../file/log-file.ts';
import { activeSettings, checks } from '../file/schema.ts';
import type { LoggedCheck } from '../write/stored-check.ts';

/** Returns the first checks logged after `afterId`, in their stored form, without decoding records. */
export function readStoredChecks({ db }: Pick<LogFile, 'db'>, afterId: number, limit: number): LoggedCheck[] {
  const { activeSettingsId: _, ...stored } = getTableColumns(checks);
  return db
    .select({ ...stored, settings: activeSettings.settings })
    .from(checks)
    .leftJoin(activeSettings, eq(activeSettings.id, checks.activeSettingsId))
    .where(gt(checks.id, afterId))
    .orderBy(asc(checks.id))
    .limit(limit)
    .all()
    .map((row) => ({ ...row, settings: row.settings ?? '' }));
}
