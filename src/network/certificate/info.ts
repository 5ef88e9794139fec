import { DAY_MS } from '#src/core/base/clock.ts';

/**
 * Possible faults of a certificate; each is checked separately, so several may occur together. Revocation is not
 * checked: a query would reveal to a third party which site is checked.
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

/** Content of the certificate that a host presented, trusted or not. Dates are ISO 8601 UTC. */
interface CertificateText {
  readonly subject: string;
  readonly issuer: string;
  /** DNS names and addresses of the subject alternative name, lower case; the first hundred, of each 1,024 characters. */
  readonly sans: readonly string[];
  /** Number of all names. */
  readonly sanCount: number;
  readonly validFrom: string;
  readonly validTo: string;
  /** Kind and size of the key, such as `RSA 2048` or `EC P-256`. */
  readonly key: string;
  readonly signatureAlgorithm: string;
  /** Lower-case hexadecimal, 64 characters. */
  readonly fingerprintSha256: string;
  /** Subjects from the leaf to the last certificate that the host sent or that was found for it. */
  readonly chain: readonly string[];
  /** TLS version, such as `TLSv1.3`. */
  readonly protocol: string;
}

/** Everything about the certificate that holds whenever one asks, and the dates from which the rest follows. */
export interface CertificateFacts extends CertificateText {
  /** All faults but those of dates. */
  readonly lastingFaults: readonly CertificateFault[];
  /** Validity common to all verified certificates, in milliseconds since the Unix epoch. */
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** The certificate at the time of a check. */
export interface CertificateInfo extends CertificateText {
  /** True if there are no faults. */
  readonly trusted: boolean;
  readonly faults: readonly CertificateFault[];
  /** Whole days until `validTo`; negative once expired. */
  readonly daysRemaining: number;
  /** Whole days since `validFrom`. */
  readonly ageDays: number;
}

/** Evaluates a certificate at a time, which determines its date faults and ages. */
export function evaluateCertificate(
  { lastingFaults, notBeforeMs, notAfterMs, ...text }: CertificateFacts,
  nowMs: number,
): CertificateInfo {
  const found = new Set<CertificateFault>(lastingFaults);
  if (nowMs > notAfterMs) found.add('expired');
  if (nowMs < notBeforeMs) found.add('not_yet_valid');
  return {
    trusted: found.size === 0,
    faults: CERTIFICATE_FAULTS.filter((fault) => found.has(fault)),
    ...text,
    daysRemaining: Math.floor((Date.parse(text.validTo) - nowMs) / DAY_MS),
    ageDays: Math.floor((nowMs - Date.parse(text.validFrom)) / DAY_MS),
  };
}
