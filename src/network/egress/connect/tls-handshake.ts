import type { Socket } from 'node:net';
import tls, { type PeerCertificate, type SecureContext, type TLSSocket } from 'node:tls';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import { untilAborted } from '../budget/semaphore.ts';
import { socketFailure } from './dial.ts';

/** Maximum length of a stored chain; real ones have two to four certificates. */
const MAX_CHAIN = 10;

/**
 * Parses the certificates that handshakes trust, as PEM text; those of the runtime and of the environment are not added. Takes
 * 1.5 ms for the public ones, and holds nothing of a connection.
 */
export function createTrust(authorities: readonly string[]): SecureContext {
  return tls.createSecureContext({ ca: [...authorities], minVersion: 'TLSv1' });
}

/**
 * Performs a TLS handshake over an open connection. Accepts untrusted peers and old versions and ciphers, because the
 * probe observes what a site offers and sends no secrets. Fails with `tls_handshake_failed`.
 *
 * @param trust the certificates to trust, from {@link createTrust}.
 */
export async function performTlsHandshake(
  socket: Socket,
  host: string,
  trust: SecureContext,
  signal: AbortSignal,
): Promise<{ readonly socket: TLSSocket; readonly peer: TlsPeer }> {
  try {
    return await untilAborted(signal, (resolve, reject) => {
      let shown: ShownCertificate | undefined;
      const secure = tls.connect({
        socket,
        // An IP address is not a server name (RFC 6066 §3).
        servername: parseIp(host) ? '' : host,
        rejectUnauthorized: false,
        ALPNProtocols: ['http/1.1'],
        secureContext: trust,
        // The runtime reads the whole chain for this; asking for it afterwards would read it once more.
        checkServerIdentity(name, certificate) {
          shown = certificate;
          return tls.checkServerIdentity(name, certificate);
        },
      });
      secure.on('error', reject);
      secure.on('close', () =>
        reject(() => socketFailure(new Error('closed during the handshake'), 'tls_handshake_failed')),
      );
      secure.once('secureConnect', () =>
        resolve({ socket: secure, peer: peerOf(secure, shown ?? secure.getPeerCertificate(true)) }),
      );
      return () => {};
    });
  } catch (error) {
    socket.destroy();
    throw socketFailure(error, 'tls_handshake_failed');
  }
}

/** A certificate, with the one that issued it. */
interface ShownCertificate extends Pick<PeerCertificate, 'raw' | 'fingerprint256'> {
  readonly issuerCertificate?: ShownCertificate;
}

function peerOf(socket: TLSSocket, leaf: ShownCertificate): TlsPeer {
  const chain: Uint8Array[] = [];
  const seen = new Set<string>();
  let certificate: ShownCertificate | undefined = leaf;
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

/** A server in a TLS handshake, trusted or not. */
export interface TlsPeer {
  /**
   * Certificates in DER, leaf first: those that the server sent, then those of the trust store that complete the chain.
   */
  readonly chain: readonly Uint8Array[];
  /**
   * Error code of the TLS library, such as `CERT_HAS_EXPIRED`; null if there is none. The library checks neither weak
   * keys nor weak hashes, so null does not mean trusted.
   */
  readonly authorizationError: string | null;
  /** TLS version, such as `TLSv1.3`. */
  readonly protocol: string;
}
