import { createEventLogger, type LogEvent, type Logger, type LogLevel } from '#src/core/base/logger.ts';
import type { SyslogOrigin } from './message.ts';
import type { SyslogConnection } from './transport.ts';

/** How things stand with a log server. */
export interface SyslogStatus {
  /** Whether it took what it was last sent. */
  readonly isUp: boolean;
  /** Messages that wait for it. */
  readonly waiting: number;
  /** Messages that it was sent. */
  readonly sent: number;
  /** Messages that there was no room for while it was away. */
  readonly dropped: number;
}

/** What sends events to a log server, without ever holding up who tells them. Disposing of it sends what waits, for a moment. */
export interface SyslogSender extends SyslogStatus, AsyncDisposable {
  /** A logger whose events it is sent, from a level on that may change. */
  logger(level: () => LogLevel): Logger;
}

/** What a sender works with. */
export interface SyslogSenderParts {
  readonly connect: () => Promise<SyslogConnection>;
  readonly origin: SyslogOrigin;
  /** How an event is written for it. */
  readonly write: (event: LogEvent, origin: SyslogOrigin) => Uint8Array;
  /** Is told when the server goes away and comes back; not one whose events are sent. */
  readonly logger: Logger;
  /** Messages that may wait; default 10,000, which are about 5 MB and 80 MB at most. */
  readonly maxWaiting?: number;
  /** The first pause before it is tried again, which doubles up to half a minute. Default 250 ms. */
  readonly pauseMs?: number;
}

const MAX_WAITING = 10_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;

/** Messages that are sent with one write. */
const BATCH = 100;

/** So long the end of the process is held up by what waits. */
const PARTING_MS = 1000;

/** Begins to send. */
export function startSyslog(parts: SyslogSenderParts): SyslogSender {
  const { connect, origin, write, logger, maxWaiting = MAX_WAITING, pauseMs: firstPauseMs = FIRST_PAUSE_MS } = parts;
  let waiting: Uint8Array[] = [];
  let [sent, dropped, untold] = [0, 0, 0];
  let connection: SyslogConnection | null = null;
  let isUp = true;
  let isSending = false;
  const closing = Promise.withResolvers<void>();
  let isClosing = false;

  const own = createEventLogger('debug', (event) => take(write(event, origin)));

  function take(message: Uint8Array): void {
    if (isClosing) return;
    if (waiting.length >= maxWaiting) {
      dropped++;
      untold++;
      return;
    }
    waiting.push(message);
    if (isSending) return;
    isSending = true;
    // In a later turn: what is told together is sent together, and nobody waits for a system call.
    setImmediate(() => void sendAll());
  }

  async function sendAll(): Promise<void> {
    let pauseMs = firstPauseMs;
    while (waiting.length > 0) {
      try {
        connection ??= await connect();
        const batch = waiting.slice(0, BATCH);
        await connection.write(batch);
        waiting = waiting.slice(batch.length);
        sent += batch.length;
        pauseMs = firstPauseMs;
        if (!isUp) tellBack();
      } catch (error) {
        connection?.[Symbol.dispose]();
        connection = null;
        if (isUp) logger.warn('syslog.away', { problem: error instanceof Error ? error.message : String(error) });
        isUp = false;
        if (isClosing) break;
        await Promise.race([Bun.sleep(pauseMs), closing.promise]);
        pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
      }
    }
    isSending = false;
  }

  function tellBack(): void {
    isUp = true;
    const told = { dropped: untold };
    untold = 0;
    logger.info('syslog.back', told);
    own.info('syslog.back', told);
  }

  return {
    get isUp() {
      return isUp;
    },
    get waiting() {
      return waiting.length;
    },
    get sent() {
      return sent;
    },
    get dropped() {
      return dropped;
    },
    logger: (level) => createEventLogger(level, (event) => take(write(event, origin))),
    async [Symbol.asyncDispose]() {
      isClosing = true;
      closing.resolve();
      const until = performance.now() + PARTING_MS;
      while (isSending && performance.now() < until) await Bun.sleep(10);
      connection?.[Symbol.dispose]();
    },
  };
}
