/** A server in a TLS handshake, trusted or not. */
export interface TlsPeer {
  /**
   * Certificates in DER, leaf first: those that the server sent, then those of the trust store that complete the chain.
   */
  readonly chain: readonly Uint8Array[];
  /**
   * Error code of the TLS library, such as `CERT_HAS_EXPIRED`; null if there is none. The library checks neither weak
   * keys nor weak hashes, so null does not mean trusted.
   */
  readonly authorizationError: string | null;
  /** TLS version, such as `TLSv1.3`. */
  readonly protocol: string;
}
