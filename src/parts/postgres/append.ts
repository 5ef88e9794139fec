import type { SQL } from 'bun';
import { sql } from 'drizzle-orm';
import { type BunSQLDatabase, drizzle } from 'drizzle-orm/bun-sql';
import { COVERAGES, DECISIONS } from '#src/checks/record/check-result.ts';
import { VIAS } from '#src/checks/record/decided-by.ts';
import { countedHost } from '#src/checks/store/domains/host-suffixes.ts';
import { isStoredMessage, type StoredMessage, type StoredRecord } from '#src/checks/store/messages/stored-message.ts';
import { probabilityBucket } from '#src/checks/store/write/buckets.ts';
import { periodStart } from '#src/checks/store/write/counters.ts';
import type { StoredCheck } from '#src/checks/store/write/stored-check.ts';
import { DAY_MS, HOUR_MS } from '#src/core/base/clock.ts';
import { requestIdMs, requestIdsBytes } from '#src/core/base/request-id.ts';
import { sha256 } from './schema/schema-steps.ts';
import {
  DOMAIN_COLUMNS,
  domainColumns,
  PG_BLOCKED_KINDS,
  PG_MEASURES,
  pgActiveSettings,
  pgUndelivered,
} from './schema/tables.ts';

/** Maximum number of checks per statement. Batches are powers of two, because each size is prepared by itself. */
export const MAX_BATCH = 128;

/** Returns the largest batch that `waiting` checks fill. */
export function batchSize(waiting: number): number {
  return Math.min(MAX_BATCH, 2 ** Math.floor(Math.log2(Math.max(1, waiting))));
}

/** Stores which checks were not delivered; a private role may only insert. */
export async function storeUndelivered(db: BunSQLDatabase, requestIds: readonly string[]): Promise<void> {
  const ids = sql`select unnest(${`{${requestIds.join(',')}}`}::uuid[])`;
  await db.insert(pgUndelivered).select(ids).onConflictDoNothing();
}

/** Parameters of a row, in their order. */
const INPUT = [
  ['request_id', 'uuid'],
  ['decision', 'int2'],
  ['probability', 'float8'],
  ['answer_time_bucket', 'int2'],
  ['client_hash', 'bytea'],
  ['host', 'text'],
  ['url', 'text'],
  ['in_force', 'bytea'],
  ['record', 'bytea'],
  ['coverage', 'int2'],
  ['caution', 'bool'],
  ['deciding_host', 'text'],
  ['via', 'int2'],
  ['reasons', 'bytea'],
  ['list', 'text'],
  ['entry', 'text'],
  ['list_owner', 'text'],
  ...DOMAIN_COLUMNS.map((name) => [name, 'int4'] as const),
  ['probability_bucket', 'int2'],
  ['site', 'text'],
  ['suffix', 'text'],
] as const;

const KEPT = INPUT.slice(
  0,
  INPUT.findIndex(([name]) => name === 'probability_bucket'),
)
  .map(([name]) => name)
  .join(', ');

const texts = new Map<string, string>();

/**
 * Stores checks in one repeatable statement, and those of messages in one each: stored ones are neither stored nor counted
 * again.
 */
export type AppendRecords = (records: readonly StoredRecord[]) => Promise<void>;

/**
 * Creates the append function of a public log, which counts under a node's number, or of a private one if that is null,
 * whose role may only insert. Writes active settings once per connection.
 */
export function createAppend(client: SQL, node: number | null): AppendRecords {
  const written = new Set<string>();
  const db = drizzle({ client });

  async function writeSettings(records: readonly StoredRecord[]): Promise<void> {
    for (const settings of new Set(records.map((record) => record.settings))) {
      if (written.has(settings)) continue;
      await db
        .insert(pgActiveSettings)
        .values({ id: settingsId(settings), settings })
        .onConflictDoNothing();
      written.add(settings);
    }
  }

  return async (records) => {
    await writeSettings(records);
    const messages = records.filter(isStoredMessage);
    for (const message of messages) await appendMessage(client, node, message);
    const checks = records.filter((one): one is StoredCheck => !isStoredMessage(one));
    if (checks.length === 0) return;
    const values = checks.flatMap((check) => valuesOf(check));
    if (node === null) await client.unsafe(privateStatement(checks.length), values);
    else await client.unsafe(publicStatement(checks.length), [...values, node]);
  };
}

/** Returns the id of active settings: the beginning of their hash, so that no one has to read it back. */
function settingsId(settings: string): Buffer {
  return Buffer.from(sha256(settings).slice(0, 16), 'hex');
}

function valuesOf(check: StoredCheck): unknown[] {
  const isBlocked = check.decision === 'block';
  const { site, suffix } = isBlocked ? countedHost(check) : { site: '', suffix: '' };
  return [
    check.requestId,
    DECISIONS.indexOf(check.decision),
    check.probability,
    check.answerTimeBucket,
    check.clientHash,
    check.host,
    check.url,
    settingsId(check.settings),
    check.record,
    check.coverage && COVERAGES.indexOf(check.coverage),
    check.caution,
    check.decidingHost,
    check.via && VIAS.indexOf(check.via),
    check.reasons,
    check.list,
    check.entry,
    check.listOwner,
    ...domainColumns(check),
    probabilityBucket(check.probability),
    isBlocked ? site : null,
    isBlocked && suffix !== '' ? suffix : null,
  ];
}

function input(rows: number): string {
  const row = (from: number) =>
    `(${INPUT.map(([, type], i) => `$${from + i + 1}${from === 0 ? `::${type}` : ''}`).join(', ')})`;
  const values = Array.from({ length: rows }, (_, i) => row(i * INPUT.length)).join(', ');
  return `with input (${INPUT.map(([name]) => name).join(', ')}) as (values ${values})`;
}

/** Returns the statement for the public log; counts derive from the new rows. */
function publicStatement(rows: number): string {
  return texts.getOrInsertComputed(`public ${rows}`, () => {
    const node = `$${rows * INPUT.length + 1}::int4`;
    const { decision_by_hour: byHour, probability_by_day: probabilities, answer_time_by_day: times } = PG_MEASURES;
    const { site, suffix } = PG_BLOCKED_KINDS;
    const day = `ms - ms % ${DAY_MS}`;
    return `${input(rows)},
kept as (insert into checks (${KEPT}) select ${KEPT} from input on conflict (request_id) do nothing returning request_id),
fresh as materialized (select input.*, ('x' || translate(left(request_id::text, 13), '-', ''))::bit(48)::int8 as ms
  from input join kept using (request_id)),
counted as (insert into counts (measure, period_start_ms, bucket, node, checks)
  select m.measure, m.period, m.bucket, ${node}, count(*) from fresh cross join lateral (values
    (${byHour}::int2, ms - ms % ${HOUR_MS}, decision), (${probabilities}::int2, ${day}, probability_bucket),
    (${times}::int2, ${day}, answer_time_bucket)) m (measure, period, bucket)
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (measure, period_start_ms, bucket, node) do update set checks = counts.checks + excluded.checks),
refused as (insert into blocked (day_ms, kind, name, node, checks)
  select ${day}, n.kind, n.name, ${node}, count(*) from fresh cross join lateral (values
    (${site}::int2, site), (${suffix}::int2, suffix)) n (kind, name)
  where n.name is not null group by 1, 2, 3 order by 1, 2, 3
  on conflict (day_ms, kind, name, node) do update set checks = blocked.checks + excluded.checks)
select count(*)::int4 as fresh from fresh`;
  });
}

/**
 * Returns the statement for the private log. Naming a conflict or returning anything would require the right to read.
 */
function privateStatement(rows: number): string {
  return texts.getOrInsertComputed(`private ${rows}`, () => {
    return `${input(rows)} insert into checks (${KEPT}) select ${KEPT} from input on conflict do nothing`;
  });
}

/** Parameters of a message, in their order. */
const MESSAGE_INPUT = [
  ['request_id', 'uuid'],
  ['decision', 'int2'],
  ['probability', 'float8'],
  ['in_force', 'bytea'],
  ['via', 'int2'],
  ['caution', 'bool'],
  ['is_whole', 'bool'],
  ['link_count', 'int4'],
  ['unchecked', 'int4'],
  ['unread', 'int4'],
  ['reasons', 'bytea'],
  ['links', 'bytea'],
  ['client_hash', 'bytea'],
] as const;

const INSERT_MESSAGE = `insert into messages (${MESSAGE_INPUT.map(([name]) => name).join(', ')})
values (${MESSAGE_INPUT.map(([, type], i) => `$${i + 1}::${type}`).join(', ')}) on conflict`;

const [HOUR_PLACE, NODE_PLACE] = [MESSAGE_INPUT.length + 1, MESSAGE_INPUT.length + 2];

/** Selects the count of a new message, by its hour and the node's number, which follow the parameters of the row. */
const MESSAGE_COUNT = `select ${PG_MEASURES.message_by_hour}::int2, $${HOUR_PLACE}::int8, decision, $${NODE_PLACE}::int4, 1`;

const COUNT_MESSAGE = `insert into counts (measure, period_start_ms, bucket, node, checks) ${MESSAGE_COUNT} from fresh
on conflict (measure, period_start_ms, bucket, node) do update set checks = counts.checks + excluded.checks`;

async function appendMessage(client: SQL, node: number | null, message: StoredMessage): Promise<void> {
  const { requestId, probability, caution, isWhole, linkCount, unchecked, unread, reasons, clientHash } = message;
  const settings = settingsId(message.settings);
  const [decision, via] = [DECISIONS.indexOf(message.decision), VIAS.indexOf(message.via)];
  const verdict = [requestId, decision, probability, settings, via, caution, isWhole, linkCount, unchecked, unread];
  const values = [...verdict, reasons, requestIdsBytes(message.links), clientHash];
  if (node === null) await client.unsafe(`${INSERT_MESSAGE} do nothing`, values);
  else {
    const fresh = `with fresh as (${INSERT_MESSAGE} (request_id) do nothing returning decision)`;
    await client.unsafe(`${fresh} ${COUNT_MESSAGE}`, [...values, periodStart(requestIdMs(requestId), HOUR_MS), node]);
  }
}
