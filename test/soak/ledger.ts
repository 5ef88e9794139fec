import type { Visibility } from '#src/core/base/visibility.ts';
import type { Reply } from './ask.ts';

/** What is known of a check that was asked for, by its number. */
interface Entry {
  readonly visibility: Visibility;
  outcome: 'acknowledged' | 'refused' | 'unknown';
  requestId: string | null;
}

/** A row of a log: the URL that was checked carries the number. */
export interface LogRow {
  readonly requestId: string;
  readonly url: string;
  /** 1 where the log says that its client was gone before the answer was written. */
  readonly isUndelivered: number;
}

/** Who asked for what and was told what, to be held against the logs. */
export interface Ledger {
  /** A number that no other check has. */
  open(visibility: Visibility): number;
  /** Notes what came of a check. Returns what the answer itself breaks; null where nothing. */
  close(number: number, reply: Reply): string | null;
  readonly acknowledged: number;
  /** What the logs break of what was promised; empty where all is as it should be. */
  judge(logs: Readonly<Record<Visibility, Iterable<LogRow>>>): string[];
}

/** How the number of a check stands in its URL. */
export const numberIn = (number: number): string => `?n=${number}`;

const NUMBER = /[?&]n=(\d+)/;

export function createLedger(): Ledger {
  const entries: Entry[] = [];
  let acknowledged = 0;
  return {
    get acknowledged() {
      return acknowledged;
    },
    open: (visibility) => entries.push({ visibility, outcome: 'unknown', requestId: null }) - 1,
    close(number, reply) {
      const entry = entries[number];
      if (!entry || reply.kind !== 'answered') return null;
      if (reply.status !== 200) {
        entry.outcome = 'refused';
        return null;
      }
      const requestId = idIn(reply.body);
      if (requestId === null) {
        // In a stream the refusal comes after the status.
        entry.outcome = /^event: problem$/m.test(reply.body) ? 'refused' : 'unknown';
        return entry.outcome === 'refused' ? null : `an answer without a request_id: ${reply.body.slice(0, 200)}`;
      }
      entry.outcome = 'acknowledged';
      entry.requestId = requestId;
      acknowledged++;
      return reply.requestId === null || reply.requestId === requestId ? null : `two ids for one check: ${requestId}`;
    },
    judge: (logs) => judge(entries, logs),
  };
}

/** The id in an answer, or in the last event of a stream. */
function idIn(body: string): string | null {
  const json = body.startsWith('{') ? body : (/^event: result\ndata: (.*)$/m.exec(body)?.[1] ?? '{}');
  try {
    const { request_id } = JSON.parse(json);
    return typeof request_id === 'string' ? request_id : null;
  } catch {
    return null;
  }
}

function judge(entries: readonly Entry[], logs: Readonly<Record<Visibility, Iterable<LogRow>>>): string[] {
  const problems: string[] = [];
  const kept = new Set<number>();
  for (const visibility of ['public', 'private'] as const) {
    for (const { requestId, url, isUndelivered } of logs[visibility]) {
      const number = Number(NUMBER.exec(url)?.[1] ?? Number.NaN);
      const entry = entries[number];
      if (!entry) problems.push(`the ${visibility} log has a check that nobody asked for: ${url}`);
      else if (kept.has(number)) problems.push(`check ${number} is logged twice`);
      else if (entry.visibility !== visibility)
        problems.push(`a ${entry.visibility} check is in the ${visibility} log`);
      else if (entry.outcome === 'refused')
        problems.push(`check ${number} was refused, and is in the ${visibility} log`);
      else if (entry.requestId !== null && entry.requestId !== requestId)
        problems.push(`check ${number} is logged as ${requestId} and was answered as ${entry.requestId}`);
      else if (entry.outcome === 'acknowledged' && isUndelivered)
        problems.push(`check ${number} was answered, and is logged as not delivered`);
      kept.add(number);
    }
  }
  for (const [number, { outcome, visibility }] of entries.entries()) {
    if (outcome === 'acknowledged' && !kept.has(number))
      problems.push(`check ${number} was answered, and the ${visibility} log lacks it`);
  }
  return problems;
}
