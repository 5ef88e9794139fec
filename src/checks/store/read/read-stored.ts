import { asc, eq, getTableColumns, gt } from 'drizzle-orm';
import type { LogFile } from '../file/log-file.ts';
import { activeSettings, checks, messages } from '../file/schema.ts';
import type { LoggedMessage } from '../messages/stored-message.ts';
import type { LoggedCheck } from '../write/stored-check.ts';
import { withRequestIds } from './check-filter.ts';

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

type Read = Pick<LogFile, 'db'>;

/** Returns the first messages logged after `afterId`, in their stored form. */
export function readStoredMessages({ db }: Read, afterId: number, limit: number): LoggedMessage[] {
  const { activeSettingsId: _, ...columns } = getTableColumns(messages);
  const rows = db
    .select({ ...columns, settings: activeSettings.settings })
    .from(messages)
    .leftJoin(activeSettings, eq(activeSettings.id, messages.activeSettingsId))
    .where(gt(messages.id, afterId))
    .orderBy(asc(messages.id))
    .limit(limit)
    .all();
  return rows.map((row) => ({ ...row, settings: row.settings ?? '' }));
}

/** Returns the request ids of those of some messages that a file has. */
export function knownMessages({ db }: Read, some: readonly { readonly requestId: string }[]): ReadonlySet<string> {
  const ids = some.map(({ requestId }) => requestId);
  const rows = db.select({ requestId: messages.requestId }).from(messages).where(withRequestIds(ids, messages)).all();
  return new Set(rows.map(({ requestId }) => requestId));
}
