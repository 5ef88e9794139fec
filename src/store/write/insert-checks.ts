import { max, sql } from 'drizzle-orm';
import type { CheckRecord } from '#src/record/check-record.ts';
import type { CheckResult } from '#src/record/check-result.ts';
import { writtenJson } from '#src/record/written-json.ts';
import type { LogFile } from '../file/log-file.ts';
import { checkDomains, checks } from '../file/schema.ts';
import { indexedSuffixes } from '../read/host-suffixes.ts';
import type { ClientHash } from './client-hash.ts';
import { type CountedCheck, prepareCounters } from './counters.ts';

/** Writes records into the log that they belong to, inside the transaction of the caller. The id of the first; they count on. */
export type InsertChecks = (records: readonly CheckRecord[]) => number;

type Decision = CheckResult['decision'];

type CheckRow = [
  id: number,
  requestId: string,
  checkedAtMs: number,
  decision: Decision,
  probability: number,
  host: string,
  url: string,
  clientHash: Buffer | null,
  result: string,
];

type DomainRow = [domain: string, decision: Decision, checkedAtMs: number, checkId: number];

/** Prepares the statements once, for the life of the file. */
export function prepareInsert(log: LogFile, hashClient: ClientHash): InsertChecks {
  const { database, db, visibility } = log;
  const counters = visibility === 'public' ? prepareCounters(log) : null;
  const newestId = db
    .select({ id: max(checks.id) })
    .from(checks)
    .prepare();
  // Drizzle writes the statements, columns in the order of the schema. Binding each row through it would cost half as
  // much again as SQLite itself.
  const insertCheck = database.prepare<never, CheckRow>(
    db
      .insert(checks)
      .values({
        id: sql.placeholder('id'),
        requestId: sql.placeholder('requestId'),
        checkedAtMs: sql.placeholder('checkedAtMs'),
        decision: sql.placeholder('decision'),
        probability: sql.placeholder('probability'),
        host: sql.placeholder('host'),
        url: sql.placeholder('url'),
        clientHash: sql.placeholder('clientHash'),
        isUndelivered: sql`false`,
        result: sql.placeholder('result'),
      })
      .toSQL().sql,
  );
  const insertDomain = database.prepare<never, DomainRow>(
    db
      .insert(checkDomains)
      .values({
        domain: sql.placeholder('domain'),
        decision: sql.placeholder('decision'),
        checkedAtMs: sql.placeholder('checkedAtMs'),
        checkId: sql.placeholder('checkId'),
      })
      .toSQL().sql,
  );

  function insert(record: CheckRecord, checkId: number): CountedCheck {
    const { result } = record;
    const { decision, malicious_probability: probability, analysis_details: details } = result;
    const checkedAtMs = Date.parse(result.timestamp);
    const url = details.normalized_url;
    const clientHash = visibility === 'private' && record.client !== null ? hashClient(record.client) : null;
    const { request_id: requestId } = result;
    const json = writtenJson(result);
    insertCheck.run(checkId, requestId, checkedAtMs, decision, probability, record.host.text, url, clientHash, json);
    for (const domain of indexedSuffixes(record.host)) insertDomain.run(domain, decision, checkedAtMs, checkId);
    return { checkedAtMs, decision, probability, answerSeconds: details.analysis_time, host: record.host };
  }

  return (records) => {
    // In the caller's transaction nobody else adds a check, and counting on is cheaper than asking for each id.
    const firstId = (newestId.get()?.id ?? 0) + 1;
    const inserted = records.map((record, i) => insert(record, firstId + i));
    counters?.add(inserted);
    return firstId;
  };
}
