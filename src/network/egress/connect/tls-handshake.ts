import type { Socket } from 'node:net';
import tls, { type TLSSocket } from 'node:tls';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import { untilAborted } from '../budget/deadline.ts';
import { socketFailure } from './socket-failure.ts';
import type { TlsPeer } from './tls-peer.ts';

/** Maximum length of a stored chain; real ones have two to four certificates. */
const MAX_CHAIN = 10;

/**
 * Performs a TLS handshake over an open connection. Accepts untrusted peers and old versions and ciphers, because the
 * probe observes what a site offers and sends no secrets. Fails with `tls_handshake_failed`.
 *
 * @param authorities PEM certificates to trust; those of the runtime and of the environment are not added.
 */
export async function performTlsHandshake(
  socket: Socket,
  host: string,
  authorities: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly socket: TLSSocket; readonly peer: TlsPeer }> {
  try {
    return await untilAborted(signal, (resolve, reject) => {
      const secure = tls.connect({
        socket,
        // An IP address is not a server name (RFC 6066 §3).
        servername: parseIp(host) ? '' : host,
        rejectUnauthorized: false,
        minVersion: 'TLSv1',
        ALPNProtocols: ['http/1.1'],
        ca: [...authorities],
      });
      secure.on('error', reject);
      secure.on('close', () => reject(socketFailure(new Error('closed during the handshake'), 'tls_handshake_failed')));
      secure.once('secureConnect', () => resolve({ socket: secure, peer: peerOf(secure) }));
      return () => {};
    });
  } catch (error) {
    socket.destroy();
    throw socketFailure(error, 'tls_handshake_failed');
  }
}

function peerOf(socket: TLSSocket): TlsPeer {
  const chain: Uint8Array[] = [];
  const seen = new Set<string>();
  let certificate = socket.getPeerCertificate(true);
  while (certificate?.raw && !seen.has(certificate.fingerprint256) && chain.length < MAX_CHAIN) {
    seen.add(certificate.fingerprint256);
    chain.push(new Uint8Array(certificate.raw));
    certificate = certificate.issuerCertificate;
  }
  return {
    chain,
    authorizationError: socket.authorized ? null : faultName(socket.authorizationError),
    protocol: socket.getProtocol() ?? 'unknown',
  };
}

/** The runtime declares an `Error`, and often passes a bare code. */
function faultName(fault: unknown): string {
  if (fault instanceof Error) return 'code' in fault && typeof fault.code === 'string' ? fault.code : fault.message;
  return typeof fault === 'string' ? fault : 'UNKNOWN';
}
