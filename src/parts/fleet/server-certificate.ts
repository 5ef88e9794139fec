import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { better, type Finding } from '#src/app/doctor/finding.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { createTrust, performTlsHandshake } from '#src/network/egress/connect/tls-handshake.ts';

/** A server that speaks TLS. */
export interface TlsServer {
  readonly host: string;
  readonly port: number;
  /** `postgres`: the client asks for TLS before the handshake. */
  readonly protocol: 'tls' | 'postgres';
}

const TIMEOUT_MS = 5000;

/** Certificates by ACME are renewed 30 days before their end; a shorter one is due if that failed. */
const CERTIFICATE_NOTICE_MS = 14 * DAY_MS;

/** Length and code of SSLRequest, PostgreSQL protocol 3.0, section "Message Formats". */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/**
 * Reports a server certificate that expires soon.
 *
 * @param name of the examination
 * @param shown the server, as it may be shown
 */
export async function examineServerCertificate(name: string, shown: string, server: TlsServer): Promise<Finding[]> {
  const endMs = await certificateEnd(server);
  const leftMs = endMs === null ? Number.POSITIVE_INFINITY : endMs - Date.now();
  if (leftMs >= CERTIFICATE_NOTICE_MS) return [];
  const left = leftMs <= 0 ? 'has expired' : `expires in ${counted(Math.floor(leftMs / DAY_MS), 'day')}`;
  return [better(name, `The certificate of ${shown} ${left}.`, 'Renew it on that server.')];
}

/** Returns when the certificate of a server expires, in milliseconds since the Unix epoch; null if it shows none. */
async function certificateEnd({ host, port, protocol }: TlsServer): Promise<number | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal });
    if (protocol === 'postgres') {
      socket.write(SSL_REQUEST);
      const [answer] = await once(socket, 'data', { signal });
      if (String(answer) !== 'S') return null;
    }
    // Whom the certificate is from and for is the matter of the connections that carry data.
    const { peer } = await performTlsHandshake(socket, host, createTrust([]), signal);
    const [own] = peer.chain;
    return own ? Date.parse(new X509Certificate(own).validTo) : null;
  } catch {
    // A server that cannot be reached is reported by those connections, too.
    return null;
  } finally {
    socket.destroy();
  }
}
