import dgram from 'node:dgram';
import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { encodeReply, readQuery, type ScriptedReply } from './dns-wire.ts';

/** What a scripted server does with one query: answer, after a while, or not at all. */
export type DnsAction = ScriptedReply & { readonly drop?: boolean; readonly delayMs?: number };

export interface DnsServer extends AsyncDisposable {
  readonly endpoint: { readonly address: string; readonly port: number };
  /** `name type transport` of every query, in order. */
  readonly queries: readonly string[];
}

/** A DNS server over UDP and TCP on one port, by default a free one on loopback, that does with each query what `act` says. */
export async function serveDns(
  act: (query: { name: string; type: string; transport: 'udp' | 'tcp'; hasEdns: boolean; port: number }) => DnsAction,
  listen: { readonly address: string; readonly port: number } = { address: '127.0.0.1', port: 0 },
): Promise<DnsServer> {
  const queries: string[] = [];
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const sockets = new Set<Socket>();

  const handle = (query: Uint8Array, transport: 'udp' | 'tcp', port: number, answer: (message: Buffer) => void) => {
    const { name, type, hasEdns } = readQuery(query);
    queries.push(`${name} ${type} ${transport}`);
    const action = act({ name, type, transport, hasEdns, port });
    if (action.drop) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      answer(encodeReply(query, action));
    }, action.delayMs ?? 0);
    timers.add(timer);
  };

  const tcp = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (data: Uint8Array) =>
      handle(data.subarray(2), 'tcp', socket.remotePort ?? 0, (message) => {
        socket.end(Buffer.concat([Uint8Array.of(message.length >> 8, message.length & 0xff), message]));
      }),
    );
  });
  tcp.listen(listen.port, listen.address);
  await once(tcp, 'listening');
  const bound = tcp.address();
  const port = bound && typeof bound === 'object' ? bound.port : 0;

  const udp = dgram.createSocket('udp4');
  udp.on('message', (query, from) =>
    handle(query, 'udp', from.port, (message) => udp.send(message, from.port, from.address)),
  );
  udp.bind(port, listen.address);
  await once(udp, 'listening');

  return {
    endpoint: { address: listen.address, port },
    queries,
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      udp.close();
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}
