import type { CertificateInfo } from '#src/network/certificate/info.ts';
import type { DnsRecords, Observation } from '#src/network/probes/observations.ts';
import type { Registration } from '#src/network/registry/registration-facts.ts';
import { DISABLED_LOOKUP, type MissedStatus, missedStatus } from './lookup-status.ts';
import type { CertInfoJson, DnsRecordsJson, WhoisInfoJson } from './lookups.ts';

/** Returns the `dns_records` of an observation. */
export function describeDns(observation: Observation<DnsRecords>): DnsRecordsJson {
  if (observation.state !== 'observed') return missedLookup(observation);
  const { a, aaaa, cname, ns, mx, soa, txt, caa, spf, dmarc, authenticated } = observation.value;
  const addresses = (records: DnsRecords['a']) =>
    records.map(({ address, ttlSeconds }) => ({ address, ttl_seconds: ttlSeconds }));
  return {
    status: 'ok',
    a: addresses(a),
    aaaa: addresses(aaaa),
    cname: [...cname],
    ns: [...ns],
    mx: mx.map(({ exchange, preference }) => ({ exchange, preference })),
    soa: soa && { primary: soa.primary, contact: soa.contact, serial: soa.serial },
    txt: [...txt],
    caa: caa.map(({ flags, tag, value }) => ({ flags, tag, value })),
    spf,
    dmarc,
    authenticated,
  };
}

/** Returns the `whois_info` of an observation. */
export function describeRegistration(observation: Observation<Registration>): WhoisInfoJson {
  if (observation.state !== 'observed') return missedLookup(observation);
  const { value } = observation;
  return {
    status: 'ok',
    source: value.source,
    registrar: value.registrar,
    created_at: value.createdAt,
    updated_at: value.updatedAt,
    expires_at: value.expiresAt,
    age_days: value.ageDays,
    statuses: [...value.statuses],
    nameservers: [...value.nameservers],
    registrant_country: value.registrantCountry,
  };
}

/** Returns the `cert_info` of an observation. */
export function describeCertificate(observation: Observation<CertificateInfo>): CertInfoJson {
  if (observation.state !== 'observed') return missedLookup(observation);
  const { value } = observation;
  return {
    status: 'ok',
    trusted: value.trusted,
    faults: [...value.faults],
    subject: value.subject,
    issuer: value.issuer,
    sans: [...value.sans],
    valid_from: value.validFrom,
    valid_to: value.validTo,
    days_remaining: value.daysRemaining,
    age_days: value.ageDays,
    key: value.key,
    signature_algorithm: value.signatureAlgorithm,
    fingerprint_sha256: value.fingerprintSha256,
    chain: [...value.chain],
    protocol: value.protocol,
  };
}

function missedLookup(observation: Parameters<typeof missedStatus>[0]): { status: MissedStatus } {
  const status = missedStatus(observation);
  return status === 'disabled' ? DISABLED_LOOKUP : { status };
}
