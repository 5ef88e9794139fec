import { formatIp } from '#src/core/base/addresses/ip.ts';
import { DER, type DerElement, DerError, expectDer, readDerElements, readDerOid, readDerSequence } from './der.ts';
import type { X509 } from './x509.ts';

/** OIDs of RFC 5280 §4.2.1. */
const KEY_USAGE = '2.5.29.15';
const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17';
const BASIC_CONSTRAINTS = '2.5.29.19';
const NAME_CONSTRAINTS = '2.5.29.30';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const ANY_USAGE = '2.5.29.37.0';

/** Context tags of a GeneralName (RFC 5280 §4.2.1.6). */
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

/** The names that a certificate is for. */
export interface SubjectNames {
  /** As in the extension: any bytes, read as Latin-1. */
  readonly dns: readonly string[];
  /** In canonical text. */
  readonly ips: readonly string[];
}

/** Returns the subject alternative names; null if the certificate has no valid extension of that kind. */
export function subjectNames(certificate: X509): SubjectNames | null {
  return readExtension(certificate, SUBJECT_ALTERNATIVE_NAME, (value) => {
    const names = readDerSequence(value);
    return {
      dns: namesOf(names, DNS_NAME).map((content) => new TextDecoder('latin1').decode(content)),
      ips: namesOf(names, IP_ADDRESS).flatMap((content) => readIpBytes(content) ?? []),
    };
  });
}

/**
 * Returns true if the certificate may sign others, with `below` more authorities between it and the leaf (RFC 5280 §4.2.1.3 and
 * §4.2.1.9).
 */
export function isAuthority(certificate: X509, below: number): boolean {
  const constraints = readExtension(certificate, BASIC_CONSTRAINTS, readDerSequence);
  const [flag, pathLength] = constraints ?? [];
  if (flag?.tag !== DER.boolean || flag.content[0] === 0) return false;
  if (pathLength?.tag === DER.integer && (pathLength.content[0] ?? 0) < below) return false;
  return !certificate.extensions.has(KEY_USAGE) || maySignCertificates(certificate);
}

function maySignCertificates(certificate: X509): boolean {
  const bits = readExtension(certificate, KEY_USAGE, (value) => expectDer(readDerElements(value)[0], DER.bitString));
  // The first octet counts unused bits; of the next, the sixth bit from the left is keyCertSign.
  return ((bits?.content[1] ?? 0) & 0x04) !== 0;
}

/** Returns true if the certificate may identify a server, or sign one that does. Without the extension it may. */
export function allowsServers(certificate: X509): boolean {
  if (!certificate.extensions.has(EXTENDED_KEY_USAGE)) return true;
  const usages = readExtension(certificate, EXTENDED_KEY_USAGE, (value) => readDerSequence(value).map(readDerOid));
  return usages?.some((usage) => usage === SERVER_AUTH || usage === ANY_USAGE) ?? false;
}

/**
 * Returns true if an authority may sign for a DNS name (RFC 5280 §4.2.1.10). Constraints on other kinds of names do not bear
 * on it; constraints that cannot be read allow nothing.
 */
export function permitsDnsName(authority: X509, name: string): boolean {
  if (!authority.extensions.has(NAME_CONSTRAINTS)) return true;
  const constraints = readExtension(authority, NAME_CONSTRAINTS, (value) => {
    const trees = readDerSequence(value);
    const subtrees = (tag: number) =>
      trees
        .filter((tree) => tree.tag === tag)
        .flatMap((tree) => readDerElements(tree.content).flatMap((subtree) => readDerElements(subtree.content)));
    const toTexts = (elements: DerElement[]) =>
      namesOf(elements, DNS_NAME).map((content) => new TextDecoder('latin1').decode(content).toLowerCase());
    return { permitted: toTexts(subtrees(DER.context(0))), excluded: toTexts(subtrees(DER.context(1))) };
  });
  if (!constraints) return false;
  const isWithin = (base: string) =>
    base === '' || name === base || name.endsWith(base.startsWith('.') ? base : `.${base}`);
  if (constraints.excluded.some(isWithin)) return false;
  return constraints.permitted.length === 0 || constraints.permitted.some(isWithin);
}

function readExtension<T>(certificate: X509, oid: string, read: (value: Uint8Array) => T): T | null {
  const value = certificate.extensions.get(oid);
  if (!value) return null;
  try {
    return read(value);
  } catch (error) {
    if (error instanceof DerError) return null;
    throw error;
  }
}

function namesOf(elements: readonly DerElement[], tag: number): Uint8Array[] {
  return elements.filter((element) => element.tag === tag).map((element) => element.content);
}

function readIpBytes(bytes: Uint8Array): string | null {
  const family = bytes.length === 4 ? 4 : bytes.length === 16 ? 6 : null;
  if (family === null) return null;
  return formatIp({ family, value: bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n) });
}
