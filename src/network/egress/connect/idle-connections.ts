import type { Socket } from 'node:net';
import type { TlsPeer } from './tls-handshake.ts';

/** A connection after its TLS handshake. */
export interface SecuredConnection {
  /** The TCP socket, below TLS. */
  readonly carrier: Socket;
  readonly socket: Socket;
  readonly peer: TlsPeer;
}

/**
 * TLS connections of one compartment that wait for the next request to their server, at most one per server. They hold no
 * permit: the connection that gets the permit of their place takes them over or closes them.
 */
export interface IdleConnections extends Disposable {
  /** Removes and returns the idle connection to a server, that is, to a host and a port at an address. */
  take(server: string): SecuredConnection | null;
  /** Closes the idle connections of a place: of an address and a site, which share permits. */
  closeAt(place: string): void;
  /** Keeps a connection until it is taken, its peer sends anything, or its time is over. Closes it if it is not usable. */
  put(server: string, place: string, connection: SecuredConnection): void;
}

const MAX_IDLE = 8;
/** Shorter than servers usually wait, so that they seldom close first. */
const IDLE_MS = 10_000;

/** Creates an empty set of idle connections. */
export function createIdleConnections(idleMs = IDLE_MS): IdleConnections {
  const entries = new Map<string, { connection: SecuredConnection; place: string; leave(): void; close(): void }>();
  let isClosed = false;

  return {
    take(server) {
      const entry = entries.get(server);
      if (!entry) return null;
      entry.leave();
      for (const socket of socketsOf(entry.connection)) socket.ref();
      return entry.connection;
    },
    closeAt(place) {
      for (const entry of [...entries.values()]) if (entry.place === place) entry.close();
    },
    put(server, place, connection) {
      const { socket } = connection;
      const close = () => {
        leave();
        for (const one of socketsOf(connection)) one.destroy();
      };
      const leave = () => {
        clearTimeout(timer);
        for (const event of ENDINGS) socket.off(event, close);
        if (entries.get(server)?.connection === connection) entries.delete(server);
      };
      const timer = setTimeout(close, idleMs).unref();
      if (isClosed || !isUsable(connection)) return close();
      entries.get(server)?.close();
      if (entries.size >= MAX_IDLE) [...entries.values()][0]?.close();
      entries.set(server, { connection, place, leave, close });
      for (const event of ENDINGS) socket.on(event, close);
      for (const one of socketsOf(connection)) one.unref();
      // Bytes that came behind the answer close the connection.
      socket.resume();
    },
    [Symbol.dispose]() {
      isClosed = true;
      for (const entry of [...entries.values()]) entry.close();
    },
  };
}

/** Events that end an idle connection. */
const ENDINGS = ['data', 'end', 'close', 'error'] as const;

function socketsOf({ socket, carrier }: SecuredConnection): readonly Socket[] {
  return [socket, carrier];
}

function isUsable(connection: SecuredConnection): boolean {
  return socketsOf(connection).every(
    ({ destroyed, readableEnded, readableLength, writable }) =>
      !destroyed && !readableEnded && readableLength === 0 && writable,
  );
}
