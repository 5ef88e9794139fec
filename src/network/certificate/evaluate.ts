import { DAY_MS } from '#src/core/base/clock.ts';
import { CERTIFICATE_FAULTS, type CertificateFacts, type CertificateFault, type CertificateInfo } from './info.ts';

/** Judges what was read of a certificate by the time given: the faults of dates, and its ages, follow from that. */
export function judgeCertificate(
  { lastingFaults, inForceFromMs, inForceUntilMs, ...text }: CertificateFacts,
  nowMs: number,
): CertificateInfo {
  const found = new Set<CertificateFault>(lastingFaults);
  if (nowMs > inForceUntilMs) found.add('expired');
  if (nowMs < inForceFromMs) found.add('not_yet_valid');
  return {
    trusted: found.size === 0,
    faults: CERTIFICATE_FAULTS.filter((fault) => found.has(fault)),
    ...text,
    daysRemaining: Math.floor((Date.parse(text.validTo) - nowMs) / DAY_MS),
    ageDays: Math.floor((nowMs - Date.parse(text.validFrom)) / DAY_MS),
  };
}
