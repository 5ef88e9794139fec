import { MAX_CAPTURED_LENGTH, truncateText } from '#src/core/base/text/truncate-text.ts';
import { escapeCharacter, visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import {
  DER,
  type DerElement,
  DerError,
  expectDer,
  readDerElements,
  readDerOid,
  readDerSequence,
  readDerTime,
} from './der.ts';

/** Short names of attributes (RFC 4519 §2 and RFC 2985 §5.2.1). */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'emailAddress',
};
const BMP_STRING = 0x1e;
const UTF8_STRING = 0x0c;

/**
 * A distinguished name for a person to read, the most telling part first, such as `CN=example.com, O=Example\, Inc.`.
 * Characters that could steer a terminal or break a line become `\xNN`. At most 1,024 of them;
 * empty for an empty name.
 */
export function formatX509Name(name: DerElement): string {
  const parts = readDerElements(name.content).flatMap((set) =>
    readDerElements(expectDer(set, DER.set).content).map((pair) => {
      const [type, value] = readDerElements(expectDer(pair, DER.sequence).content);
      const oid = readDerOid(type);
      return `${ATTRIBUTES[oid] ?? oid}=${escapeText(value ? readText(value) : '').replaceAll(',', '\\,')}`;
    }),
  );
  return truncateText(parts.reverse().join(', '), MAX_CAPTURED_LENGTH);
}

/** Text of a certificate, in which what is hidden, and the backslash, is written as `\xNN` or `\u{N}`. */
export function escapeText(text: string): string {
  return visibleInTerminal(text.replaceAll('\\', escapeCharacter));
}

/** The string types of X.680 that occur in names; all but two are read as one byte a character. */
function readText({ tag, content }: DerElement): string {
  if (tag === UTF8_STRING) return new TextDecoder().decode(content);
  if (tag === BMP_STRING) return new TextDecoder('utf-16be').decode(content);
  return new TextDecoder('latin1').decode(content);
}

interface PublicKeyKind {
  readonly algorithm: 'RSA' | 'EC' | 'DSA' | 'Ed25519' | 'Ed448' | 'unknown';
  /** Length of the modulus, or of the curve's field; null if it does not apply. */
  readonly bits: number | null;
  /** For a person: `RSA 2048`, `EC P-256`, `Ed25519`, or the OID. */
  readonly label: string;
}

/** RFC 3279, RFC 4055, RFC 5480, RFC 8410. */
const ALGORITHMS: Readonly<Record<string, PublicKeyKind['algorithm']>> = {
  '1.2.840.113549.1.1.1': 'RSA',
  '1.2.840.113549.1.1.10': 'RSA',
  '1.2.840.10045.2.1': 'EC',
  '1.2.840.10040.4.1': 'DSA',
  '1.3.101.112': 'Ed25519',
  '1.3.101.113': 'Ed448',
};
const CURVES: Readonly<Record<string, readonly [name: string, bits: number]>> = {
  '1.2.840.10045.3.1.1': ['P-192', 192],
  '1.3.132.0.33': ['P-224', 224],
  '1.2.840.10045.3.1.7': ['P-256', 256],
  '1.3.132.0.34': ['P-384', 384],
  '1.3.132.0.35': ['P-521', 521],
  '1.3.132.0.10': ['secp256k1', 256],
};

/** Reads a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7). */
export function readPublicKeyKind(info: DerElement): PublicKeyKind {
  const [identifier, key] = readDerElements(info.content);
  const [oidElement, parameters] = readDerElements(expectDer(identifier, DER.sequence).content);
  const oid = readDerOid(oidElement);
  const algorithm = ALGORITHMS[oid] ?? 'unknown';
  if (algorithm === 'RSA') {
    // A bit string begins with the number of its unused bits.
    const modulus = readDerSequence(expectDer(key, DER.bitString).content.subarray(1))[0];
    const bits = bitLength(expectDer(modulus, DER.integer).content);
    return { algorithm, bits, label: `RSA ${bits}` };
  }
  if (algorithm === 'EC') {
    const curve = parameters?.tag === DER.oid ? readDerOid(parameters) : 'explicit parameters';
    const [name, bits] = CURVES[curve] ?? [curve, null];
    return { algorithm, bits, label: `EC ${name}` };
  }
  return { algorithm, bits: null, label: algorithm === 'unknown' ? oid : algorithm };
}

function bitLength(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? 0 : (bytes.length - first) * 8 - (Math.clz32(bytes[first] ?? 0) - 24);
}

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
  return unlessBroken(() => readCertificate(der));
}

/** Returns the name in a certificate, in DER, without reading the rest; null if it is no certificate. */
export function readSubject(der: Uint8Array): Uint8Array | null {
  return unlessBroken(() => expectDer(readFields(der).subject, DER.sequence).whole);
}

function unlessBroken<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof DerError) return null;
    throw error;
  }
}

function readFields(der: Uint8Array) {
  const [body, signatureAlgorithm] = readDerSequence(der);
  const fields = readDerElements(expectDer(body, DER.sequence).content);
  if (fields[0]?.tag === DER.context(0)) fields.shift();
  const [serial, , issuer, validity, subject, key, ...optional] = fields;
  return { serial, issuer, validity, subject, key, optional, signatureAlgorithm };
}

function readCertificate(der: Uint8Array): X509 {
  const { serial, issuer, validity, subject, key, optional, signatureAlgorithm } = readFields(der);
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
