import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import {
  derBits,
  derBoolean,
  derContext,
  derImplicit,
  derInteger,
  derOctets,
  derOid,
  derSequence,
  derSet,
  derTime,
  derUtf8,
} from './der-writer.ts';

export const BASIC_CONSTRAINTS = '2.5.29.19';
export const KEY_USAGE = '2.5.29.15';
export const EXTENDED_KEY_USAGE = '2.5.29.37';
export const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17';
export const NAME_CONSTRAINTS = '2.5.29.30';
const CRITICAL: ReadonlySet<string> = new Set([BASIC_CONSTRAINTS, KEY_USAGE, NAME_CONSTRAINTS]);

/** What a certificate shall say. Whatever is left out is as in an ordinary certificate for a web site. */
export interface CertificateOrder {
  /** The common name, or a whole name in DER. */
  readonly subject?: string | Uint8Array;
  /** Subject alternative names, DNS names and IP addresses; null leaves the extension out. Default: the common name. */
  readonly names?: readonly string[] | null;
  /** Default: thirty days ago to fifteen days ahead, which is no longer than a public authority may, now or later. */
  readonly notBeforeMs?: number;
  readonly notAfterMs?: number;
  /** A SubjectPublicKeyInfo in DER; by default that of a fresh P-256 key. */
  readonly publicKey?: Uint8Array;
  readonly isAuthority?: boolean;
  /** How many more authorities may stand below this one; without it, any number. */
  readonly pathLength?: number;
  /** OIDs of the extended key usage; empty leaves it out. Default: server authentication. */
  readonly usages?: readonly string[];
  /** The only DNS names for which an authority may sign. */
  readonly permittedNames?: readonly string[];
  /** Values of extensions by OID, in place of what the members above say; null leaves one out. */
  readonly extensions?: Readonly<Record<string, Uint8Array | null>>;
  readonly hash?: 'sha1' | 'sha256';
  /** What the certificate says of the algorithm that signed it, true or not. Default: ECDSA with the hash. */
  readonly signatureOid?: string;
  /** Signs in place of the issuer's key. */
  readonly signingKey?: KeyObject;
}

/** A certificate and its private key. */
export interface Issued {
  readonly der: Uint8Array;
  readonly pem: string;
  readonly privateKey: KeyObject;
  readonly keyPem: string;
}

/** A certificate that may sign others. */
export interface CertificateAuthority extends Issued {
  issue(order: CertificateOrder): Issued;
  subordinate(order: CertificateOrder): CertificateAuthority;
}

/**
 * Makes a root that nobody knows.
 *
 * @param nowMs the time around which it and what it signs are made: the one at which they will be judged.
 */
export function createCertificateAuthority(nowMs: number, order: CertificateOrder = {}): CertificateAuthority {
  const life = { notBeforeMs: nowMs - 365 * DAY_MS, notAfterMs: nowMs + 3650 * DAY_MS };
  return makeAuthority(nowMs, { subject: 'Lab Root', ...life, ...order }, null);
}

/** Makes a certificate that is signed by its own key, to be judged at that time. */
export function createSelfSigned(nowMs: number, order: CertificateOrder): Issued {
  return make(nowMs, order, null);
}

function makeAuthority(nowMs: number, order: CertificateOrder, issuer: Made | null): CertificateAuthority {
  const own = make(nowMs, { names: null, usages: [], isAuthority: true, ...order }, issuer);
  return {
    ...own,
    issue: (next) => make(nowMs, next, own),
    subordinate: (next) => makeAuthority(nowMs, { subject: 'Lab Intermediate', ...next }, own),
  };
}

interface Made extends Issued {
  readonly subjectName: Uint8Array;
}

function make(nowMs: number, order: CertificateOrder, issuer: Made | null): Made {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const commonName = typeof order.subject === 'string' ? order.subject : '';
  const subjectName = typeof order.subject === 'object' ? order.subject : nameOf(commonName);
  const ecdsa = order.hash === 'sha1' ? '1.2.840.10045.4.1' : '1.2.840.10045.4.3.2';
  const algorithm = derSequence(derOid(order.signatureOid ?? ecdsa));
  const body = derSequence(
    derContext(0, derInteger(Buffer.from([2]))),
    derInteger(Buffer.from([0x01, ...randomBytes(15)])),
    algorithm,
    issuer?.subjectName ?? subjectName,
    derSequence(derTime(order.notBeforeMs ?? nowMs - 30 * DAY_MS), derTime(order.notAfterMs ?? nowMs + 15 * DAY_MS)),
    subjectName,
    order.publicKey ?? createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    derContext(3, derSequence(...extensionsOf(order, commonName))),
  );
  const signature = sign(order.hash ?? 'sha256', body, order.signingKey ?? issuer?.privateKey ?? privateKey);
  const certificate = derSequence(body, algorithm, derBits(signature));
  return {
    der: certificate,
    pem: `-----BEGIN CERTIFICATE-----\n${Buffer.from(certificate).toString('base64')}\n-----END CERTIFICATE-----\n`,
    privateKey,
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    subjectName,
  };
}

/** A name in DER that consists of a common name, or of nothing. */
function nameOf(commonName: string): Uint8Array {
  if (commonName === '') return derSequence();
  return derSequence(derSet(derSequence(derOid('2.5.4.3'), derUtf8(commonName))));
}

function extensionsOf(order: CertificateOrder, commonName: string): Uint8Array[] {
  const names = order.names === undefined ? [commonName] : order.names;
  const usages = order.usages ?? ['1.3.6.1.5.5.7.3.1'];
  // Digital signature for a leaf; for an authority, signing certificates and revocation lists.
  const keyUsage = Buffer.from(order.isAuthority ? [0x03, 0x02, 0x01, 0x06] : [0x03, 0x02, 0x07, 0x80]);
  const values: Readonly<Record<string, Uint8Array | null>> = {
    [BASIC_CONSTRAINTS]: derSequence(...basicConstraints(order)),
    [KEY_USAGE]: keyUsage,
    [EXTENDED_KEY_USAGE]: usages.length > 0 ? derSequence(...usages.map(derOid)) : null,
    [SUBJECT_ALTERNATIVE_NAME]: names ? derSequence(...names.map(alternativeName)) : null,
    [NAME_CONSTRAINTS]: order.permittedNames ? derSequence(derContext(0, ...subtrees(order.permittedNames))) : null,
    ...order.extensions,
  };
  return Object.entries(values).flatMap(([oid, value]) => (value ? [extension(oid, value, CRITICAL.has(oid))] : []));
}

/** Subtrees of the name constraints, one for each DNS name. */
export function subtrees(names: readonly string[]): Uint8Array[] {
  return names.map((name) => derSequence(dnsName(name)));
}

function basicConstraints({ isAuthority = false, pathLength }: CertificateOrder): Uint8Array[] {
  if (!isAuthority) return [];
  return pathLength === undefined ? [derBoolean(true)] : [derBoolean(true), derInteger(Buffer.from([pathLength]))];
}

function extension(oid: string, value: Uint8Array, isCritical = false): Uint8Array {
  return derSequence(derOid(oid), ...(isCritical ? [derBoolean(true)] : []), derOctets(value));
}

function dnsName(name: string): Uint8Array {
  return derImplicit(2, Buffer.from(name, 'latin1'));
}

function alternativeName(name: string): Uint8Array {
  const ip = parseIp(name);
  if (!ip) return dnsName(name);
  const bits = ip.family === 4 ? 32 : 128;
  const bytes = Array.from({ length: bits / 8 }, (_, i) => Number((ip.value >> BigInt(bits - 8 - 8 * i)) & 0xffn));
  return derImplicit(7, Buffer.from(bytes));
}
