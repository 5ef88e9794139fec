import type { MessageRecord } from '#src/checks/record/message-record.ts';
import type { LogFile } from '../file/log-file.ts';
import { messages } from '../file/schema.ts';
import type { ClientHash } from '../write/client-hash.ts';
import { prepareCounters } from '../write/counters.ts';
import { prepareSettingsIds } from '../write/insert-checks.ts';
import { type StoredMessage, storedMessageOf } from './stored-message.ts';

/** A stored message, and if its answer arrived. */
interface DeliveredMessage extends StoredMessage {
  readonly isUndelivered: boolean;
}

/** Inserts messages in the caller's transaction, and counts those of a public log. */
export type InsertMessages = (added: readonly MessageRecord[]) => void;

/** Prepares the statements once, for the life of the file. */
export function prepareInsertMessages(log: LogFile, hashClient: ClientHash): InsertMessages {
  const insert = prepareInsertStoredMessages(log);
  return (added) => insert(added.map((one) => ({ ...storedMessageOf(one, hashClient), isUndelivered: false })));
}

/** Prepares the insertion of messages that were stored elsewhere. */
export function prepareInsertStoredMessages({
  database,
  db,
  visibility,
}: LogFile): (added: readonly DeliveredMessage[]) => void {
  const settingsIds = prepareSettingsIds(database);
  const counters = visibility === 'public' ? prepareCounters({ database, db }) : null;
  return (added) => {
    const settingsOf = settingsIds();
    for (const { settings, ...message } of added) {
      db.insert(messages)
        .values({ ...message, activeSettingsId: settingsOf(settings) })
        .run();
    }
    counters?.addMessages(added);
  };
}
