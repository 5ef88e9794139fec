import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import { type AnalysisDetails, type CheckResult, COVERAGES, DECISIONS } from '#src/checks/record/check-result.ts';
import { VIAS, type Via } from '#src/checks/record/decided-by.ts';
import { CRITERIA } from '#src/checks/store/deletions/deletion-target.ts';
import { hostOfRow, indexedSuffixes } from '#src/checks/store/domains/host-suffixes.ts';
import { FEEDBACK_STATES, FEEDBACK_VERDICTS } from '#src/checks/store/feedback/feedback-schema.ts';
import { requestIdsBytes, requestIdsIn } from '#src/core/base/request-id.ts';

const bytes = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  fromDriver: (value) => Buffer.from(value),
});

/** Request ids one after the other, 16 bytes each. */
const requestIds = customType<{ data: readonly string[]; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  toDriver: requestIdsBytes,
  fromDriver: requestIdsIn,
});

const decision = customType<{ data: CheckResult['decision']; driverData: number }>({
  dataType: () => 'smallint',
  toDriver: (value) => DECISIONS.indexOf(value),
  fromDriver: (place) => DECISIONS[place] ?? 'warn',
});

const coverage = customType<{ data: AnalysisDetails['coverage']; driverData: number }>({
  dataType: () => 'smallint',
  toDriver: (value) => COVERAGES.indexOf(value),
  fromDriver: (place) => COVERAGES[place] ?? 'url_only',
});

const via = customType<{ data: Via; driverData: number }>({
  dataType: () => 'smallint',
  toDriver: (value) => VIAS.indexOf(value),
  fromDriver: (place) => VIAS[place] ?? 'api',
});

/**
 * Finished checks, one per row, partitioned by day of the request id, which begins with the time. See `checks` of a
 * file.
 */
export const pgChecks = pgTable('checks', {
  requestId: uuid('request_id').primaryKey(),
  /** Increments in about log order: of two nodes, the later number may be committed first. */
  logged: bigint('logged', { mode: 'number' }).notNull(),
  decision: decision('decision').notNull(),
  probability: doublePrecision('probability').notNull(),
  answerTimeBucket: smallint('answer_time_bucket').notNull(),
  clientHash: bytes('client_hash'),
  host: text('host'),
  url: text('url').notNull(),
  activeSettingsId: bytes('in_force').notNull(),
  record: bytes('record').notNull(),
  coverage: coverage('coverage'),
  caution: boolean('caution'),
  decidingHost: text('deciding_host'),
  via: via('via'),
  reasons: bytes('reasons'),
  list: text('list'),
  entry: text('entry'),
  listOwner: text('list_owner'),
  /** Hashes of the names under which the check is found, by number of labels; see `domainColumns`. */
  domain1: integer('domain_1'),
  domain2: integer('domain_2'),
  domain3: integer('domain_3'),
  domain4: integer('domain_4'),
  domain5: integer('domain_5'),
  domain6: integer('domain_6'),
  domain7: integer('domain_7'),
});

/** Checks of messages; see `messages` of a file. */
export const pgMessages = pgTable('messages', {
  requestId: uuid('request_id').primaryKey(),
  /** Of the same sequence as that of checks. */
  logged: bigint('logged', { mode: 'number' }).notNull(),
  decision: decision('decision').notNull(),
  probability: doublePrecision('probability').notNull(),
  activeSettingsId: bytes('in_force').notNull(),
  via: via('via').notNull(),
  caution: boolean('caution').notNull(),
  isWhole: boolean('is_whole').notNull(),
  linkCount: integer('link_count').notNull(),
  unchecked: integer('unchecked').notNull(),
  unread: integer('unread').notNull(),
  reasons: bytes('reasons').notNull(),
  links: requestIds('links').notNull(),
  clientHash: bytes('client_hash'),
});

/** Active settings of checks, by the beginning of their hash. */
export const pgActiveSettings = pgTable('in_force', {
  id: bytes('id').primaryKey(),
  settings: text('settings').notNull(),
});

/** Checks whose client disconnected before the answer. A separate table, because a role may only insert. */
export const pgUndelivered = pgTable('undelivered', { requestId: uuid('request_id').primaryKey() });

/** Requested deletions; see `deletions` of a file. */
export const pgDeletions = pgTable('deletions', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  askedAtMs: bigint('asked_at_ms', { mode: 'number' }).notNull(),
  by: text('by', { enum: CRITERIA }).notNull(),
  wanted: text('wanted'),
  wantedHash: bytes('wanted_hash').notNull(),
  /** Number of the latest check at that time; later ones stay. */
  lastLogged: bigint('last_logged', { mode: 'number' }).notNull(),
  removed: bigint('removed', { mode: 'number' }).notNull(),
  doneAtMs: bigint('done_at_ms', { mode: 'number' }),
});

/** Numbers of the measures and name kinds in their columns. They never change. */
export const PG_MEASURES = {
  decision_by_hour: 0,
  probability_by_day: 1,
  answer_time_by_day: 2,
  message_by_hour: 3,
} as const;
export const PG_BLOCKED_KINDS = { site: 0, suffix: 1 } as const;

const measure = customType<{ data: keyof typeof PG_MEASURES; driverData: number }>({
  dataType: () => 'smallint',
  toDriver: (name) => PG_MEASURES[name],
});

/** Counts of public checks per node, so that nodes do not block each other. */
export const pgCounts = pgTable(
  'counts',
  {
    measure: measure('measure').notNull(),
    periodStartMs: bigint('period_start_ms', { mode: 'number' }).notNull(),
    bucket: smallint('bucket').notNull(),
    node: integer('node').notNull(),
    checks: bigint('checks', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.measure, table.periodStartMs, table.bucket, table.node] })],
);

/** Number of blocked public checks per day, so that a day can be dropped. */
export const pgBlocked = pgTable(
  'blocked',
  {
    dayMs: bigint('day_ms', { mode: 'number' }).notNull(),
    kind: smallint('kind').notNull(),
    name: text('name').notNull(),
    node: integer('node').notNull(),
    checks: bigint('checks', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.dayMs, table.kind, table.name, table.node] })],
);

/** Blocked checks per name over all days, of the counts folded under {@link FOLDED_NODE}. Updated by triggers. */
export const pgBlockedSums = pgTable(
  'blocked_sums',
  {
    kind: smallint('kind').notNull(),
    name: text('name').notNull(),
    checks: bigint('checks', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.name] })],
);

/** The only row: bounds of the log; 0 is unlimited. */
export const pgRetention = pgTable('retention', {
  isOnly: boolean('is_only').primaryKey(),
  days: integer('days').notNull(),
  bytes: bigint('bytes', { mode: 'number' }).notNull(),
  rows: bigint('rows', { mode: 'number' }).notNull(),
});

/** Nodes that write to the log. */
export const pgNodes = pgTable('nodes', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  name: text('name').notNull().unique(),
  version: text('version').notNull(),
  modelVersion: text('model_version').notNull(),
  startedAt: timestamp('started_at', { withTimezone: true }).notNull(),
  seenAt: timestamp('seen_at', { withTimezone: true }).notNull(),
  /** Clock offset against the database, in milliseconds; positive if it is ahead. */
  aheadMs: bigint('ahead_ms', { mode: 'number' }).notNull(),
  listsVersion: text('lists_version').notNull(),
  /** Number of its checks that are not in their databases yet. */
  waiting: bigint('waiting', { mode: 'number' }).notNull(),
  /** Number of its answered checks that their databases refused. */
  setAside: bigint('set_aside', { mode: 'number' }).notNull(),
  /** Changes with each start of the node; null for a command that only adds checks. */
  run: uuid('run'),
  /** Fingerprints of shared properties, as JSON of {@link NodePrints}. */
  prints: text('prints').notNull(),
});

/** The files that all nodes share, sealed; see `ContentSeal`. */
export const pgSharedDocuments = pgTable('shared_documents', {
  name: text('name').primaryKey(),
  version: bigint('version', { mode: 'number' }).notNull(),
  /** Null if the fleet has no such file. */
  content: bytes('content'),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
  changedBy: text('changed_by').notNull(),
  /** Keyed hash of the text; null for a row of an older program. */
  print: text('print'),
  /** Ids of the files that it names, in {@link pgSharedFiles}, separated by spaces. */
  files: text('files').notNull().default(''),
});

/** Immutable files of shared documents, in sealed parts numbered from 0. */
export const pgSharedFiles = pgTable(
  'shared_files',
  {
    id: text('id').notNull(),
    part: integer('part').notNull(),
    content: bytes('content').notNull(),
    touchedAt: timestamp('touched_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.id, table.part] })],
);

/** Feedback of all nodes; see `feedback` of a file. */
export const pgFeedback = pgTable('feedback', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  receivedAtMs: bigint('received_at_ms', { mode: 'number' }).notNull(),
  verdict: text('verdict', { enum: FEEDBACK_VERDICTS }).notNull(),
  url: text('url').notNull(),
  host: text('host').notNull(),
  requestId: text('request_id'),
  decision: text('decision').$type<CheckResult['decision']>(),
  probability: doublePrecision('probability'),
  modelVersion: text('model_version'),
  comment: text('comment').notNull(),
  clientHash: bytes('client_hash').notNull(),
  state: text('state', { enum: FEEDBACK_STATES }).notNull(),
  settledAtMs: bigint('settled_at_ms', { mode: 'number' }),
  entry: text('entry'),
  bytes: integer('bytes').notNull(),
});

/** Last start of each job that runs once per fleet. */
export const pgJobs = pgTable('jobs', {
  name: text('name').primaryKey(),
  dueAt: timestamp('due_at', { withTimezone: true }).notNull(),
  begunBy: text('begun_by').notNull(),
});

/** The only row: which log the database holds. */
export const pgInstallation = pgTable('installation', {
  isOnly: boolean('is_only').primaryKey(),
  role: text('role', { enum: ['public', 'private'] }).notNull(),
  /** Id that both databases share; null in a private one until a node joins it to the public one. */
  id: uuid('id'),
});

/** Timelines on which nodes found a server cluster. */
export const pgTimelines = pgTable(
  'timelines',
  {
    cluster: text('cluster').notNull(),
    timeline: bigint('timeline', { mode: 'number' }).notNull(),
    seenAt: timestamp('seen_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.cluster, table.timeline] })],
);

/** Node number of merged counts, from which deleted checks are subtracted. */
export const FOLDED_NODE = 0;

const { domain1, domain2, domain3, domain4, domain5, domain6, domain7 } = pgChecks;

/** Columns of the names of a check, from one label on; the last one has longer names too. */
const COLUMNS = [domain1, domain2, domain3, domain4, domain5, domain6, domain7] as const;

/** Names of the columns. */
export const DOMAIN_COLUMNS: readonly string[] = COLUMNS.map(({ name }) => name);

/** Returns a check's values of {@link DOMAIN_COLUMNS}: no two of its names have the same column. */
export function domainColumns(check: { readonly host: string | null; readonly url: string }): (number | null)[] {
  const values: (number | null)[] = COLUMNS.map(() => null);
  for (const name of indexedSuffixes(hostOfRow(check))) values[placeOf(name)] = domainHash(name);
  return values;
}

/** Returns the column in which checks of a domain have a hash, and that hash. Domains may collide: readers compare the host. */
export function domainColumn(domain: string) {
  return { column: COLUMNS[placeOf(domain)] ?? domain7, hash: domainHash(domain) };
}

function placeOf(name: string): number {
  let place = 0;
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) place++;
  return Math.min(place, COLUMNS.length - 1);
}

/** Returns a hash that a migration can compute in SQL. */
function domainHash(domain: string): number {
  return new Bun.CryptoHasher('sha256').update(domain).digest().readInt32BE(0);
}
