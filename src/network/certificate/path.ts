import { X509Certificate } from 'node:crypto';
import { DAY_MS } from '#src/core/base/clock.ts';
import type { Cache } from '#src/network/egress/budget/cache.ts';
import { parseX509, readSubject, type X509 } from './x509.ts';
import { isAuthority } from './x509-extensions.ts';

/** A root that is trusted without proof. */
export interface TrustAnchor {
  readonly certificate: X509;
  /** True for a root of the public programmes, false for one that the operator added. */
  readonly isPublic: boolean;
}

/** The trusted roots, by subject. */
export interface TrustAnchors {
  /** The roots whose subject is `name`, a name in DER. */
  named(name: Uint8Array): readonly TrustAnchor[];
}

const PEM_BLOCK = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]{0,65536})-----END CERTIFICATE-----/g;

/** A root that nothing was read of but its name. */
interface UnreadRoot extends Pick<TrustAnchor, 'isPublic'> {
  readonly der: Uint8Array;
}

/**
 * Trusts the public roots and the operator's, given as PEM text, each with one or several certificates. Their names are read when
 * the first is asked for, and a root with the first chain that ends there: all of them would take 20 ms.
 */
export function createTrustAnchors(publicPem: readonly string[], operatorPem: readonly string[] = []): TrustAnchors {
  let bySubject: ReadonlyMap<string, readonly UnreadRoot[]> | null = null;
  const read = new Map<string, readonly TrustAnchor[]>();
  return {
    named(name) {
      bySubject ??= Map.groupBy([...publicPem.flatMap(readPem(true)), ...operatorPem.flatMap(readPem(false))], nameOf);
      const key = keyOf(name);
      const known = read.get(key);
      const roots = bySubject.get(key);
      if (known !== undefined || roots === undefined) return known ?? [];
      const anchors = roots.flatMap(readRoot);
      read.set(key, anchors);
      return anchors;
    },
  };
}

function readPem(isPublic: boolean): (pem: string) => UnreadRoot[] {
  return (pem) =>
    [...pem.matchAll(PEM_BLOCK)].map(([, base64 = '']) => ({ der: Buffer.from(base64, 'base64'), isPublic }));
}

function readRoot({ der, isPublic }: UnreadRoot): TrustAnchor[] {
  const certificate = parseX509(der);
  return certificate === null ? [] : [{ certificate, isPublic }];
}

function nameOf({ der }: UnreadRoot): string {
  return keyOf(readSubject(der) ?? new Uint8Array());
}

function keyOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}

/** Authorities that led to a root, by their DER. Most sites share a few of them. */
export type ProvenAuthorities = Cache<X509>;

/** Returns a certificate that a server sent: the one that was proven, if it is such an authority, or else a new reading. */
export function readSent(der: Uint8Array, proven: ProvenAuthorities): X509 | null {
  return proven.get(keyOf(der)) ?? parseX509(der);
}

/** Remembers the authorities of a path to a root. */
export function rememberAuthorities({ path, anchor }: CertificatePath, proven: ProvenAuthorities): void {
  for (const authority of anchor ? path.slice(1) : []) {
    const key = keyOf(authority.der);
    if (proven.get(key) !== authority) proven.set(key, authority, DAY_MS);
  }
}

/** The certificate that signed another one, for those that are remembered. */
const signers = new WeakMap<X509, X509>();

/**
 * Result of path building. `path` goes from the leaf to the last certificate that fits, the anchor included; `anchor`
 * is null if none was reached; `brokenSignature` is true if an issuer with the right name was available but had not
 * signed.
 */
export interface CertificatePath {
  readonly path: readonly X509[];
  readonly anchor: TrustAnchor | null;
  readonly brokenSignature: boolean;
}

/** More than real chains have; a signature costs up to a millisecond to check. */
const MAX_DEPTH = 8;
const MAX_CHECKS = 48;

/** Follows `leaf` through the certificates that the server sent, in any order, to a trusted root. */
export function findCertificatePath(leaf: X509, sent: readonly X509[], anchors: TrustAnchors): CertificatePath {
  let checks = 0;
  let longest: readonly X509[] = [];
  let brokenSignature = false;

  const signed = (issuer: X509, certificate: X509): boolean => {
    if (signers.get(certificate) === issuer) return true;
    if (checks++ >= MAX_CHECKS) return false;
    const good = isSignedBy(certificate, issuer);
    if (good) signers.set(certificate, issuer);
    else brokenSignature = true;
    return good;
  };
  const climb = (path: readonly X509[]): CertificatePath | null => {
    const top = path.at(-1) ?? leaf;
    if (path.length > longest.length) longest = path;
    const own = anchors.named(top.subject).find((anchor) => isSame(anchor.certificate, top));
    if (own) return { path, anchor: own, brokenSignature: false };
    const root = anchors.named(top.issuer).find(({ certificate }) => signed(certificate, top));
    if (root) return { path: [...path, root.certificate], anchor: root, brokenSignature: false };
    if (path.length >= MAX_DEPTH) return null;
    for (const candidate of sent) {
      if (!isSameName(candidate.subject, top.issuer) || path.some((member) => isSame(member, candidate))) continue;
      if (!isAuthority(candidate, path.length - 1) || !signed(candidate, top)) continue;
      const found = climb([...path, candidate]);
      if (found) return found;
    }
    return null;
  };
  return climb([leaf]) ?? { path: longest, anchor: null, brokenSignature };
}

/** Returns true if `issuer`'s key made the signature on `certificate`. */
export function isSignedBy(certificate: X509, issuer: X509): boolean {
  try {
    return new X509Certificate(certificate.der).verify(new X509Certificate(issuer.der).publicKey);
  } catch {
    // The library refuses keys and algorithms that it does not know: nothing that they sign can be trusted.
    return false;
  }
}

/** Returns true if a certificate names itself as its issuer. */
export function isSelfIssued(certificate: X509): boolean {
  return isSameName(certificate.subject, certificate.issuer);
}

function isSame(a: X509, b: X509): boolean {
  return isSameName(a.der, b.der);
}

function isSameName(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
