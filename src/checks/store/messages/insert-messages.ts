import { DECISIONS } from '#src/checks/record/check-result.ts';
import { HOUR_MS } from '#src/core/base/clock.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';
import type { LogFile } from '../file/log-file.ts';
import { messages } from '../file/schema.ts';
import { prepareNamed } from '../statements/prepare-named.ts';
import { periodStart } from '../write/counters.ts';
import { prepareSettingsIds } from '../write/insert-checks.ts';
import type { StoredMessage } from './stored-message.ts';

/** A stored message, and if its answer arrived. */
export interface DeliveredMessage extends StoredMessage {
  readonly isUndelivered: boolean;
  /** Absent for a new one, which is the last in log order. */
  readonly id?: number;
}

/** Inserts messages in the caller's transaction, and counts those of a public log. */
export type InsertMessages = (added: readonly DeliveredMessage[]) => void;

/** Prepares the statements once, for the life of the file. */
export function prepareInsertMessages({ database, db, visibility }: LogFile): InsertMessages {
  const settingsIds = prepareSettingsIds(database);
  const count = visibility === 'public' ? prepareMessageCount({ database }) : null;
  return (added) => {
    const settingsOf = settingsIds();
    for (const { settings, ...message } of added) {
      db.insert(messages)
        .values({ ...message, activeSettingsId: settingsOf(settings) })
        .run();
      count?.(message, 1);
    }
  };
}

/** Prepares the counter of the messages of a public log: by decision and hour. */
export function prepareMessageCount({
  database,
}: Pick<LogFile, 'database'>): (message: Pick<StoredMessage, 'requestId' | 'decision'>, by: 1 | -1) => void {
  const bump = prepareNamed(database, 'bumpCount');
  return ({ requestId, decision }, by) =>
    void bump.run({
      measure: 'message_by_hour',
      periodStartMs: periodStart(requestIdMs(requestId), HOUR_MS),
      bucket: DECISIONS.indexOf(decision),
      checks: by,
    });
}
