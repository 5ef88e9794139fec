import { createHash } from 'node:crypto';
import { formatIp, parseIp } from '#src/core/base/addresses/ip.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { MAX_CAPTURED_LENGTH, truncateText } from '#src/core/base/text/truncate-text.ts';
import type { CertificateFacts, CertificateFault } from './info.ts';
import {
  type CertificatePath,
  findCertificatePath,
  isSelfIssued,
  isSignedBy,
  type ProvenAuthorities,
  readSent,
  rememberAuthorities,
  type TrustAnchors,
} from './path.ts';
import { escapeText, parseX509, type X509 } from './x509.ts';
import { allowsServers, permitsDnsName, type SubjectNames, subjectNames } from './x509-extensions.ts';

/** Hashes with known collisions: MD2, MD4, MD5 and SHA-1 with RSA, DSA or ECDSA (RFC 6151, RFC 9155). */
const WEAK_SIGNATURES: ReadonlySet<string> = new Set([
  ...['1.2.840.113549.1.1.2', '1.2.840.113549.1.1.3', '1.2.840.113549.1.1.4', '1.2.840.113549.1.1.5'],
  ...['1.3.14.3.2.29', '1.2.840.10040.4.3', '1.2.840.10045.4.1'],
]);

/** CA/Browser Forum Baseline Requirements §6.1.5. */
const MIN_RSA_BITS = 2048;
const MIN_EC_BITS = 256;

/**
 * The longest life of a public certificate issued from a day on, in days: Baseline Requirements §6.3.2 with ballots
 * 193, SC-31 and SC-081v3. Before 2018 it was 39 months.
 */
const LONGEST_LIVES: readonly (readonly [from: number, days: number])[] = [
  [Date.UTC(2029, 2, 15), 47],
  [Date.UTC(2027, 2, 15), 100],
  [Date.UTC(2026, 2, 15), 200],
  [Date.UTC(2020, 8, 1), 398],
  [Date.UTC(2018, 2, 1), 825],
  [Number.NEGATIVE_INFINITY, 1188],
];
/** Maximum lifetime that Apple's systems accept of any server certificate, also of a private authority (since iOS 13). */
const LONGEST_PRIVATE_LIFE_DAYS = 825;

/**
 * Returns the certificates of a path that must be verified. An anchor is trusted regardless of signature, age and key.
 */
function checkedCertificates({ path, anchor }: CertificatePath): readonly X509[] {
  return anchor && path.length > 1 ? path.slice(0, -1) : path;
}

/** Everything that is wrong with a leaf shown for `host`, but for dates. Each fault is found by itself. */
export function findLastingFaults(leaf: X509, found: CertificatePath, host: string): CertificateFault[] {
  const { path, anchor } = found;
  const examined = checkedCertificates(found);
  const names = subjectNames(leaf);
  const faults: (CertificateFault | false)[] = [
    issuerFault(leaf, found),
    !names && 'no_subject_alternative_name',
    names !== null && !coversHost(names, host) && 'name_mismatch',
    path.slice(1).some((ca) => !(names?.dns ?? []).every((name) => permitsDnsName(ca, name.toLowerCase()))) &&
      'name_not_permitted',
    !examined.every(allowsServers) && 'wrong_purpose',
    examined.some(hasWeakKey) && 'weak_key',
    examined.some((certificate) => WEAK_SIGNATURES.has(certificate.signatureOid)) && 'weak_signature',
    livesTooLong(leaf, anchor?.isPublic ?? true) && 'validity_too_long',
  ];
  return faults.filter((fault) => fault !== false);
}

/** Returns why the issuer is not trusted; false if it is. */
function issuerFault(leaf: X509, { path, anchor, brokenSignature }: CertificatePath): CertificateFault | false {
  if (anchor) return false;
  if (isSelfIssued(leaf)) return isSignedBy(leaf, leaf) ? 'self_signed' : 'bad_signature';
  if (brokenSignature) return 'bad_signature';
  // A lone leaf is most often a server that forgot its intermediates; who sends some and still leads nowhere is unknown.
  return path.length === 1 ? 'incomplete_chain' : 'untrusted_issuer';
}

function hasWeakKey({ key }: X509): boolean {
  if (key.algorithm === 'RSA') return key.bits === null || key.bits < MIN_RSA_BITS;
  if (key.algorithm === 'EC') return key.bits !== null && key.bits < MIN_EC_BITS;
  return key.algorithm === 'DSA';
}

function livesTooLong({ notBeforeMs, notAfterMs }: X509, isPublic: boolean): boolean {
  const days = (notAfterMs - notBeforeMs) / DAY_MS;
  if (!isPublic) return days > LONGEST_PRIVATE_LIFE_DAYS;
  return days > (LONGEST_LIVES.find(([from]) => notBeforeMs >= from)?.[1] ?? 0);
}

/**
 * Returns true if a certificate's names cover `host`, by RFC 9525 §6: the subject's common name never counts; a star stands
 * for exactly one whole label, the first, and at least two labels follow it. `host` is lower case.
 */
export function coversHost(names: SubjectNames, host: string): boolean {
  const ip = parseIp(host);
  if (ip) return names.ips.includes(formatIp(ip));
  return names.dns.some((name) => coversName(name.toLowerCase(), host));
}

function coversName(name: string, host: string): boolean {
  if (!name.startsWith('*.')) return name === host;
  const base = name.slice(1);
  const label = host.slice(0, -base.length);
  return base.indexOf('.', 1) > 1 && host.endsWith(base) && label !== '' && !label.includes('.');
}

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
 *
 * @param proven authorities of earlier certificates, which are neither read nor verified again.
 */
export function readCertificate(
  shown: ShownCertificate,
  anchors: TrustAnchors,
  proven: ProvenAuthorities,
): CertificateFacts | null {
  const [leafDer, ...sent] = shown.chain.slice(0, MAX_CHAIN_LENGTH);
  const leaf = leafDer ? parseX509(leafDer) : null;
  if (!leaf) return null;
  const readable = sent.map((der) => readSent(der, proven)).filter((certificate) => certificate !== null);
  const found = findCertificatePath(leaf, readable, anchors);
  rememberAuthorities(found, proven);
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
