import { UnavailableError } from '#src/base/refusal.ts';
import type { CheckSettings } from './settings.ts';

/** Runs tasks, a bounded number at a time; identical ones that are under way together run once. */
export interface Admission<T> {
  /**
   * @param key tasks with equal keys give the same value.
   * @throws UnavailableError `overloaded` where the queue is full.
   */
  run(key: string, task: () => Promise<T>): Promise<T>;
}

/** How much may be under way, and how much may wait for its turn. */
export type AdmissionBounds = Pick<CheckSettings, 'check_concurrency' | 'queue_length'>;

const RETRY_AFTER_SECONDS = 2;

/** Tasks start in the order in which they came. */
export function createAdmission<T>({ check_concurrency, queue_length }: AdmissionBounds): Admission<T> {
  const underWay = new Map<string, Promise<T>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }

  async function runInTurn(task: () => Promise<T>): Promise<T> {
    // Whoever leaves hands its place to the first in the queue, so that `running` stays as it is.
    if (running >= check_concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await task();
    } finally {
      leave();
    }
  }

  return {
    async run(key, task) {
      const shared = underWay.get(key);
      if (shared !== undefined) return await shared;
      if (running >= check_concurrency && waiting.length >= queue_length) {
        throw new UnavailableError('overloaded', 'Too many checks are under way. Try again soon.', RETRY_AFTER_SECONDS);
      }
      const own = runInTurn(task).finally(() => underWay.delete(key));
      underWay.set(key, own);
      return await own;
    },
  };
}
