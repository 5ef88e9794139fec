import dgram from 'node:dgram';
import net, { type Socket } from 'node:net';
import { FailureError } from '#src/core/base/failure.ts';
import { parseIp, unmapIp } from '#src/core/base/addresses/ip.ts';
import { untilAborted } from '../budget/deadline.ts';
import { type Endpoint, formatEndpoint } from '../endpoint.ts';
import { socketFailure } from './socket-failure.ts';

/**
 * Connects to an address that has been judged, and to no other: the peer is compared before anything can be written.
 * The socket is the caller's to destroy. It has an `error` listener, so that a late error cannot end the process.
 */
export async function dial(endpoint: Endpoint, signal: AbortSignal): Promise<Socket> {
  const { address, port } = endpoint;
  const ip = parseIp(address);
  // A name would be resolved by the runtime, outside of any policy.
  if (!ip) throw new FailureError('egress_denied', `not-an-address: ${address}`);
  try {
    return await untilAborted<Socket>(signal, (resolve, reject) => {
      const socket = net.connect({ host: address, port, family: ip.family, autoSelectFamily: false });
      let isHandedOver = false;
      socket.on('error', reject);
      socket.on('close', () => reject(new FailureError('connection_reset', 'closed before it was connected')));
      socket.once('connect', () => {
        const peer = parseIp(socket.remoteAddress ?? '');
        const isSame = peer !== null && unmapIp(peer).value === unmapIp(ip).value && socket.remotePort === port;
        if (!isSame) return reject(new FailureError('egress_denied', `peer: ${socket.remoteAddress} for ${address}`));
        isHandedOver = true;
        return resolve(socket);
      });
      return () => {
        if (!isHandedOver) socket.destroy();
      };
    });
  } catch (error) {
    const failure = socketFailure(error, 'unreachable');
    const isUnrouted = failure.code === 'connection_refused' && !(await hasRoute(address, ip.family));
    throw isUnrouted ? new FailureError('unreachable', `no route to ${formatEndpoint(endpoint)}`) : failure;
  }
}

/**
 * Whether the system would know where to send a packet for `address`. Bun 1.4.4 reports a missing route as a refused
 * connection; connecting a datagram socket asks the routing table alone and sends nothing.
 */
function hasRoute(address: string, family: 4 | 6): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = dgram.createSocket(family === 6 ? 'udp6' : 'udp4');
    const end = (answer: boolean) => {
      socket.removeAllListeners();
      socket.on('error', () => {});
      socket.close();
      resolve(answer);
    };
    socket.once('error', () => end(false));
    socket.connect(9, address, () => {
      try {
        socket.remoteAddress();
        end(true);
      } catch {
        end(false);
      }
    });
  });
}
