import type { Socket } from 'node:net';
import type { Target } from '#src/core/url/target.ts';
import type { TlsPeer } from '../connect/tls-handshake.ts';

/** One HTTP request: GET without credentials or body. */
export interface HopRequest {
  readonly url: Target;
  /** Sent behind `Host`, in this order. Default: also `Accept-Encoding` and `Connection`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A smaller limit than the setting's for the decoded body, in bytes. */
  readonly bodyBytes?: number;
  /** Time from the first packet to the last byte, in milliseconds. Default: bounded only by the signal. */
  readonly timeoutMs?: number;
  /** True to refuse a server with an untrusted certificate before the request is written. */
  readonly trustRequired?: boolean;
  /** True to skip the body of a redirect. */
  readonly skipRedirectBody?: boolean;
  /**
   * True to leave an https connection open behind a complete answer, for a later request of this kind in the compartment. Not
   * for checked sites, which would see that two checks come from the same client.
   */
  readonly keepOpen?: boolean;
}

/** One HTTP answer. */
export interface Hop {
  readonly status: number;
  /**
   * By lower-case name. Repeated headers are joined by a comma, except `location`, of which the first is used, and
   * `set-cookie`, which has a line for each.
   */
  readonly headers: ReadonlyMap<string, string>;
  /** Decoded. Empty if the content coding could not be decoded. */
  readonly body: Uint8Array;
  /** True if the body exceeded a limit, ended early or timed out; `body` contains what was received. */
  readonly truncated: boolean;
  /** False if the content coding could not be decoded. */
  readonly decoded: boolean;
  /** The address of the server, also behind a proxy. */
  readonly address: string;
  /** Null over plain HTTP. */
  readonly tls: TlsPeer | null;
  readonly wireBytes: number;
}

/** Statuses that browsers follow (Fetch standard, "redirect status"). */
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns the raw `Location` of a redirect; null otherwise, and if it is empty, as browsers then show the body. */
export function redirectLocation({ status, headers }: Pick<Hop, 'status' | 'headers'>): string | null {
  return REDIRECT_STATUSES.has(status) ? headers.get('location') || null : null;
}

/** The socket of a hop, connected and, for https, after the TLS handshake. */
export interface HopConnection {
  readonly socket: Socket;
  readonly address: string;
  readonly tls: TlsPeer | null;
  /** Bytes received so far for this hop, including TLS overhead. */
  wireBytes(): number;
  /** Leaves the connection open; absent if the hop did not ask for that. */
  keepOpen?: () => void;
  /** True if an earlier request left the connection open. */
  readonly isReused?: boolean;
}

/** Maximum sizes of a response, in bytes. */
export interface HopLimits {
  readonly headerBytes: number;
  readonly wireBytes: number;
  readonly bodyBytes: number;
}
