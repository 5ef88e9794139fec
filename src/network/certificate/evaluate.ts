import { DAY_MS } from '#src/core/base/clock.ts';
import { CERTIFICATE_FAULTS, type CertificateFacts, type CertificateFault, type CertificateInfo } from './info.ts';

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
