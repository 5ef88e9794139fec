import { type Static, type TProperties, Type } from '@sinclair/typebox';
import type { FailureCode } from '#src/core/base/failure.ts';
import type { Observation, SkipReason } from '#src/network/probes/observations.ts';
import {
  boundedList,
  boundedText,
  boundedTextOrNull,
  boundedTexts,
  stringEnum,
  TruncatedSchema,
} from './bounded-schema.ts';

const MEANINGS = {
  ok: 'found; the members below have the answer',
  not_found: 'there is no such record, or only one that leads to an address which the egress policy does not allow',
  timeout: 'no answer within the time allowed',
  unreachable: 'the server is unreachable, or lookups of this kind are suspended after repeated failures',
  refused_by_policy: 'the egress policy does not allow the lookup',
  not_applicable: 'the URL gives nothing to look up',
  disabled: 'disabled by a setting',
  error: 'the answer could not be used',
} as const;

/** Status of a lookup in the API. */
export type LookupStatus = keyof typeof MEANINGS;

/** Status of a failed or skipped lookup in the API. */
export type MissedStatus = Exclude<LookupStatus, 'ok'>;

const statuses = Object.keys(MEANINGS) as LookupStatus[];

const isMissed = (status: LookupStatus): status is MissedStatus => status !== 'ok';

const missed = statuses.filter(isMissed);

/** Schema of the statuses of failed or skipped lookups. */
export const MissedStatusSchema = stringEnum<MissedStatus>(missed, {
  $id: 'MissedStatus',
  description: missed.map((status) => `\`${status}\`: ${MEANINGS[status]}`).join('; '),
});

/** Schema of an unavailable component, with the reason. */
export const UnavailableSchema = Type.Object(
  {
    component: Type.String({ description: 'Component that had nothing to classify', examples: ['page'] }),
    reason: MissedStatusSchema,
  },
  { $id: 'Unavailable', additionalProperties: false, description: 'A component that could not be observed, and why' },
);

export type Unavailable = Static<typeof UnavailableSchema>;

const OF_FAILURE: Record<FailureCode, MissedStatus> = {
  dns_nxdomain: 'not_found',
  dns_no_data: 'not_found',
  dns_server_failure: 'error',
  dns_refused: 'error',
  dns_malformed: 'error',
  dns_chain_too_long: 'error',
  connection_refused: 'unreachable',
  connection_reset: 'error',
  unreachable: 'unreachable',
  timeout: 'timeout',
  aborted: 'timeout',
  tls_handshake_failed: 'error',
  proxy_failed: 'unreachable',
  egress_denied: 'refused_by_policy',
  egress_denied_name: 'refused_by_policy',
  egress_denied_mixed: 'refused_by_policy',
  too_many_redirects: 'error',
  redirect_invalid: 'error',
  response_malformed: 'error',
  response_header_too_large: 'error',
  response_too_large: 'error',
  content_undecodable: 'error',
  content_unread: 'error',
  registration_not_found: 'not_found',
  registration_no_server: 'not_applicable',
  registration_refused: 'error',
  parser_budget_exceeded: 'error',
  overloaded: 'unreachable',
  internal_error: 'error',
};

const OF_SKIP: Record<SkipReason, MissedStatus> = {
  not_applicable: 'not_applicable',
  disabled: 'disabled',
  circuit_open: 'unreachable',
};

/** Maps a failed or skipped observation to its API status; the only such mapping. */
export function missedStatus(observation: Exclude<Observation<unknown>, { readonly state: 'observed' }>): MissedStatus {
  return observation.state === 'failed' ? OF_FAILURE[observation.failure.code] : OF_SKIP[observation.reason];
}

/** Returns the status of any observation. */
export function lookupStatus(observation: Observation<unknown>): LookupStatus {
  return observation.state === 'observed' ? 'ok' : missedStatus(observation);
}

/** A disabled lookup as answers have it. Records share the object, so that the packer recognizes it at once. */
export const DISABLED_LOOKUP: { readonly status: 'disabled' } = { status: 'disabled' };

/** `unavailable` of a check that looks nothing up, likewise. */
export const DISABLED_COMPONENTS: Unavailable[] = ['page', 'dns', 'registration', 'certificate', 'lists'].map(
  (component) => ({ component, reason: 'disabled' }),
);

const when = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: `${description}, ISO 8601 UTC; null if unknown`,
  });

const MissedSchema = Type.Object(
  { status: MissedStatusSchema },
  { $id: 'MissedLookup', description: 'A failed or skipped lookup; `status` is the reason' },
);

/** Returns the schema of a lookup: all members if its `status` is `ok`, else only the status. */
function lookup<T extends TProperties>($id: string, description: string, members: T) {
  const found = Type.Object(
    {
      status: Type.Literal('ok', { description: '`ok`: looked up, with the answer beside it' }),
      truncated: TruncatedSchema,
      ...members,
    },
    { $id: `${$id}Found`, description: `${description}, as they were found` },
  );
  return Type.Union([found, MissedSchema], {
    $id,
    description: `${description}; \`status\` says whether they were found`,
  });
}

const AddressSchema = Type.Object(
  {
    address: boundedText('IPv4 or IPv6 address'),
    ttl_seconds: Type.Integer({ description: 'Remaining lifetime of the record, in seconds' }),
  },
  { $id: 'DnsAddress', description: 'An address of the host' },
);

const MailServerSchema = Type.Object(
  {
    exchange: boundedText('Mail server'),
    preference: Type.Integer({ description: 'The lowest is tried first' }),
  },
  { $id: 'MailServer', description: 'A mail server of the host' },
);

const StartOfAuthoritySchema = Type.Object(
  {
    primary: boundedText('Primary name server'),
    contact: boundedText('Contact'),
    serial: Type.Integer({ description: 'Version of the zone' }),
  },
  { $id: 'StartOfAuthority' },
);

const CaaSchema = Type.Object(
  {
    flags: Type.Integer({ description: 'Flags; 128 is critical' }),
    tag: boundedText('Property, such as `issue`'),
    value: boundedText('Value, such as the name of an authority'),
  },
  { $id: 'CaaRecord', description: 'Who may issue certificates' },
);

/** `analysis_details.dns_records` */
export const DnsRecordsSchema = lookup('DnsRecords', 'DNS records of the host', {
  a: boundedList(AddressSchema, 'IPv4 addresses'),
  aaaa: boundedList(AddressSchema, 'IPv6 addresses'),
  cname: boundedTexts('The chain of aliases, in order'),
  ns: boundedTexts('Name servers of the registrable domain'),
  mx: boundedList(MailServerSchema, 'Mail servers'),
  soa: Type.Union([StartOfAuthoritySchema, Type.Null()], {
    description: 'Start of authority; null if there is none',
  }),
  txt: boundedTexts('TXT records'),
  caa: boundedList(CaaSchema, 'Who may issue certificates'),
  spf: boundedTextOrNull('The SPF record; null if there is none'),
  dmarc: boundedTextOrNull('The DMARC record; null if there is none'),
  authenticated: Type.Boolean({ description: 'True if the resolver validated the answer by DNSSEC' }),
});

/** `analysis_details.whois_info` */
export const WhoisInfoSchema = lookup('WhoisInfo', 'Registration of the domain', {
  source: stringEnum(['rdap', 'whois'], {
    $id: 'RegistrationSource',
    description: 'Protocol of the answer',
  }),
  registrar: boundedTextOrNull('Registrar; null if unknown'),
  created_at: when('Registered'),
  updated_at: when('Last changed'),
  expires_at: when('Expires'),
  age_days: Type.Union([Type.Integer(), Type.Null()], { description: 'Whole days since it was registered' }),
  statuses: boundedTexts('Status codes of the registry'),
  nameservers: boundedTexts('Name servers on record'),
  registrant_country: boundedTextOrNull('Two-letter country of the registrant; null if withheld'),
});

/** `analysis_details.cert_info` */
export const CertInfoSchema = lookup('CertInfo', 'Certificate of the host', {
  trusted: Type.Boolean({ description: 'True if no fault was found' }),
  faults: boundedTexts('All faults of the certificate'),
  subject: boundedText('Subject'),
  issuer: boundedText('Issuer'),
  sans: boundedTexts('Names and addresses that it is valid for'),
  valid_from: Type.String({ format: 'date-time', description: 'Valid from, ISO 8601 UTC' }),
  valid_to: Type.String({ format: 'date-time', description: 'Valid to, ISO 8601 UTC' }),
  days_remaining: Type.Integer({ description: 'Whole days until it expires; negative once expired' }),
  age_days: Type.Integer({ description: 'Whole days since it became valid' }),
  key: boundedText('Kind and size of the key'),
  signature_algorithm: boundedText('Signature algorithm'),
  fingerprint_sha256: boundedText('SHA-256 of the certificate, hexadecimal'),
  chain: boundedTexts('Subjects from the leaf upwards'),
  protocol: boundedText('TLS version that was agreed'),
});

export type DnsRecordsJson = Static<typeof DnsRecordsSchema>;
export type WhoisInfoJson = Static<typeof WhoisInfoSchema>;
export type CertInfoJson = Static<typeof CertInfoSchema>;
