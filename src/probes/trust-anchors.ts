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

/** Reads the public roots and the operator's from PEM text, each with one or several certificates; takes a few ms. */
export function createTrustAnchors(publicPem: readonly string[], operatorPem: readonly string[] = []): TrustAnchors {
  const bySubject = new Map<string, TrustAnchor[]>();
  const add = (pem: string, isPublic: boolean) => {
    for (const certificate of readPem(pem)) {
      const subject = keyOf(certificate.subject);
      bySubject.set(subject, [...(bySubject.get(subject) ?? []), { certificate, isPublic }]);
    }
  };
  for (const pem of publicPem) add(pem, true);
  for (const pem of operatorPem) add(pem, false);
  return { named: (name) => bySubject.get(keyOf(name)) ?? [] };
}

function readPem(pem: string): X509[] {
  return [...pem.matchAll(PEM_BLOCK)].flatMap(([, base64 = '']) => parseX509(Buffer.from(base64, 'base64')) ?? []);
}

function keyOf(name: Uint8Array): string {
  return Buffer.from(name).toString('latin1');
}
