import dgram from 'node:dgram';
import net, { type Socket } from 'node:net';
import { parseIp, unmapIp } from '#src/core/base/addresses/ip.ts';
import { FAILURES, type FailureCode, FailureError } from '#src/core/base/failure.ts';
import { untilAborted } from '../budget/semaphore.ts';
import { type Endpoint, formatEndpoint } from '../endpoint.ts';

const CODES: Readonly<Record<string, FailureCode>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  ECONNABORTED: 'connection_reset',
  EPIPE: 'connection_reset',
  ERR_SOCKET_CLOSED: 'connection_reset',
  ENETUNREACH: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  EPERM: 'unreachable',
  ETIMEDOUT: 'timeout',
};

/** Maps a socket error to a failure; `otherwise` if its code is unknown. */
export function socketFailure(error: unknown, otherwise: FailureCode): FailureError {
  if (error instanceof FailureError) return error;
  const { code, message } = errorParts(error);
  return new FailureError(CODES[code] ?? otherwise, `${code}: ${message}`.slice(0, 300), { cause: error });
}

function errorParts(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: 'unknown', message: FAILURES.internal_error };
  return { code: 'code' in error && typeof error.code === 'string' ? error.code : error.name, message: error.message };
}

/**
 * Connects to an address that the policy allows, and verifies the peer address before returning. The caller destroys
 * the socket. It has an `error` listener, so that a late error cannot end the process.
 */
export async function dial(endpoint: Endpoint, signal: AbortSignal): Promise<Socket> {
  const { address, port } = endpoint;
  const ip = parseIp(address);
  // The runtime would resolve a name itself, bypassing the policy.
  if (!ip) throw new FailureError('egress_denied', `not-an-address: ${address}`);
  try {
    return await untilAborted<Socket>(signal, (resolve, reject) => {
      const socket = net.connect({ host: address, port, family: ip.family, autoSelectFamily: false });
      let isHandedOver = false;
      socket.on('error', reject);
      socket.on('close', () =>
        reject(() => new FailureError('connection_reset', 'closed before the connection was established')),
      );
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
 * Returns whether the system has a route to `address`. Bun 1.4.4 reports a missing route as a refused connection;
 * connecting a datagram socket reads the routing table and sends nothing.
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
