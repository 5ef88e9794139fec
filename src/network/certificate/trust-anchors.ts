import { parseX509, type X509 } from './x509.ts';

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

/**
 * Trusts the public roots and the operator's, given as PEM text, each with one or several certificates. They are read
 * when the first name is asked for, which takes some 20 ms: a run without a network never pays for it.
 */
export function createTrustAnchors(publicPem: readonly string[], operatorPem: readonly string[] = []): TrustAnchors {
  let bySubject: ReadonlyMap<string, readonly TrustAnchor[]> | null = null;
  return {
    named(name) {
      bySubject ??= indexBySubject([
        ...publicPem.flatMap(readAnchors(true)),
        ...operatorPem.flatMap(readAnchors(false)),
      ]);
      return bySubject.get(keyOf(name)) ?? [];
    },
  };
}

function readAnchors(isPublic: boolean): (pem: string) => TrustAnchor[] {
  return (pem) => readPem(pem).map((certificate) => ({ certificate, isPublic }));
}

function indexBySubject(anchors: readonly TrustAnchor[]): Map<string, TrustAnchor[]> {
  return Map.groupBy(anchors, ({ certificate }) => keyOf(certificate.subject));
}

function readPem(pem: string): X509[] {
  return [...pem.matchAll(PEM_BLOCK)].flatMap(([, base64 = '']) => parseX509(Buffer.from(base64, 'base64')) ?? []);
}

function keyOf(name: Uint8Array): string {
  return Buffer.from(name).toString('latin1');
}
