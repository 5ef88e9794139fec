import { createByteQueue } from '#src/core/base/byte-queue.ts';
import { MAX_QUERY_BYTES } from './answer-query.ts';

/** Dependencies of a connection. */
interface ZoneConnectionParts {
  /** Answers a query. */
  answer(query: Buffer): Promise<Iterable<Buffer>>;
  /** Sends bytes; resolves once the peer takes more, or the connection is closed. */
  write(bytes: Uint8Array): Promise<void>;
  /** Starts or stops receiving. */
  setReceiving(isReceiving: boolean): void;
  /** Called with what the messages of an answer throw; the connection then ends. */
  onFailed(error: unknown): void;
  /** Closes the connection after what was written. */
  end(): void;
}

/** DNS over one TCP connection (RFC 1035 §4.2.2), without a socket. Queries are answered one after the other. */
export interface ZoneConnection {
  /** Takes bytes that arrived. */
  receive(bytes: Uint8Array): void;
  /** Ends the connection after the answer that is being sent. */
  stop(): void;
  /** Ends all work of a connection that was closed. */
  close(): void;
}

/** Length of the field before each message that states its length, in bytes. */
const LENGTH_BYTES = 2;

/** Creates a connection that has received nothing. */
export function createZoneConnection({
  answer,
  write,
  setReceiving,
  onFailed,
  end,
}: ZoneConnectionParts): ZoneConnection {
  const queue = createByteQueue();
  let isWorking = false;
  let isStopping = false;
  let isClosed = false;

  function finish(): void {
    if (isClosed) return;
    isClosed = true;
    end();
  }

  /** Reads the next query; null if it has not arrived, `too_long` if it is longer than any. */
  function next(): Buffer | 'too_long' | null {
    if (queue.length < LENGTH_BYTES) return null;
    const length = queue.peek(LENGTH_BYTES).readUInt16BE(0);
    if (length > MAX_QUERY_BYTES) return 'too_long';
    if (queue.length < LENGTH_BYTES + length) return null;
    queue.skip(LENGTH_BYTES);
    const query = Buffer.from(queue.peek(length));
    queue.skip(length);
    return query;
  }

  async function send(query: Buffer): Promise<void> {
    for (const message of await answer(query)) {
      if (isClosed) return;
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt16BE(message.length, 0);
      await write(Buffer.concat([length, message]));
    }
  }

  async function work(): Promise<void> {
    isWorking = true;
    setReceiving(false);
    try {
      for (let query = next(); query !== null && !isClosed; query = next()) {
        if (query === 'too_long') finish();
        else await send(query);
        if (isStopping) finish();
      }
    } catch (error) {
      onFailed(error);
      finish();
    }
    isWorking = false;
    if (!isClosed) setReceiving(true);
  }

  return {
    receive(bytes) {
      if (isClosed) return;
      queue.push(bytes);
      if (!isWorking) void work();
    },
    stop() {
      isStopping = true;
      if (!isWorking) finish();
    },
    close() {
      isClosed = true;
    },
  };
}
