import type { Visibility } from '#src/core/base/visibility.ts';
import type { LocalLog } from '../local-log.ts';
import { StoreError } from '../store-error.ts';
import { MAX_BATCH } from './append.ts';
import { type AppendSessionOptions, createAppendSession } from './append-session.ts';
import { databaseFaultOf } from './session/fault.ts';

/** Nobody waits for an answer here. */
const TIMEOUT_MS = 60_000;

/** What came of copying one log. */
export interface Copied {
  /** Checks that are in the database now, those included that were there before. */
  readonly checks: number;
  /** Checks that the database does not take; they stay in the file. */
  readonly refused: number;
}

/**
 * Copies a log from its file into its database, oldest first. It may be repeated: what is there is neither kept nor counted
 * once more.
 *
 * @throws StoreError where either cannot be used
 */
export async function copyLog(
  log: Pick<LocalLog, 'keptAfter'>,
  visibility: Visibility,
  options: Omit<AppendSessionOptions, 'timeoutMs' | 'visibility'>,
): Promise<Copied> {
  await using session = createAppendSession({ ...options, visibility, timeoutMs: TIMEOUT_MS });
  type Rows = ReturnType<LocalLog['keptAfter']>;
  let [copied, refused] = [0, 0];

  async function append(rows: Rows): Promise<void> {
    try {
      await session.run(async ({ sql, ready }) => {
        const undelivered = rows.filter((row) => row.isUndelivered).map((row) => row.requestId);
        if (undelivered.length > 0) {
          const statement = 'insert into undelivered select unnest($1::uuid[]) on conflict do nothing';
          await sql.unsafe(statement, [`{${undelivered.join(',')}}`]);
        }
        await ready.append(rows);
      });
      copied += rows.length;
    } catch (error) {
      const fault = databaseFaultOf(error);
      if (!fault) throw error;
      if (!fault.isOfRow)
        throw new StoreError('database', `The log cannot be copied: ${fault.matter}.`, { cause: error });
      if (rows.length > 1) for (const row of rows) await append([row]);
      else refused++;
    }
  }

  for (let rows = log.keptAfter(visibility, 0, MAX_BATCH); rows.length > 0; ) {
    await append(rows);
    rows = log.keptAfter(visibility, rows.at(-1)?.id ?? 0, MAX_BATCH);
  }
  return { checks: copied, refused };
}
