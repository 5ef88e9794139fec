/** State of a queue of messages for another service. */
export interface OutboxStatus {
  /** True if the last delivery succeeded; true before the first one. */
  readonly isUp: boolean;
  /** Number of queued messages. */
  readonly waiting: number;
  /** Number of delivered messages. */
  readonly sent: number;
  /** Number of messages that were discarded because the queue was full, or their delivery was given up. */
  readonly dropped: number;
}

/** A bounded queue of messages for another service. Disposing of it delivers what is queued, for a second at most. */
export interface Outbox<T> extends OutboxStatus, AsyncDisposable {
  /** Queues a message and returns at once. Discards it if the queue is full. */
  put(message: T): void;
}

/** The receiver refuses these messages for good: they are discarded, and the next ones are delivered. */
export class GivenUp extends Error {}

export interface OutboxParts<T> {
  /** Delivers messages in order. If it throws, the same messages are delivered again after a pause, unless by {@link GivenUp}. */
  readonly deliver: (batch: readonly T[], stopping: AbortSignal) => Promise<void>;
  /** Called when deliveries begin to fail. */
  readonly onDown: (problem: string) => void;
  /** Called with the number of messages dropped since, once a delivery succeeds again. */
  readonly onUp: (dropped: number) => void;
  /** Maximum number of queued messages. */
  readonly maxWaiting: number;
  /** Maximum number of messages per delivery. */
  readonly maxBatch: number;
  /** Pause after the first failure, in milliseconds; it doubles up to `maxPauseMs`. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** Minimum time between two deliveries, in milliseconds. Default 0. */
  readonly gapMs?: number;
}

/** Time for which the end of the process waits for queued messages, in milliseconds. */
const PARTING_MS = 1000;

/** Creates an empty outbox. */
export function createOutbox<T>(parts: OutboxParts<T>): Outbox<T> {
  const { deliver, onDown, onUp, maxWaiting, maxBatch, firstPauseMs, maxPauseMs, gapMs = 0 } = parts;
  let waiting: T[] = [];
  let [sent, dropped, unreported] = [0, 0, 0];
  let isUp = true;
  let isSending = false;
  const closing = Promise.withResolvers<void>();
  const stopping = new AbortController();
  let isClosing = false;
  const pause = (ms: number) => Promise.race([Bun.sleep(ms), closing.promise]);

  async function sendAll(): Promise<void> {
    let pauseMs = firstPauseMs;
    while (waiting.length > 0) {
      const outcome = await sendOne(waiting.slice(0, maxBatch));
      if (outcome === 'sent') pauseMs = firstPauseMs;
      if (outcome !== 'failed') continue;
      if (isClosing) break;
      await pause(pauseMs);
      pauseMs = Math.min(2 * pauseMs, maxPauseMs);
    }
    isSending = false;
  }

  async function sendOne(batch: readonly T[]): Promise<'sent' | 'failed' | 'given_up'> {
    try {
      await deliver(batch, stopping.signal);
    } catch (error) {
      if (isUp) onDown(error instanceof Error ? error.message : String(error));
      isUp = false;
      if (!(error instanceof GivenUp)) return 'failed';
      waiting = waiting.slice(batch.length);
      drop(batch.length);
      return 'given_up';
    }
    waiting = waiting.slice(batch.length);
    sent += batch.length;
    if (!isUp) reportUp();
    if (gapMs > 0) await pause(gapMs);
    return 'sent';
  }

  function drop(count: number): void {
    dropped += count;
    unreported += count;
  }

  function reportUp(): void {
    isUp = true;
    const since = unreported;
    unreported = 0;
    onUp(since);
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
    put(message) {
      if (isClosing) return;
      if (waiting.length >= maxWaiting) {
        drop(1);
        return;
      }
      waiting.push(message);
      if (isSending) return;
      isSending = true;
      // In a later turn: messages of one turn are delivered together, and no caller waits for a system call.
      setImmediate(() => void sendAll());
    },
    async [Symbol.asyncDispose]() {
      isClosing = true;
      closing.resolve();
      const until = performance.now() + PARTING_MS;
      while (isSending && performance.now() < until) await Bun.sleep(10);
      stopping.abort();
    },
  };
}
