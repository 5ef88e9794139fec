import net, { type Socket } from 'node:net';
import { ANY_PORT, type Listening, listen } from './listen.ts';

/** What a server of any protocol may do to a visitor. */
export const BEHAVIOURS = [
  'success',
  'refused',
  'silent',
  'reset',
  'oversized',
  'malformed',
  'aborted',
  'denied',
] as const;

export type Behaviour = (typeof BEHAVIOURS)[number];

/** Bytes that begin no message of any protocol. */
const GARBAGE = Buffer.from('\u0000\u00ff\u0001garbage\r\n\r\n', 'latin1');

/**
 * A TCP server that behaves so once a visitor has spoken. `success` and `denied` are left to real servers; `aborted` is
 * silent, since it is the visitor who ends it.
 *
 * @param flood what an oversized answer repeats without end.
 */
export async function serveBehaviour(behaviour: Behaviour, flood: Uint8Array): Promise<Listening> {
  const server = net.createServer((socket) => {
    socket.once('data', () => {
      if (behaviour === 'reset') socket.resetAndDestroy();
      if (behaviour === 'malformed') socket.end(GARBAGE);
      if (behaviour === 'oversized') pour(socket, flood);
    });
    socket.resume();
  });
  const listening = await listen(server, ANY_PORT);
  // A port that was free a moment ago refuses.
  if (behaviour === 'refused') await listening[Symbol.asyncDispose]();
  return listening;
}

function pour(socket: Socket, piece: Uint8Array): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}
