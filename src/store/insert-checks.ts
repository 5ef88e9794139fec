import { sql } from 'drizzle-orm';
import type { CheckRecord } from '#src/record/check-record.ts';
import { redactResult } from '#src/record/redact.ts';
import type { ClientHash } from './client-hash.ts';
import { type CountedCheck, prepareCounters } from './counters.ts';
import { hostSuffixes } from './host-suffixes.ts';
import type { LogFile } from './log-file.ts';
import { checkDomains, checks } from './schema.ts';

/** Writes records into the log that they belong to, inside the transaction of the caller. */
export type InsertChecks = (records: readonly CheckRecord[]) => void;

/** Prepares the statements once, for the life of the file. */
export function prepareInsert(log: LogFile, hashClient: ClientHash): InsertChecks {
  const { db, visibility } = log;
  const counters = visibility === 'public' ? prepareCounters(log) : null;
  const insertCheck = db
    .insert(checks)
    .values({
      requestId: sql.placeholder('requestId'),
      checkedAtMs: sql.placeholder('checkedAtMs'),
      decision: sql.placeholder('decision'),
      probability: sql.placeholder('probability'),
      host: sql.placeholder('host'),
      url: sql.placeholder('url'),
      clientHash: sql.placeholder('clientHash'),
      result: sql.placeholder('result'),
    })
    .returning({ id: checks.id })
    .prepare();
  const insertDomain = db
    .insert(checkDomains)
    .values({
      domain: sql.placeholder('domain'),
      decision: sql.placeholder('decision'),
      checkedAtMs: sql.placeholder('checkedAtMs'),
      checkId: sql.placeholder('checkId'),
    })
    .prepare();

  function insert(record: CheckRecord): CountedCheck {
    const result = redactResult(record.result, visibility);
    const { decision, malicious_probability: probability, analysis_details: details } = result;
    const checkedAtMs = Date.parse(result.timestamp);
    const url = details.normalized_url;
    const { id: checkId } = insertCheck.get({
      requestId: result.request_id,
      checkedAtMs,
      decision,
      probability,
      host: record.host,
      url,
      clientHash: visibility === 'private' && record.client !== null ? hashClient(record.client) : null,
      result: JSON.stringify(result),
    });
    for (const domain of hostSuffixes(record.host)) insertDomain.run({ domain, decision, checkedAtMs, checkId });
    return { checkedAtMs, decision, probability, answerSeconds: details.analysis_time, url };
  }

  return (records) => {
    const inserted = records.map(insert);
    counters?.add(inserted);
  };
}
