import type { Clock } from '#src/base/clock.ts';
import { FailureError } from '#src/base/failure.ts';
import type { Door } from '#src/egress/egress.ts';
import type { Target } from '#src/url/target.ts';
import { judgeCertificate } from './certificate-judge.ts';
import type { Probe } from './probe.ts';
import type { TrustAnchors } from './trust-anchors.ts';

/**
 * Everything that can be wrong with a certificate; each is checked apart, so several may stand together. Revocation is
 * not among them: asking for it would tell a third party which site is being checked.
 */
export const CERTIFICATE_FAULTS = [
  'untrusted_issuer',
  'self_signed',
  'bad_signature',
  'incomplete_chain',
  'expired',
  'not_yet_valid',
  'no_subject_alternative_name',
  'name_mismatch',
  'name_not_permitted',
  'wrong_purpose',
  'weak_key',
  'weak_signature',
  'validity_too_long',
] as const;

export type CertificateFault = (typeof CERTIFICATE_FAULTS)[number];

/** The certificate that a host showed, whether trusted or not. Dates are ISO 8601 UTC. */
export interface CertificateInfo {
  /** True where no fault was found. */
  readonly trusted: boolean;
  readonly faults: readonly CertificateFault[];
  readonly subject: string;
  readonly issuer: string;
  /** DNS names and addresses of the subject alternative name, lower case; the first hundred. */
  readonly sans: readonly string[];
  /** How many names there are in all. */
  readonly sanCount: number;
  readonly validFrom: string;
  readonly validTo: string;
  /** Whole days until `validTo` at the time of the look-up; negative once expired. */
  readonly daysRemaining: number;
  /** Whole days since `validFrom` at the time of the look-up. */
  readonly ageDays: number;
  /** Such as `RSA 2048` or `EC P-256`. */
  readonly key: string;
  readonly signatureAlgorithm: string;
  /** Lower-case hexadecimal, 64 characters. */
  readonly fingerprintSha256: string;
  /** Subjects from the leaf to the last certificate that the host sent or that was found for it. */
  readonly chain: readonly string[];
  /** Such as `TLSv1.3`. */
  readonly protocol: string;
}

/** What the probe needs from outside. */
export interface CertificateContext {
  readonly door: Pick<Door, 'handshake'>;
  readonly clock: Clock;
  readonly anchors: TrustAnchors;
}

const HTTPS_PORT = 443;

/**
 * Looks at the certificate of the target's host. A target over plain HTTP on the usual port is looked at on the usual
 * port of HTTPS, since most such links lead there.
 */
export const certificateProbe: Probe<CertificateInfo, CertificateContext> = {
  applies: (target) => certificatePort(target) !== null,

  async observe(target, { door, clock, anchors }, signal) {
    const { tls } = await door.handshake({ host: target.host, port: certificatePort(target) ?? HTTPS_PORT }, signal);
    const info = judgeCertificate({ ...tls, host: target.host }, anchors, clock.now());
    if (!info) throw new FailureError('tls_handshake_failed', `${target.host} showed no certificate that can be read`);
    return info;
  },
};

function certificatePort({ scheme, port }: Target): number | null {
  if (scheme === 'https') return port;
  return port === 80 ? HTTPS_PORT : null;
}
