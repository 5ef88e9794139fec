import type { Alert } from './alert.ts';

/** A state of the service that needs the operator. */
export interface Condition {
  /** Stable name; `notice` for one that has only a sentence. */
  readonly code: string;
  /** `error`: checks are refused, or something is not applied; `warning`: it will fail, or works with less. */
  readonly severity: 'warning' | 'error';
  /** When it was first noticed, or began, ISO 8601 UTC. */
  readonly since: string;
  /** Values of its sentence, for one in another language. */
  readonly args: Readonly<Record<string, string | number>>;
  /** In English. */
  readonly message: string;
  /** Remedy in English; null if the message says it. */
  readonly remedy: string | null;
}

/** An alert with the time at which it was raised, in milliseconds since the Unix epoch. */
export interface RaisedAlert extends Alert {
  readonly sinceMs: number;
}

/** Returns the condition of an alert for the operator: its message begins with the notice, or names what that counts. */
export function conditionOfAlert({ code, message, notice, args, sinceMs }: RaisedAlert): Condition {
  const isPart = message.startsWith(`${notice} `);
  return {
    ...{ code, severity: code === 'backup_failed' ? 'error' : 'warning', since: new Date(sinceMs).toISOString(), args },
    message: isPart ? notice : message,
    remedy: isPart ? message.slice(notice.length + 1) : null,
  };
}

/** Remembers when each sentence was first noticed, whatever the numbers in it. */
export function createFirstSeen(now: () => number): (texts: readonly string[]) => Condition[] {
  let seen = new Map<string, number>();
  return (texts) => {
    const next = new Map<string, number>();
    const conditions = texts.map((message): Condition => {
      const key = message.replace(/\d+/g, '#');
      const sinceMs = seen.get(key) ?? now();
      next.set(key, sinceMs);
      const since = new Date(sinceMs).toISOString();
      return { code: 'notice', severity: 'warning', since, args: {}, message, remedy: null };
    });
    seen = next;
    return conditions;
  };
}
