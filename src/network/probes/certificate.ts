import { FailureError } from '#src/core/base/failure.ts';
import type { CertificateFacts } from '#src/network/certificate/info.ts';
import { readCertificate } from '#src/network/certificate/read.ts';
import type { TrustAnchors } from '#src/network/certificate/trust-anchors.ts';
import type { Door } from '#src/network/egress/egress-client.ts';
import type { Target } from '#src/core/url/target.ts';
import type { Probe } from './probe.ts';

/** What the probe needs from outside. */
export interface CertificateContext {
  readonly door: Pick<Door, 'handshake'>;
  readonly anchors: TrustAnchors;
}

const HTTPS_PORT = 443;

/**
 * Looks at the certificate of the target's host. A target over plain HTTP on the usual port is looked at on the usual
 * port of HTTPS, since most such links lead there.
 */
export const certificateProbe: Probe<CertificateFacts, CertificateContext> = {
  applies: (target) => certificatePort(target) !== null,

  async observe(target, { door, anchors }, signal) {
    const host = target.host.text;
    const { tls } = await door.handshake({ host, port: certificatePort(target) ?? HTTPS_PORT }, signal);
    const facts = readCertificate({ ...tls, host }, anchors);
    if (!facts) throw new FailureError('tls_handshake_failed', `${host} showed no certificate that can be read`);
    return facts;
  },
};

function certificatePort({ scheme, port }: Target): number | null {
  if (scheme === 'https') return port;
  return port === 80 ? HTTPS_PORT : null;
}
