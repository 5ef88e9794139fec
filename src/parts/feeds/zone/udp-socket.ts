import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { listenError } from '#src/app/listen/listener.ts';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import type { PortAddress } from '#src/core/base/settings/listen-address.ts';
import type { NotifiedPlace } from './notify-peers.ts';

/** A UDP socket that is bound to an address. */
export interface UdpSocket extends AsyncDisposable {
  /** Sends a datagram; what cannot be sent is lost, as any datagram may be. */
  send(bytes: Buffer, to: NotifiedPlace): void;
}

/** Binds a UDP socket. Throws ListenError. */
export async function bindUdp(
  address: PortAddress,
  receive: (bytes: Buffer, from: NotifiedPlace, reply: (bytes: Buffer) => void) => void,
): Promise<UdpSocket> {
  const isIpv6 = address.host === null || parseIp(address.host)?.family === 6;
  const socket = createSocket(isIpv6 ? 'udp6' : 'udp4');
  const send = (bytes: Buffer, { address: host, port }: NotifiedPlace) => {
    try {
      socket.send(bytes, port, host, () => {});
    } catch {
      // Such as an address of the other family.
    }
  };
  socket.on('message', (bytes, { address: host, port }) =>
    receive(bytes, { address: host, port }, (answer) => send(answer, { address: host, port })),
  );
  try {
    socket.bind(address.port, address.host ?? '::');
    await once(socket, 'listening');
  } catch (cause) {
    throw listenError(address, cause);
  }
  socket.on('error', () => {});
  return {
    send,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => socket.close(resolve));
    },
  };
}
