import { createHash } from 'node:crypto';
import { MAX_CAPTURED_LENGTH, truncateText } from '#src/core/base/text/truncate-text.ts';
import { checkedCertificates, findLastingFaults } from './faults.ts';
import type { CertificateFacts } from './info.ts';
import { findCertificatePath, type TrustAnchors } from './path.ts';
import { escapeText, parseX509 } from './x509.ts';
import { subjectNames } from './x509-extensions.ts';

/** Maximum number of stored names of a certificate. */
const MAX_SANS = 100;
/** Maximum number of certificates of a chain that are read. */
const MAX_CHAIN_LENGTH = 16;

/** Names of the signature algorithms in use, as OpenSSL spells them. */
const SIGNATURE_NAMES: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.4': 'md5WithRSAEncryption',
  '1.2.840.113549.1.1.5': 'sha1WithRSAEncryption',
  '1.2.840.113549.1.1.10': 'RSASSA-PSS',
  '1.2.840.113549.1.1.11': 'sha256WithRSAEncryption',
  '1.2.840.113549.1.1.12': 'sha384WithRSAEncryption',
  '1.2.840.113549.1.1.13': 'sha512WithRSAEncryption',
  '1.2.840.10045.4.1': 'ecdsa-with-SHA1',
  '1.2.840.10045.4.3.2': 'ecdsa-with-SHA256',
  '1.2.840.10045.4.3.3': 'ecdsa-with-SHA384',
  '1.2.840.10045.4.3.4': 'ecdsa-with-SHA512',
  '1.3.101.112': 'Ed25519',
};

/** The certificates that a server presented, and the host for which it was asked. */
export interface ShownCertificate {
  /** Certificates in DER, the leaf first. */
  readonly chain: readonly Uint8Array[];
  /** TLS version, such as `TLSv1.3`. */
  readonly protocol: string;
  /** Lower case, IPv6 without brackets. */
  readonly host: string;
}

/**
 * Reads the certificate of a host and finds all faults except dates, by the given roots alone. Null if the server sent
 * no parsable certificate. Never throws.
 */
export function readCertificate(shown: ShownCertificate, anchors: TrustAnchors): CertificateFacts | null {
  const [leaf, ...sent] = shown.chain.slice(0, MAX_CHAIN_LENGTH).map(parseX509);
  if (!leaf) return null;
  const readable = sent.filter((certificate) => certificate !== null);
  const found = findCertificatePath(leaf, readable, anchors);
  const examined = checkedCertificates(found);
  const names = subjectNames(leaf);
  const sans = [
    ...(names?.dns ?? []).map((name) => truncateText(escapeText(name.toLowerCase()), MAX_CAPTURED_LENGTH)),
    ...(names?.ips ?? []),
  ];
  return {
    lastingFaults: findLastingFaults(leaf, found, shown.host),
    notBeforeMs: Math.max(...examined.map(({ notBeforeMs }) => notBeforeMs)),
    notAfterMs: Math.min(...examined.map(({ notAfterMs }) => notAfterMs)),
    subject: leaf.subjectText,
    issuer: leaf.issuerText,
    sans: sans.slice(0, MAX_SANS),
    sanCount: sans.length,
    validFrom: new Date(leaf.notBeforeMs).toISOString(),
    validTo: new Date(leaf.notAfterMs).toISOString(),
    key: leaf.key.label,
    signatureAlgorithm: SIGNATURE_NAMES[leaf.signatureOid] ?? leaf.signatureOid,
    fingerprintSha256: createHash('sha256').update(leaf.der).digest('hex'),
    chain: found.path.map((certificate) => certificate.subjectText),
    protocol: shown.protocol,
  };
}
