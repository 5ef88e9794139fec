import type { Readable, Writable } from 'node:stream';
import { splitMessages } from './message-splitter.ts';
import { type CdpTransport, MAX_CDP_BYTES } from './transport.ts';

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
