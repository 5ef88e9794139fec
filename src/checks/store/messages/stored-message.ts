import type { CheckResult } from '#src/checks/record/check-result.ts';
import type { Via } from '#src/checks/record/decided-by.ts';
import type { MessageItem, MessagePage, MessageRecord } from '#src/checks/record/message-record.ts';
import { packReasons, unpackReasons } from '#src/checks/record/pack/pack-reasons.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { CheckFilter } from '../read/check-filter.ts';
import type { ClientHash } from '../write/client-hash.ts';
import type { StoredCheck } from '../write/stored-check.ts';

/** Stored form of the check of a message, the same in all logs. */
export interface StoredMessage {
  readonly requestId: string;
  readonly decision: CheckResult['decision'];
  readonly probability: number;
  readonly via: Via;
  readonly caution: boolean;
  readonly isWhole: boolean;
  readonly linkCount: number;
  readonly unchecked: number;
  readonly unread: number;
  /** Codes and weights of the reasons, packed. */
  readonly reasons: Buffer;
  /** Request ids of the checks of its links. */
  readonly links: readonly string[];
  /** Null in the public log and for the command line. */
  readonly clientHash: Buffer | null;
  /** Active settings, as JSON; see `StoredCheck`. */
  readonly settings: string;
}

/** A stored check of a URL or of a message. */
export type StoredRecord = StoredCheck | StoredMessage;

/** Returns true for the check of a message. */
export const isStoredMessage = (record: StoredRecord): record is StoredMessage => 'linkCount' in record;

/** A stored message with its position in log order. */
export interface LoggedMessage extends StoredMessage {
  readonly id: number;
  readonly isUndelivered: boolean;
}

/** A check of a message as a log returns it. */
export interface MessageEntry {
  readonly message: MessageItem;
  /** As that of a `LogEntry`. */
  readonly clientHash: string | null;
  readonly isDelivered: boolean;
}

/** Returns the stored form of the check of a message. */
export function storedMessageOf(record: MessageRecord, hashClient: ClientHash): StoredMessage {
  const { client, base_log_odds, thresholds, model_version } = record;
  return {
    requestId: record.request_id,
    decision: record.decision,
    probability: record.malicious_probability,
    via: record.via,
    caution: record.caution,
    isWhole: record.is_whole,
    linkCount: record.link_count,
    unchecked: record.unchecked,
    unread: record.unread,
    reasons: packReasons(record.reasons),
    links: record.links.flatMap(({ request_id }) => request_id ?? []),
    clientHash: record.visibility === 'private' && client !== null ? hashClient(client) : null,
    settings: JSON.stringify({ base_log_odds, thresholds, model_version }),
  };
}

/** Columns of a stored message that readers see. */
export interface MessageRow extends Omit<StoredMessage, 'settings'> {
  /** Null if the active settings are lost. */
  readonly modelVersion: string | null;
  readonly isUndelivered: boolean;
}

/** Returns a stored message as a log returns it. */
export function messageEntry(row: MessageRow): MessageEntry {
  return {
    message: {
      kind: 'message',
      request_id: row.requestId,
      malicious_probability: row.probability,
      decision: row.decision,
      caution: row.caution,
      via: row.via,
      reasons: unpackReasons(row.reasons),
      links: [...row.links],
      link_count: row.linkCount,
      unchecked: row.unchecked,
      unread: row.unread,
      is_whole: row.isWhole,
      model_version: row.modelVersion ?? '',
      timestamp: new Date(requestIdMs(row.requestId)).toISOString(),
    },
    clientHash: row.clientHash?.toString('hex') ?? null,
    isDelivered: !row.isUndelivered,
  };
}

type ShownMessage = MessageItem & { readonly not_delivered?: true };

/** Returns the check of a message as its log shows it; `not_delivered` is set if no client received the answer. */
export function shownMessage({ message, isDelivered }: MessageEntry): ShownMessage {
  return isDelivered ? message : { ...message, not_delivered: true };
}

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
