import type { Socket } from 'node:net';
import type { Target } from '#src/core/url/target.ts';
import type { TlsPeer } from '../connect/tls-peer.ts';

/** One HTTP request: GET without credentials, cookies or body. */
export interface HopRequest {
  readonly url: Target;
  /** Sent beside `Host`, `Connection: close` and `Accept-Encoding`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A smaller budget than the settings' for the decoded body. */
  readonly bodyBytes?: number;
  /** From the first packet to the last byte, in milliseconds. Left out: only the signal bounds it. */
  readonly timeoutMs?: number;
  /** True refuses a server whose certificate is not trusted, before the request is written. */
  readonly trustRequired?: boolean;
  /** True leaves the body unread where the answer redirects. */
  readonly skipRedirectBody?: boolean;
}

/** One HTTP answer. */
export interface Hop {
  readonly status: number;
  /** By lower-case name. Several of one name are joined by a comma, but for `location`, of which the first counts. */
  readonly headers: ReadonlyMap<string, string>;
  /** Decompressed. Empty where the content coding could not be undone at all. */
  readonly body: Uint8Array;
  /** True where the body was longer than a budget, ended early or took too long; `body` holds what came. */
  readonly truncated: boolean;
  /** False where the content coding could not be undone at all. */
  readonly decoded: boolean;
  /** The address that was connected to (behind a proxy: that the proxy was asked for). */
  readonly address: string;
  /** Null over plain HTTP. */
  readonly tls: TlsPeer | null;
  readonly wireBytes: number;
}

/** The statuses that browsers follow (Fetch standard, "redirect status"). */
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The `Location` of an answer that redirects, as it came; null where it does not. An empty one is none: browsers show the body. */
export function redirectLocation({ status, headers }: Pick<Hop, 'status' | 'headers'>): string | null {
  return REDIRECT_STATUSES.has(status) ? headers.get('location') || null : null;
}

/** The socket of a hop, connected and, for https, with TLS agreed on. */
export interface HopConnection {
  readonly socket: Socket;
  readonly address: string;
  readonly tls: TlsPeer | null;
  /** Bytes that came over the wire so far, those of TLS included. */
  wireBytes(): number;
}

/** How much of an answer is read, in bytes. */
export interface HopLimits {
  readonly headerBytes: number;
  readonly wireBytes: number;
  readonly bodyBytes: number;
}
