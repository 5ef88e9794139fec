import { once } from 'node:events';
import type { Server, Socket } from 'node:net';

/** An address to listen at; port 0 takes a free one. */
export interface ListenAt {
  readonly address: string;
  readonly port: number;
}

export const ANY_PORT: ListenAt = { address: '127.0.0.1', port: 0 };

/** A listening server: disposing of it cuts its connections and frees the port. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
  /** Connections so far. */
  readonly connections: () => number;
  readonly openSockets: () => number;
}

/** Starts any server made of TCP connections. */
export async function listen(server: Server, at: ListenAt): Promise<Listening> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    // A visitor who cuts the connection is no fault of the server.
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(at.port, at.address);
  await once(server, 'listening');
  const bound = server.address();
  return {
    port: bound && typeof bound === 'object' ? bound.port : 0,
    connections: () => connections,
    openSockets: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
