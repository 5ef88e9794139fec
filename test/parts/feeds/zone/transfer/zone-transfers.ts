import { connect } from 'node:net';
import { createByteQueue } from '#src/core/base/byte-queue.ts';

declare const self: Worker;

/** Transfers of a zone that are begun at once. */
export interface TransfersTask {
  readonly port: number;
  /** The query, as base64. */
  readonly query: string;
  readonly count: number;
}

/** What a transfer brought: the number of its messages, records and signatures. */
export interface TransferCounts {
  readonly messages: number;
  readonly records: number;
  readonly signed: number;
}

/** Entry point of a thread that transfers a zone, so that the thread of the service does no work of the client. */
self.onmessage = async ({ data: { port, query, count } }: MessageEvent<TransfersTask>) => {
  const asked = Buffer.from(query, 'base64');
  self.postMessage(await Promise.all(Array.from({ length: count }, () => transfer(port, asked))));
};

/** Reads messages until the serial is there a second time. */
async function transfer(port: number, query: Buffer): Promise<TransferCounts> {
  const socket = connect(port, '127.0.0.1');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(query.length, 0);
  socket.write(Buffer.concat([length, query]));
  const queue = createByteQueue();
  const counts = { messages: 0, records: 0, signed: 0 };
  for await (const chunk of socket) {
    queue.push(chunk);
    while (queue.length >= 2 && queue.length >= 2 + queue.peek(2).readUInt16BE(0)) {
      const size = queue.peek(2).readUInt16BE(0);
      queue.skip(2);
      const message = queue.peek(size);
      counts.messages++;
      counts.records += message.readUInt16BE(6);
      counts.signed += message.readUInt16BE(10);
      // The record of the serial is the longest, and the last one of the answer: its owner, type and class.
      const isLast = message.lastIndexOf(Buffer.from([0xc0, 12, 0, 6, 0, 1])) > (counts.messages === 1 ? 40 : 12);
      queue.skip(size);
      if (!isLast) continue;
      socket.destroy();
      return counts;
    }
  }
  return counts;
}
