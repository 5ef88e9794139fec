import type { CertInfoJson, DnsRecordsJson, WhoisInfoJson } from '#src/checks/record/lookups.ts';

/** A look-up that brought something. */
type Found<Lookup> = Extract<Lookup, { status: 'ok' }>;

/** A host that has not a single record. */
export const NO_RECORDS: Found<DnsRecordsJson> = {
  status: 'ok',
  a: [],
  aaaa: [],
  cname: [],
  ns: [],
  mx: [],
  soa: null,
  txt: [],
  caa: [],
  spf: null,
  dmarc: null,
  authenticated: false,
};

/** A registration of which nothing is told. */
export const UNKNOWN_REGISTRATION: Found<WhoisInfoJson> = {
  status: 'ok',
  source: 'whois',
  registrar: null,
  created_at: null,
  updated_at: null,
  expires_at: null,
  age_days: null,
  statuses: [],
  nameservers: [],
  registrant_country: null,
};

/** A certificate that says next to nothing. */
export const BARE_CERTIFICATE: Found<CertInfoJson> = {
  status: 'ok',
  trusted: true,
  faults: [],
  subject: '',
  issuer: '',
  sans: [],
  valid_from: '2026-01-31T12:00:00.000Z',
  valid_to: '2026-04-30T12:00:00.000Z',
  days_remaining: 89,
  age_days: 0,
  key: '',
  signature_algorithm: '',
  fingerprint_sha256: '',
  chain: [],
  protocol: '',
};
