import { createEventLogger, type LogEvent, type Logger, type LogLevel } from '#src/core/base/logger.ts';
import { createOutbox, type OutboxStatus } from '#src/core/base/outbox.ts';
import type { SyslogOrigin } from './message.ts';
import type { SyslogConnection } from './transport.ts';

/** Sends events to a log server without blocking callers. Disposing of it tries to send the queue for a moment. */
export interface SyslogSender extends OutboxStatus, AsyncDisposable {
  /** Returns a logger that sends events from a level on, which may change. */
  logger(level: () => LogLevel): Logger;
}

/** Dependencies of a sender. */
interface SyslogSenderParts {
  readonly connect: () => Promise<SyslogConnection>;
  readonly origin: SyslogOrigin;
  /** Encodes an event. */
  readonly write: (event: LogEvent, origin: SyslogOrigin) => Uint8Array;
  /** Logs loss and recovery of the connection; must not be a logger of this sender. */
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

/** Starts the sender. */
export function startSyslog(parts: SyslogSenderParts): SyslogSender {
  const { connect, origin, write, logger, maxWaiting = MAX_WAITING, pauseMs = FIRST_PAUSE_MS } = parts;
  let connection: SyslogConnection | null = null;
  const disconnect = () => {
    connection?.[Symbol.dispose]();
    connection = null;
  };
  const outbox = createOutbox<Uint8Array>({
    async deliver(batch) {
      try {
        connection ??= await connect();
        await connection.write(batch);
      } catch (error) {
        disconnect();
        throw error;
      }
    },
    onDown: (problem) => logger.warn('syslog.away', { problem }),
    onUp(dropped) {
      logger.info('syslog.back', { dropped });
      own.info('syslog.back', { dropped });
    },
    ...{ maxWaiting, maxBatch: BATCH, firstPauseMs: pauseMs, maxPauseMs: MAX_PAUSE_MS },
  });
  const own = createEventLogger('debug', (event) => outbox.put(write(event, origin)));
  return {
    get isUp() {
      return outbox.isUp;
    },
    get waiting() {
      return outbox.waiting;
    },
    get sent() {
      return outbox.sent;
    },
    get dropped() {
      return outbox.dropped;
    },
    logger: (level) => createEventLogger(level, (event) => outbox.put(write(event, origin))),
    async [Symbol.asyncDispose]() {
      await outbox[Symbol.asyncDispose]();
      disconnect();
    },
  };
}
