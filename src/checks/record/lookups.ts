import { type Static, type TProperties, Type } from '@sinclair/typebox';
import { boundedList, boundedText, boundedTextOrNull, boundedTexts, TruncatedSchema } from './bounded-schema.ts';
import { MissedStatusSchema } from './lookup-status.ts';
import { stringEnum } from './string-enum.ts';

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
