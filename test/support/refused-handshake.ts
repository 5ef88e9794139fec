import { writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { DAY_MS } from '#src/core/base/clock.ts';
import { type CertificateOrder, createCertificateAuthority, type Issued } from './certificate-authority.ts';

/** Certificates that a client must refuse for `localhost`, and one that it accepts, by what is wrong with them. */
export function certificatesOf(nowMs: number): { authority: Issued; issued: Record<string, Issued> } {
  const authority = createCertificateAuthority(nowMs);
  const issue = (order: CertificateOrder) => authority.issue({ subject: 'localhost', ...order });
  const issued = {
    'has expired': issue({ notBeforeMs: nowMs - 10 * DAY_MS, notAfterMs: nowMs - 5 * DAY_MS }),
    'is not valid yet': issue({ notBeforeMs: nowMs + 5 * DAY_MS, notAfterMs: nowMs + 10 * DAY_MS }),
    'is for another name': issue({ subject: 'other.example' }),
    'is signed by an authority that is not trusted here': createCertificateAuthority(nowMs, { subject: 'Other' }).issue(
      {
        subject: 'localhost',
      },
    ),
  };
  return { authority, issued };
}

/** A server that agrees to TLS as PostgreSQL does, and has a certificate. Returns its port. */
export async function handshakeServer({ keyPem, pem }: Issued): Promise<{ port: number } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const secureContext = createSecureContext({ key: keyPem, cert: pem });
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write('S');
      new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => {});
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Writes the authority to a file, and returns the parameters of a URL that trusts it alone. */
export function trusting({ pem }: Issued, folder: string): string {
  writeFileSync(`${folder}/ca.pem`, pem);
  return `sslmode=verify-full&sslrootcert=${folder}/ca.pem`;
}
