import type { Reply } from './ask.ts';

/** What the limiter promises, by default. */
export const LIMIT = 20;
const WINDOW_MS = 60_000;

/** Watches what the limiter admits of clients that ask for more than it should. */
export interface LimitWatch {
  /** @param life which life of the service answered: a new one remembers nobody. */
  note(client: string, life: number, reply: Reply): void;
  /** How many requests were admitted and how many refused. */
  readonly admitted: number;
  readonly refused: number;
  /** What it admitted beyond its limit; empty where nothing. */
  judge(): string[];
}

export function createLimitWatch(): LimitWatch {
  const admissions = new Map<string, { sentMs: number; endedMs: number }[]>();
  let admitted = 0;
  let refused = 0;
  return {
    get admitted() {
      return admitted;
    },
    get refused() {
      return refused;
    },
    note(client, life, reply) {
      if (reply.kind !== 'answered') return;
      if (reply.status === 429) refused++;
      if (reply.status === 429 || reply.status >= 500) return;
      admitted++;
      const key = `${client} in life ${life}`;
      const known = admissions.get(key) ?? [];
      admissions.set(key, known);
      known.push({ sentMs: reply.sentMs, endedMs: reply.endedMs });
    },
    judge: () => [...admissions].flatMap(([client, times]) => beyond(client, times)),
  };
}

/**
 * Each was admitted at some moment between being sent and being answered. So those of a row that were all sent and answered
 * within a window were certainly admitted within one.
 */
function beyond(client: string, times: readonly { sentMs: number; endedMs: number }[]): string[] {
  const sorted = times.toSorted((a, b) => a.sentMs - b.sentMs);
  const most = sorted.reduce((most, { sentMs }, first) => {
    const within = sorted.slice(first).filter(({ endedMs }) => endedMs - sentMs < WINDOW_MS);
    return Math.max(most, within.length);
  }, 0);
  return most > LIMIT ? [`${most} requests of ${client} were admitted within a minute`] : [];
}
