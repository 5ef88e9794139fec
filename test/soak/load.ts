import type { Reply } from './ask.ts';

/** How often the pace is kept. */
const TICK_MS = 50;
/** Nobody piles up more than this. */
const MAX_UNDER_WAY = 400;

/** Work that goes on at a pace, until it is ended. */
export interface Load {
  readonly sent: number;
  /** Starts nothing more, and waits for what is under way. */
  end(): Promise<void>;
}

/** Starts `send` so many times a second, whether or not earlier ones have ended. */
export function startLoad(perSecond: number, send: () => Promise<void>): Load {
  const underWay = new Set<Promise<void>>();
  const startedMs = performance.now();
  let due = 0;
  let sent = 0;
  const timer = setInterval(() => {
    const dueNow = ((performance.now() - startedMs) / 1000) * perSecond;
    for (; due < dueNow; due++) {
      if (underWay.size >= MAX_UNDER_WAY) continue;
      sent++;
      const one = send().finally(() => underWay.delete(one));
      underWay.add(one);
    }
  }, TICK_MS);
  return {
    get sent() {
      return sent;
    },
    async end() {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}

/** What an answer breaks that no request may be given; null where nothing. */
export function offence(reply: Reply): string | null {
  if (reply.kind === 'silent') return 'no answer';
  if (reply.kind !== 'answered' || reply.status < 500) return null;
  return reply.status === 503 && Number(reply.retryAfter) > 0 ? null : `${reply.status}: ${reply.body.slice(0, 300)}`;
}
