import { DER, type DerElement, expectDer, readDerElements, readDerOid, readDerSequence } from './der.ts';

/** Kind of a certificate's public key. */
export interface PublicKeyKind {
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
