import type { MessagePage, MessageRecord } from '#src/checks/record/message-record.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { CheckFilter } from '../read/check-filter.ts';
import type { MessageEntry } from './stored-message.ts';

/** Filter of the checks of messages; null filters nothing. */
export type MessageFilter = Omit<CheckFilter, 'domain'>;

/** Query for one page of the checks of messages; see `HistoryQuery`. */
export interface MessagePageQuery extends MessageFilter {
  readonly limit: number;
  readonly cursor: string | null;
}

/** The checks of messages in the two logs. */
export interface MessageLog {
  /** Stores the check of a message, as `ScanLog.append` does, after the checks of its links. Throws UnavailableError. */
  append(message: MessageRecord): Promise<void>;
  /** As `ScanLog.markUndelivered`, for the check of a message. */
  markUndelivered(visibility: Visibility, requestId: string): void;
  /** Returns a page of the checks of messages, newest first. Throws BadCursorError. */
  page(query: MessagePageQuery, visibility: Visibility): Promise<MessagePage>;
  /** Reads the checks of messages of one log, newest first, as they are consumed. */
  read(visibility: Visibility, filter: MessageFilter): AsyncIterable<MessageEntry>;
  /** Returns the check of a message by id; null if the log has none. */
  find(visibility: Visibility, requestId: string): Promise<MessageEntry | null>;
}
