import type { LocalLog } from '#src/checks/store/local-log.ts';
import type { LoggedMessage } from '#src/checks/store/messages/stored-message.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import type { LoggedCheck } from '#src/checks/store/write/stored-check.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { MAX_BATCH } from './append.ts';
import { type AppendSessionOptions, createAppendSession } from './append-session.ts';
import { databaseFaultOf, faultSentence } from './session/fault.ts';

/** Timeout of a batch; no client waits. */
const TIMEOUT_MS = 60_000;

/** Result of copying a log. */
export interface Copied {
  /** Checks of URLs and messages now in the database, including those already there. */
  readonly checks: number;
  /** Checks that the database refused; they stay in the file. */
  readonly refused: number;
}

/**
 * Copies a log from its file into its database, oldest first. Repeatable: existing checks are neither stored nor
 * counted again.
 *
 * @throws StoreError if either cannot be used
 */
export async function copyLog(
  log: Pick<LocalLog, 'storedAfter' | 'messages'>,
  visibility: Visibility,
  options: Omit<AppendSessionOptions, 'timeoutMs' | 'visibility'>,
): Promise<Copied> {
  await using session = createAppendSession({ ...options, visibility, timeoutMs: TIMEOUT_MS });
  type Rows = readonly (LoggedCheck | LoggedMessage)[];
  type Read = (visibility: Visibility, afterId: number, limit: number) => Rows | Promise<Rows>;
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
        throw new StoreError('database', `The log cannot be copied: ${faultSentence(fault)}`, { cause: error });
      if (rows.length > 1) for (const row of rows) await append([row]);
      else refused++;
    }
  }

  async function appendAll(storedAfter: Read): Promise<void> {
    for (let rows = await storedAfter(visibility, 0, MAX_BATCH); rows.length > 0; ) {
      await append(rows);
      rows = await storedAfter(visibility, rows.at(-1)?.id ?? 0, MAX_BATCH);
    }
  }

  await appendAll(log.storedAfter);
  await appendAll(log.messages.storedAfter);
  return { checks: copied, refused };
}
