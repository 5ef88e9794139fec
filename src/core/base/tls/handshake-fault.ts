/** A certificate that a TLS handshake refused. */
export interface HandshakeFault {
  /** The fault, as it follows "its certificate". */
  readonly matter: string;
  /** Remedy for the operator, as a sentence. */
  readonly remedy: string;
}

/** Faults by the codes of Node and OpenSSL (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
const FAULTS: readonly (readonly [codes: RegExp, fault: HandshakeFault])[] = [
  [/^CERT_HAS_EXPIRED$/, { matter: 'has expired', remedy: 'Renew it on the server, and let the server reload it.' }],
  [
    /^CERT_NOT_YET_VALID$/,
    { matter: 'is not valid yet', remedy: 'Set the clocks of both hosts, or wait until it is valid.' },
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_(?:INVALID|FORMAT)$|^HOSTNAME_MISMATCH$/,
    {
      matter: 'is for another name',
      remedy: 'Connect by a name in the certificate, or issue it for the name in the setting.',
    },
  ],
  [/^CERT_REVOKED$/, { matter: 'is revoked', remedy: 'Install another one on the server.' }],
  [
    /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?)|CERT_UNTRUSTED|INVALID_CA|CERT_SIGNATURE_FAILURE)$/,
    {
      matter: 'is signed by an authority that is not trusted here',
      remedy: 'Name the file of the authority in the setting, or let the server send the whole chain.',
    },
  ],
  [
    /^ERR_(?:TLS|SSL)|^CERT_|_CERT$|_SIGNATURE$/,
    { matter: 'cannot be verified', remedy: 'Examine it with openssl s_client.' },
  ],
];

/** Returns the fault behind a failed TLS handshake; null for any other error. */
export function handshakeFaultOf(error: unknown): HandshakeFault | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return FAULTS.find(([codes]) => codes.test(code))?.[1] ?? null;
}
