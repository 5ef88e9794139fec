/** What a server showed of itself in a TLS handshake, trusted or not. */
export interface TlsPeer {
  /** Certificates in DER, the leaf first: those that the server sent, then those of the trust store that complete them. */
  readonly chain: readonly Uint8Array[];
  /**
   * The one fault that the TLS library names, such as `CERT_HAS_EXPIRED`; null where it found none. It knows neither
   * weak keys nor weak hashes, so null does not mean trusted.
   */
  readonly authorizationError: string | null;
  /** Such as `TLSv1.3`. */
  readonly protocol: string;
}
