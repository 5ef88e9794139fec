import type { Readable, Writable } from 'node:stream';
import { type CdpTransport, MAX_CDP_BYTES, type SplitMessages } from './transport.ts';

const HEAD_BYTES = 64;

/** Returns a function that takes chunks of a stream, and passes on the messages in it, of at most `maxBytes` each. */
export function splitMessages(maxBytes: number, { message, tooLong }: SplitMessages): (chunk: Uint8Array) => void {
  let parts: Uint8Array[] = [];
  let length = 0;
  let isDropping = false;

  const end = () => {
    if (!isDropping) message(Buffer.concat(parts).toString());
    [parts, length, isDropping] = [[], 0, false];
  };
  const hold = (part: Uint8Array) => {
    if (isDropping) return;
    parts.push(part);
    length += part.length;
    if (length <= maxBytes) return;
    tooLong(Buffer.concat(parts).subarray(0, HEAD_BYTES).toString());
    [parts, isDropping] = [[], true];
  };

  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, from)) {
      hold(chunk.subarray(from, at));
      end();
      from = at + 1;
    }
    if (from < chunk.length) hold(chunk.subarray(from));
  };
}

/** Returns the transport of a browser that was started with `--remote-debugging-pipe`: messages end with NUL. */
export function pipeTransport(input: Writable, output: Readable): CdpTransport {
  // The browser may end at any time; `closed` reports it.
  input.on('error', () => {});
  return {
    send: (message) => void input.write(`${message}\0`),
    receive(receiver) {
      output.on('data', splitMessages(MAX_CDP_BYTES, receiver));
      output.on('error', () => receiver.closed());
      output.once('close', () => receiver.closed());
    },
    [Symbol.dispose]() {
      input.destroy();
      output.destroy();
    },
  };
}
