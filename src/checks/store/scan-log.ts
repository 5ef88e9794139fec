import type { CheckRecord } from '#src/checks/record/check-record.ts';
import type { AnalysisDetails } from '#src/checks/record/check-result.ts';
import type { Via } from '#src/checks/record/decided-by.ts';
import type { HistoryItem, HistoryPage, HistorySummary } from '#src/checks/record/history-page.ts';
import type { Fleet, LogStats, Stats } from '#src/checks/record/stats.ts';
import type { LoggedResult } from '#src/checks/record/stored-result.ts';
import type { Notice } from '#src/core/base/text/condition.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { DocumentVersion, NodeConfiguration } from './database-access.ts';
import type { MessageLog } from './messages/stored-message.ts';
import type { CheckFilter } from './read/check-filter.ts';
import type { HitsByList } from './read/list-hits.ts';

/** Filter of the history. A missing or null member filters nothing. */
export interface SearchFilter extends CheckFilter {
  /** Substring of host or path, case-insensitive. */
  readonly text?: string | null;
  readonly coverage?: AnalysisDetails['coverage'] | null;
  readonly caution?: boolean | null;
  readonly via?: Via | null;
  /** Name of the list that decided. */
  readonly list?: string | null;
  /** The entry of that list. */
  readonly entry?: string | null;
  /** Code of one of the reasons. */
  readonly reason?: string | null;
  /** Exact version of the models. */
  readonly modelVersion?: string | null;
}

/** Query for one page of the history. */
export interface HistoryQuery extends SearchFilter {
  /** Maximum number of checks, from 1. */
  readonly limit: number;
  /** `next_cursor` of the previous page; null for the first. Only the log that returned it can read it. */
  readonly cursor: string | null;
}

/** Query for a page of the public history in log order. */
export interface HistoryWalk extends SearchFilter {
  /** Maximum number of checks, from 1. */
  readonly limit: number;
  /** `next` of the previous page; empty for the first. */
  readonly after: string;
}

/** Checks logged after a place. */
export interface WalkedPage {
  readonly items: HistoryItem[];
  /** The place after the last examined check. */
  readonly next: string;
  /** True if there are no more checks yet. */
  readonly isEnd: boolean;
}

/** A cursor that no page of this history returned. */
export class BadCursorError extends Error {
  override readonly name = 'BadCursorError';
  readonly code = 'bad_cursor';

  constructor() {
    super('is not a cursor of this history: omit it, or use next_cursor of the previous page');
  }
}

/** A complete check of a log. */
export interface LogEntry {
  /** If its record cannot be read: the row's columns, and why. */
  readonly result: LoggedResult;
  /** Keyed hash of the client, lower-case hexadecimal; null in the public log and for the command line. */
  readonly clientHash: string | null;
  /** False if the client disconnected before the answer was written. */
  readonly isDelivered: boolean;
}

/** Follows a log. */
export interface LogTail {
  /** Returns some of the matching checks logged since the last call, oldest first; empty if there are none. */
  next(): Promise<readonly LogEntry[]>;
}

/** Checks of one log within the last 24 hours. */
export interface LogActivity {
  /** Checks by decision, for each hour, the oldest first; the last hour is the current one. */
  readonly hours: Stats['hours'];
  /** Sites of the latest blocked checks with their number. */
  readonly blocked: ReadonlyMap<string, number>;
  /** Coverage of the latest checks of the day (UTC); null for one that version 0.1 logged. */
  readonly coverages: readonly (AnalysisDetails['coverage'] | null)[];
}

/** Health of the logs. */
export interface LogHealth {
  /** Why checks cannot be logged now, as a sentence; null if they can. */
  readonly problem: string | null;
  /** The same for each log. */
  readonly problems: Readonly<Record<Visibility, string | null>>;
  /** Open notices, as the public may know them; empty if there is a problem. */
  readonly notices: readonly Notice[];
  /** The notices about one log. */
  readonly noticesOf: Readonly<Record<Visibility, readonly Notice[]>>;
}

/** The two logs of checks, in files or databases. */
export interface ScanLog extends AsyncDisposable {
  readonly messages: MessageLog;
  /**
   * Stores a record; resolves once it would survive a power failure.
   *
   * @throws UnavailableError `log_unavailable` if it cannot be stored, for instance on a full disk
   */
  append(record: CheckRecord): Promise<void>;
  /**
   * Marks a stored record: the client disconnected before the answer was written. Only {@link read} and {@link find}
   * return it.
   */
  markUndelivered(visibility: Visibility, requestId: string): void;
  /**
   * Returns a page of the public or private history, newest first. Checks added between two pages change neither
   * content nor order of the second. A search for a text examines a bounded number of checks per page; the cursor
   * continues from there, even if the page is empty. Throws BadCursorError.
   */
  page(query: HistoryQuery, visibility?: Visibility): Promise<HistoryPage>;
  /** Counts the matching public checks by decision and day, among a bounded number of the latest. */
  summary(filter: SearchFilter): Promise<HistorySummary>;
  /** Counts the checks of the last 24 hours; null for a log that this process may not read. */
  activity(visibility: Visibility): Promise<LogActivity | null>;
  /**
   * Returns the public checks logged after a place, in log order. A reader that continues at the end of each page gets
   * every check exactly once, whichever process added it and however long that took. Throws BadCursorError.
   */
  walk(query: HistoryWalk): Promise<WalkedPage>;
  /**
   * Reads the complete checks of one log, newest first, in batches of `together` as they are consumed; a batch blocks
   * the thread.
   */
  read(visibility: Visibility, filter: CheckFilter, together?: number): AsyncIterable<LogEntry>;
  /** Follows the checks that are logged from now on. */
  tail(visibility: Visibility, filter: CheckFilter): Promise<LogTail>;
  /** Returns a check by id; null if the log has none. */
  find(visibility: Visibility, requestId: string): Promise<LogEntry | null>;
  /** Returns those of at most a thousand ids that no check of a log has. */
  missing(visibility: Visibility, requestIds: readonly string[]): Promise<readonly string[]>;
  /** Counts the checks of both logs since a moment by the list entry that decided, in short steps. */
  listHits(sinceMs: number): Promise<HitsByList>;
  /** Returns the statistics of the public checks. */
  stats(): Promise<LogStats>;
  /** Returns if checks can be logged. Tries a write if that is unknown, for at most two seconds. */
  health(): Promise<LogHealth>;
}

/** The two logs in databases. */
export interface DatabaseLog extends ScanLog {
  /** Returns true if the last write to the log's database failed. */
  isUnavailable(visibility: Visibility): boolean;
  /** Returns the number of checks spooled on this node. */
  waiting(visibility: Visibility): number;
  /** Returns the number of answered checks that the database refused; this node stores them. */
  setAside(visibility: Visibility): number;
  /** Closes connections to servers that were replaced, once their work is done. */
  renew(): void;
  /** Sends heartbeats with this node's configuration until the result is disposed of. */
  announce(configuration: () => NodeConfiguration): Disposable;
  /** Reads the versions of what all nodes share, by name. */
  sharedVersions(): Promise<ReadonlyMap<string, DocumentVersion>>;
  /**
   * Takes a due job, which only one node may start; false if another node has taken it.
   *
   * @param name of the job
   */
  takeJob(name: string, dueAtMs: number): Promise<boolean>;
  /**
   * Returns true if this node leads continuous work of that name, which only one node does. Ask each minute: a leader
   * that does not ask for three minutes is replaced.
   */
  lead(name: string): Promise<boolean>;
  /** Summarizes the nodes that are alive. */
  fleet(): Promise<Fleet>;
}
