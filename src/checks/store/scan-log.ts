import type { Visibility } from '#src/core/base/visibility.ts';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import type { AnalysisDetails } from '#src/checks/record/check-result.ts';
import type { HistoryItem, HistoryPage } from '#src/checks/record/history-page.ts';
import type { HistorySummary } from '#src/checks/record/history-summary.ts';
import type { KeptResult } from '#src/checks/record/logged-result.ts';
import type { Fleet, LogStats } from '#src/checks/record/stats.ts';
import type { NodeJudgement } from './postgres/nodes/nodes.ts';
import type { ContentSeal } from './postgres/shared/sealed-content.ts';
import type { SharedDocument } from './postgres/shared/shared-documents.ts';
import type { CheckFilter } from './read/check-filter.ts';

/** Which checks of the history are meant. What a member leaves out, or is null for, is not filtered by. */
export interface SearchFilter extends CheckFilter {
  /** A part of the host or the path, in any case. */
  readonly text?: string | null;
  readonly coverage?: AnalysisDetails['coverage'] | null;
  readonly caution?: boolean | null;
  /** Exact version of the models. */
  readonly modelVersion?: string | null;
}

/** One page of the history. */
export interface HistoryQuery extends SearchFilter {
  /** How many checks at most, from 1. */
  readonly limit: number;
  /** `next_cursor` of the page before; null for the first. Only the log that wrote it can read it. */
  readonly cursor: string | null;
}

/** A page of the public history in the order in which checks were logged. */
export interface HistoryWalk extends SearchFilter {
  /** How many checks at most, from 1. */
  readonly limit: number;
  /** `next` of the page before; empty for the first. */
  readonly after: string;
}

/** What was logged after a place. */
export interface WalkedPage {
  readonly items: HistoryItem[];
  /** The place behind the last check that was looked at. */
  readonly next: string;
  /** Whether there was no other to look at. */
  readonly isEnd: boolean;
}

/** The text given as a cursor is not one that a page of this history gave out. */
export class BadCursorError extends Error {
  override readonly name = 'BadCursorError';
  readonly code = 'bad_cursor';

  constructor() {
    super('is not a cursor of this history: leave it out, or take next_cursor of the page before');
  }
}

/** One check out of a log, whole. */
export interface LogEntry {
  /** Where its record cannot be read, what stands beside that, and why. */
  readonly result: KeptResult;
  /** Keyed hash of the client, lower-case hexadecimal; null in the public log and for the command line. */
  readonly clientHash: string | null;
  /** False where who asked was gone before the answer was written. */
  readonly isDelivered: boolean;
}

/** A log as it grows. */
export interface LogTail {
  /** What matches and was logged since the last call, some at a time, oldest first; empty where there is no more yet. */
  next(): Promise<readonly LogEntry[]>;
}

/** What a service has to tell about its logs. */
export interface LogHealth {
  /** Why checks could not be logged now, in a sentence; null where they could. */
  readonly problem: string | null;
  /** The same of each log by itself. */
  readonly problems: Readonly<Record<Visibility, string | null>>;
  /** What the operator has not taken notice of yet, in sentences that everybody may read; empty beside a problem. */
  readonly notices: readonly string[];
}

/** The two logs of checks, wherever they are kept. */
export interface ScanLog extends AsyncDisposable {
  /**
   * Keeps a record; resolves only once it would survive a power cut.
   *
   * @throws UnavailableError `log_unavailable` where it could not be kept, for instance on a full disk
   */
  append(record: CheckRecord): Promise<void>;
  /** Notes of a record that is kept: who asked was gone before the answer was written. Only {@link read} and {@link find} tell. */
  markUndelivered(visibility: Visibility, requestId: string): void;
  /**
   * A page of the public history, or of the private one, newest first. Checks that come in between two pages change neither what the second holds
   * nor its order. With a text, only so many checks are looked at, and the cursor goes on from there, be the page empty.
   * Throws BadCursorError for a cursor that is not one.
   */
  page(query: HistoryQuery, visibility?: Visibility): Promise<HistoryPage>;
  /** How many public checks match, and when they were, among as many of the newest as it looks at. */
  summary(filter: SearchFilter): Promise<HistorySummary>;
  /**
   * The public checks that were logged after a place, in the order of logging: whoever goes on at the end of each page gets
   * every check once, whatever comes in meanwhile, from whichever process, and however long each took. Throws BadCursorError.
   */
  walk(query: HistoryWalk): Promise<WalkedPage>;
  /** The checks of one log, whole, newest first, read as they are consumed, so many together: the thread waits for those. */
  read(visibility: Visibility, filter: CheckFilter, together?: number): AsyncIterable<LogEntry>;
  /** The checks of one log that are logged from now on. */
  tail(visibility: Visibility, filter: CheckFilter): Promise<LogTail>;
  /** One check by its id, null where the log has none. */
  find(visibility: Visibility, requestId: string): Promise<LogEntry | null>;
  /** What the public checks add up to. */
  stats(): Promise<LogStats>;
  /** Whether checks can be logged. Where that is not known it is tried, for two seconds at most. */
  health(): Promise<LogHealth>;
}

/** The two logs in databases, and what only such have. */
export interface DatabaseLog extends ScanLog {
  /** Whether the database of a log did not take what it was last given. */
  isAway(visibility: Visibility): boolean;
  /** How many checks wait on this node for it. */
  waiting(visibility: Visibility): number;
  /** How many answered checks the database refused, and this node keeps. */
  setAside(visibility: Visibility): number;
  /** Tells others now and then that this node lives, and what it judges by, until what this returns is disposed of. */
  announce(judgement: () => NodeJudgement): Disposable;
  /** Reads a file that all nodes share; `known` if it has that version or an older one, `none` if nobody has published it. */
  readShared(seal: ContentSeal, name: string, version: number): Promise<SharedDocument | 'known' | 'none'>;
  /** The nodes that live. */
  fleet(): Promise<Fleet>;
}
