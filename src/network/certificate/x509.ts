import { DER, DerError, expectDer, readDerElements, readDerOid, readDerSequence, readDerTime } from './der.ts';
import { type PublicKeyKind, readPublicKeyKind } from './x509-key.ts';
import { formatX509Name } from './x509-name.ts';

/** A parsed certificate (RFC 5280 §4.1), with the fields that validation needs. */
export interface X509 {
  readonly der: Uint8Array;
  /** The name in DER: two names are the same where their bytes are. */
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  readonly issuerText: string;
  readonly subjectText: string;
  /** Milliseconds since the Unix epoch. */
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly key: PublicKeyKind;
  /** OID of the algorithm that signed it. */
  readonly signatureOid: string;
  /** The DER within each extension, by OID. */
  readonly extensions: ReadonlyMap<string, Uint8Array>;
}

/** Parses a certificate; null if it is invalid. Never throws. */
export function parseX509(der: Uint8Array): X509 | null {
  try {
    return readCertificate(der);
  } catch (error) {
    if (error instanceof DerError) return null;
    throw error;
  }
}

function readCertificate(der: Uint8Array): X509 {
  const [body, signatureAlgorithm] = readDerSequence(der);
  const fields = readDerElements(expectDer(body, DER.sequence).content);
  if (fields[0]?.tag === DER.context(0)) fields.shift();
  const [serial, , issuer, validity, subject, key, ...optional] = fields;
  expectDer(serial, DER.integer);
  const [notBefore, notAfter] = readDerElements(expectDer(validity, DER.sequence).content);
  const extensions = optional.find((field) => field.tag === DER.context(3));
  return {
    der,
    issuer: expectDer(issuer, DER.sequence).whole,
    subject: expectDer(subject, DER.sequence).whole,
    issuerText: formatX509Name(expectDer(issuer, DER.sequence)),
    subjectText: formatX509Name(expectDer(subject, DER.sequence)),
    notBeforeMs: readDerTime(notBefore),
    notAfterMs: readDerTime(notAfter),
    key: readPublicKeyKind(expectDer(key, DER.sequence)),
    signatureOid: readDerOid(readDerElements(expectDer(signatureAlgorithm, DER.sequence).content)[0]),
    extensions: extensions ? readExtensions(extensions.content) : new Map(),
  };
}

function readExtensions(bytes: Uint8Array): Map<string, Uint8Array> {
  return new Map(
    readDerSequence(bytes).map((extension) => {
      const members = readDerElements(expectDer(extension, DER.sequence).content);
      return [readDerOid(members[0]), expectDer(members.at(-1), DER.octetString).content];
    }),
  );
}
