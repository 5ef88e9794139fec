import type { Cidr } from '#src/base/ip.ts';

/** A limit of its own for a block of clients. */
export interface CidrLimit {
  readonly cidr: Cidr;
  /** Admitted requests in a minute; 0 switches the limit off for the block. */
  readonly limit: number;
}

/** What an operator decides about the HTTP side. Where it listens is not part of it. */
export interface ServerSettings {
  /** Admitted checks a client in a minute; 0 switches the limit off. */
  readonly rateLimit: number;
  /** Exceptions from `rateLimit`; the most specific block wins. */
  readonly rateLimitCidr: readonly CidrLimit[];
  /** Admitted checks of all clients together in a minute; 0 sets no ceiling. */
  readonly rateLimitTotal: number;
  /** Clients that the limiter remembers exactly. */
  readonly rateLimitKeys: number;
  /** Peers whose forwarding headers are believed. */
  readonly trustedProxy: readonly Cidr[];
  /** Accepted `Host` names, lower case, without a port; empty accepts all. */
  readonly host: readonly string[];
  /** Path below which a proxy publishes the service, such as `/phish`; empty for the root. No slash at the end. */
  readonly basePath: string;
  /** How to reach the operator, an e-mail address or URL; null where none is given. */
  readonly contact: string | null;
  /** Whether anyone may read the public scan history. */
  readonly publicHistory: boolean;
  /** What the web page proposes for `private_mode`. */
  readonly defaultPrivate: boolean;
  /** Seconds within which a check ends; a connection waits this long, and a while more, for its answer. */
  readonly deadlineSeconds: number;
}
