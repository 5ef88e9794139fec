import type { Column, SQL } from 'drizzle-orm';
import type { activeSettings, checks, counts, messages } from '../file/schema.ts';
import type { MessageFilter } from '../messages/stored-message.ts';
import type { SearchFilter } from '../scan-log.ts';
import type { Span } from './check-filter.ts';
import type { Field, Queries, TableOf } from './queries.ts';

/** Columns of a row that both databases have. The number of the active settings is an id of any type. */
type Shared<Row> = Omit<Row, 'id' | 'activeSettingsId' | 'isUndelivered'> & { readonly activeSettingsId: unknown };

/** Kinds of records. */
export type RecordKind = 'checks' | 'messages';

/** The tables of a log in a file or a database, and the expressions in which SQLite and PostgreSQL differ. */
export interface LogTables {
  readonly checks: TableOf<Shared<typeof checks.$inferSelect>>;
  readonly messages: TableOf<Shared<typeof messages.$inferSelect>>;
  readonly activeSettings: TableOf<Pick<typeof activeSettings.$inferSelect, 'settings'> & { readonly id: unknown }>;
  readonly counts: TableOf<typeof counts.$inferSelect>;
  /** Numbers of records in log order. */
  readonly logged: Readonly<Record<RecordKind, Field<number>>>;
  readonly isUndelivered: Readonly<Record<RecordKind, Field<boolean> | SQL<boolean>>>;
  /** Model version of the joined active settings. */
  readonly modelVersion: SQL<string | null>;
  /** Start of a check, in milliseconds since the Unix epoch. */
  readonly startMs: SQL;
  /** Request ids of the first and last check of a group. */
  readonly ends: { readonly first: SQL<string | null>; readonly last: SQL<string | null> };
  /** Returns the condition for records with these request ids. */
  haveIds(kind: RecordKind, requestIds: readonly string[]): SQL | undefined;
  /** Returns the place of a text in another one, from 1; 0 if it has none. */
  placeOf(text: SQL, part: string | SQL): SQL;
  /** Returns the condition for checks with a packed reason. */
  haveReason(number: Buffer): SQL;
  /** Returns a column for a comparison that should use no index. */
  withoutIndex(column: Column): Column | SQL;
}

/** Some of the checks on a list, latest first. */
export interface FoundChecks {
  readonly count: number;
  /** The last one; null if there are none. */
  readonly last: string | null;
  /** Condition for them. */
  readonly are: SQL;
  /** Counts them by day, if that takes no query. */
  readonly days?: () => DayCount[];
}

/** Checks of one decision on one day, with the request ids of the first and last one if they are known. */
export interface DayCount {
  /** Start of the day, in milliseconds since the Unix epoch. */
  readonly dayMs: number;
  /** Index of the decision. */
  readonly bucket: number;
  readonly checks: number;
  readonly first: string | null;
  readonly last: string | null;
}

/** A log as its readers see it, in a file or a database. */
export interface ReadableLog {
  readonly tables: LogTables;
  /** True if its checks are counted by hour. */
  readonly isCounted: boolean;
  /** Runs queries; those of a file at once, those of a database over a connection. */
  run<T>(work: (db: Queries) => Promise<T>): Promise<T>;
  /** Waits before work that takes milliseconds. */
  turn(): Promise<void>;
  /** Returns the number of the last record. */
  lastLogged(db: Queries, kind: RecordKind): Promise<number>;
  /** Finds the `limit` latest checks by the members of a filter that an index has. */
  find(db: Queries, filter: SearchFilter, span: Span, limit: number): Promise<FoundChecks>;
  /** Returns the condition for the `limit` latest messages. */
  findMessages(filter: MessageFilter, span: Span, limit: number): SQL | undefined;
  /**
   * Returns the last number that was assigned, and the one up to which a walk after `id` may go; null if unknown now.
   */
  walkEnds(db: Queries): Promise<{ readonly last: number; until(id: number): number } | null>;
}
