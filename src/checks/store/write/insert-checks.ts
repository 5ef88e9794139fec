import { getTableColumns } from 'drizzle-orm';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import { requestIdMs, requestIdText } from '#src/core/base/request-id.ts';
import { createCompletedBlocks } from '../domains/index-block.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import { prepareNamed, type Statements } from '../statements/prepare-named.ts';
import type { ClientHash } from './client-hash.ts';
import { forgetHours, prepareCounters } from './counters.ts';
import { type StoredCheck, storedCheckOf } from './stored-check.ts';

/** Inserts records in the caller's transaction. Returns the id of the first; ids increment. */
export type InsertChecks = (records: readonly CheckRecord[]) => number;

/** Inserts stored checks likewise. */
export type InsertStored = (checks: readonly CountedStoredCheck[]) => number;

/** A stored check, and if its answer arrived. */
export interface CountedStoredCheck extends StoredCheck {
  /** False by default. */
  readonly isUndelivered?: boolean;
}

/** Prepares the statements once, for the life of the file. */
export function prepareInsert(log: LogFile, hashClient: ClientHash): InsertChecks {
  const insert = prepareInsertStored(log);
  return (records) => insert(records.map((record) => storedCheckOf(record, log.visibility, hashClient)));
}

/** Inserts rows within one transaction, without counts and index. */
export type InsertRow = (stored: CountedStoredCheck, id: number) => void;

/** Prepares the insertion of rows; the result is called once per transaction, because what it adds may be rolled back. */
export function prepareInsertRows({ database }: Pick<LogFile, 'database'>, statements?: Statements): () => InsertRow {
  const settingsIds = prepareSettingsIds(database);
  const inserted = prepareNamed(database, 'insertCheck', getTableColumns(checks), statements);
  return () => {
    const settingsOf = settingsIds();
    return (stored, id) =>
      inserted.run({ isUndelivered: false, ...stored, id, activeSettingsId: settingsOf(stored.settings) });
  };
}

/** Prepares the insertion of checks that were stored elsewhere. */
export function prepareInsertStored(log: Pick<LogFile, 'database' | 'db' | 'visibility' | 'settledMs'>): InsertStored {
  const { database, visibility } = log;
  const counters = visibility === 'public' ? prepareCounters(log) : null;
  const insertRows = prepareInsertRows(log);
  const blocks = createCompletedBlocks(log);
  const newestCheck = prepareNamed(database, 'newestCheck');
  const deletedId = prepareNamed(database, 'lastDeleted');

  return (added) => {
    // No one else adds checks within the caller's transaction, so incrementing is cheaper than asking for each id.
    const found = newestCheck.get({});
    const newest = found && { id: found.id, requestId: requestIdText(found.request_id) };
    const firstId = Math.max(newest?.id ?? 0, deletedId.get({})?.check_id ?? 0) + 1;
    const insert = insertRows();
    for (const [i, stored] of added.entries()) insert(stored, firstId + i);
    if (counters) counters.add(added);
    else {
      const late = added.filter(({ requestId }) => requestIdMs(requestId) < log.settledMs);
      if (late.length > 0) forgetHours(log, late);
    }
    const indexed = added.map(({ requestId, decision, host, url }, i) => {
      return { id: firstId + i, requestId, decision: DECISIONS.indexOf(decision), host, url };
    });
    blocks.add(newest, indexed);
    return firstId;
  };
}

/** Returns the id of active settings, given as JSON. */
type SettingsIds = (settings: string) => number;

/**
 * Prepares the statements once, for the life of the file. What it gives has ids for the checks of one transaction: what
 * that adds may be rolled back with it.
 */
export function prepareSettingsIds(database: LogFile['database']): () => SettingsIds {
  const known = prepareNamed(database, 'settingsWith');
  const added = prepareNamed(database, 'insertSettings');
  return () => {
    const ids = new Map<string, number>();
    return (settings) => {
      const id = ids.get(settings) ?? known.get({ settings })?.id ?? added.run({ settings });
      ids.set(settings, id);
      return id;
    };
  };
}
