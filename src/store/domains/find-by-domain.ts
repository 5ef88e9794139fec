import { and, asc, desc, gte, inArray, lt, max } from 'drizzle-orm';
import { requestIdMs } from '#src/base/request-id.ts';
import { DECISIONS } from '#src/record/check-result.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks, domainBlocks } from '../file/schema.ts';
import { type After, decisionsOf, type FilterUpTo, matching, newest, type Position } from '../read/check-filter.ts';
import { BLOCK_CHECKS } from './block.ts';
import { hostOfRow, indexedSuffixes } from './host-suffixes.ts';
import { idsInBlock } from './ids-in-block.ts';

type Log = Pick<LogFile, 'db'>;

const COLUMNS = { id: checks.id, requestId: checks.requestId, host: checks.host, url: checks.url };

/**
 * The `limit` newest checks of hosts that end in `domain`, among those that match and come after `after`, newest first.
 * Blocks are looked into from the newest on, until no earlier one can hold a newer check than what was found.
 */
export function findByDomain(log: Log, domain: string, filter: FilterUpTo, after: After, limit: number): Position[] {
  const wanted = decisionsOf(filter).map((decision) => DECISIONS.indexOf(decision));
  let found = inTail(log, domain, filter, after);
  for (const { block, newestMs } of blocksOf(log, filter, after)) {
    if (found.length >= limit) {
      found = newest(found, limit);
      if (requestIdMs(found.at(-1)?.requestId ?? '') > newestMs) break;
    }
    const ids = idsInBlock(log, block, domain, (decision) => wanted.includes(decision));
    if (ids.length > 0) found.push(...amongIds(log, ids, domain, filter, after));
  }
  return newest(found, limit);
}

/** The blocks that may hold what matches, the newest first. */
function blocksOf({ db }: Log, { fromMs, untilMs }: FilterUpTo, after: After) {
  return db
    .select({ block: domainBlocks.block, newestMs: domainBlocks.newestMs })
    .from(domainBlocks)
    .where(
      and(
        fromMs === null ? undefined : gte(domainBlocks.newestMs, fromMs),
        untilMs === null ? undefined : lt(domainBlocks.oldestMs, untilMs),
        after === null ? undefined : lt(domainBlocks.oldestMs, requestIdMs(after.requestId) + 1),
      ),
    )
    .orderBy(desc(domainBlocks.newestMs))
    .all();
}

/** Those of the last checks, which no block holds yet. */
function inTail({ db }: Log, domain: string, filter: FilterUpTo, after: After): Position[] {
  const last = db
    .select({ block: max(domainBlocks.block) })
    .from(domainBlocks)
    .get()?.block;
  const firstId = last === null || last === undefined ? 0 : (last + 1) * BLOCK_CHECKS;
  const rows = db
    .select(COLUMNS)
    .from(checks)
    .where(and(gte(checks.id, firstId), ...matching(filter, after)))
    .orderBy(asc(checks.id))
    .all();
  return ofDomain(rows, domain);
}

function amongIds({ db }: Log, ids: number[], domain: string, filter: FilterUpTo, after: After): Position[] {
  const rows = db
    .select(COLUMNS)
    .from(checks)
    .where(and(inArray(checks.id, ids), ...matching(filter, after)))
    .all();
  return ofDomain(rows, domain);
}

interface Row extends Position {
  readonly host: string | null;
  readonly url: string;
}

function ofDomain(rows: readonly Row[], domain: string): Position[] {
  return rows.filter((row) => isOfDomain(row, domain)).map(({ id, requestId }) => ({ id, requestId }));
}

/** Whether the host of a row ends in a domain at a label. */
export function isOfDomain(row: { readonly host: string | null; readonly url: string }, domain: string): boolean {
  const host = hostOfRow(row);
  return host.text === domain || (host.text.endsWith(domain) && indexedSuffixes(host).includes(domain));
}
