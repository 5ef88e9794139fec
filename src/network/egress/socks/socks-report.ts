/** A SOCKS5 listener of one visit. Disposing of it closes it with its connections. */
export interface SocksListener extends Disposable {
  /** Its port on 127.0.0.1. */
  readonly port: number;
  report(): SocksReport;
  /** Returns the address to which a host was last connected; null if it was not. */
  addressOf(host: string, port: number): string | null;
}

/** Counts of a listener. */
export interface SocksReport {
  /** Connections that were asked for. */
  readonly connections: number;
  /** Connections that the egress policy or the budget refused. */
  readonly refused: number;
  /** True if the bytes of the check were used up. */
  readonly isSpent: boolean;
}
