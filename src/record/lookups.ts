import { type Static, type TProperties, Type } from '@sinclair/typebox';
import { LookupStatusSchema } from './lookup-status.ts';
import { stringEnum } from './string-enum.ts';

const name = (description: string) => Type.String({ description });
const names = (description: string) => Type.Array(Type.String(), { description });
const nullable = (description: string, format?: string) =>
  Type.Union([format ? Type.String({ format }) : Type.String(), Type.Null()], { description });
const when = (description: string) => nullable(`${description}, ISO 8601 UTC; null where unknown`, 'date-time');

/** `status` is always there, the other members where it is `ok`. */
function lookup<T extends TProperties>(description: string, members: T) {
  return Type.Intersect([Type.Object({ status: LookupStatusSchema }), Type.Partial(Type.Object(members))], {
    description,
  });
}

const AddressSchema = Type.Object({
  address: name('IPv4 or IPv6 address'),
  ttl_seconds: Type.Integer({ description: 'Seconds for which the record may still be kept' }),
});

/** `analysis_details.dns_records` */
export const DnsRecordsSchema = lookup('DNS records of the host', {
  a: Type.Array(AddressSchema, { description: 'IPv4 addresses' }),
  aaaa: Type.Array(AddressSchema, { description: 'IPv6 addresses' }),
  cname: names('The chain of aliases, in order'),
  ns: names('Name servers of the registrable domain'),
  mx: Type.Array(
    Type.Object({
      exchange: name('Mail server'),
      preference: Type.Integer({ description: 'The lowest is tried first' }),
    }),
    { description: 'Mail servers' },
  ),
  soa: Type.Union(
    [
      Type.Object({
        primary: name('Primary name server'),
        contact: name('Contact'),
        serial: Type.Integer({ description: 'Version of the zone' }),
      }),
      Type.Null(),
    ],
    { description: 'Start of authority; null where there is none' },
  ),
  txt: names('TXT records'),
  caa: Type.Array(
    Type.Object({
      flags: Type.Integer({ description: 'Flags; 128 is critical' }),
      tag: name('Such as `issue`'),
      value: name('Such as the name of an authority'),
    }),
    { description: 'Who may issue certificates' },
  ),
  spf: nullable('The SPF record; null where there is none'),
  dmarc: nullable('The DMARC record; null where there is none'),
  authenticated: Type.Boolean({ description: 'Whether the resolver vouched for the answer by DNSSEC' }),
});

/** `analysis_details.whois_info` */
export const WhoisInfoSchema = lookup('Registration of the domain', {
  source: stringEnum(['rdap', 'whois'], { description: 'The protocol that brought the answer' }),
  registrar: nullable('Registrar; null where unknown'),
  created_at: when('Registered'),
  updated_at: when('Last changed'),
  expires_at: when('Expires'),
  age_days: Type.Union([Type.Integer(), Type.Null()], { description: 'Whole days since it was registered' }),
  statuses: names('Status codes of the registry'),
  nameservers: names('Name servers on record'),
  registrant_country: nullable('Two-letter country of the registrant; null where withheld'),
});

/** `analysis_details.cert_info` */
export const CertInfoSchema = lookup('Certificate that the host showed', {
  trusted: Type.Boolean({ description: 'True where no fault was found' }),
  faults: names('Everything that is wrong with it, each apart'),
  subject: name('Subject'),
  issuer: name('Issuer'),
  sans: names('Names and addresses that it is valid for'),
  valid_from: Type.String({ format: 'date-time', description: 'Valid from, ISO 8601 UTC' }),
  valid_to: Type.String({ format: 'date-time', description: 'Valid to, ISO 8601 UTC' }),
  days_remaining: Type.Integer({ description: 'Whole days until it expires; negative once expired' }),
  age_days: Type.Integer({ description: 'Whole days since it became valid' }),
  key: name('Kind and size of the key'),
  signature_algorithm: name('Signature algorithm'),
  fingerprint_sha256: name('SHA-256 of the certificate, hexadecimal'),
  chain: names('Subjects from the leaf upwards'),
  protocol: name('TLS version that was agreed'),
});

export type DnsRecordsJson = Static<typeof DnsRecordsSchema>;
export type WhoisInfoJson = Static<typeof WhoisInfoSchema>;
export type CertInfoJson = Static<typeof CertInfoSchema>;
