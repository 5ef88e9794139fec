import { FailureError } from '#src/core/base/failure.ts';
import type { Target } from '#src/core/url/target.ts';
import type { CertificateFacts } from '#src/network/certificate/info.ts';
import type { ProvenAuthorities, TrustAnchors } from '#src/network/certificate/path.ts';
import { readCertificate } from '#src/network/certificate/read.ts';
import type { EgressClient } from '#src/network/egress/egress-client.ts';
import type { Probe } from './observations.ts';

/** Dependencies of the probe. */
export interface CertificateContext {
  readonly egressClient: Pick<EgressClient, 'handshake'>;
  readonly anchors: TrustAnchors;
  readonly provenAuthorities: ProvenAuthorities;
}

const HTTPS_PORT = 443;

/**
 * Observes the certificate of the target's host. For plain HTTP on port 80 it connects to port 443, because most such
 * links redirect there.
 */
export const certificateProbe: Probe<CertificateFacts, CertificateContext> = {
  applies: (target) => certificatePort(target) !== null,

  async observe(target, { egressClient, anchors, provenAuthorities }, signal) {
    const host = target.host.text;
    const { tls } = await egressClient.handshake({ host, port: certificatePort(target) ?? HTTPS_PORT }, signal);
    const facts = readCertificate({ ...tls, host }, anchors, provenAuthorities);
    if (!facts) throw new FailureError('tls_handshake_failed', `${host} presented no readable certificate`);
    return facts;
  },
};

function certificatePort({ scheme, port }: Target): number | null {
  if (scheme === 'https') return port;
  return port === 80 ? HTTPS_PORT : null;
}
