import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { FailureError } from '#src/core/base/failure.ts';
import type { Traced } from '#src/core/base/traced.ts';
import { createByteSink } from './budget/byte-sink.ts';
import { abortFailure, untilAborted, withDeadline } from './budget/semaphore.ts';
import type { Connect, Connection, Destination } from './connect/connection.ts';
import { socketFailure } from './connect/dial.ts';
import type { SecuredConnection } from './connect/idle-connections.ts';
import { performTlsHandshake, type TlsPeer } from './connect/tls-handshake.ts';
import type { DnsAnswer } from './dns/answer.ts';
import type { DnsType } from './dns/message.ts';
import type { Resolver } from './dns/resolver.ts';
import type { Hop, HopConnection, HopRequest } from './http/hop.ts';
import { performHop, StaleConnectionError } from './http/http-hop.ts';
import { enforce, type Policy } from './policy/policy.ts';
import type { EgressSettings } from './settings.ts';
import { openSocksListener, type SocksListener } from './socks/socks-listener.ts';

/** A text protocol of one request and one answer, such as WHOIS (RFC 3912). */
export interface Exchange {
  readonly host: string;
  /** 43, or one of the ports that the policy allows. */
  readonly port: number;
  readonly request: Uint8Array;
  readonly maxBytes: number;
  /** For resolving, connecting and reading together. */
  readonly timeoutMs: number;
}

/**
 * Network access of one check, with its byte budget. Every method checks the policy before it connects, ends when
 * `signal` aborts, leaves no socket open but those of {@link HopRequest.keepOpen}, which its compartment owns, and throws a
 * `FailureError` if the network fails: `egress_denied…` if the policy denies the target (the detail begins with the reason and a
 * colon), the `dns_…` codes if the name does not resolve.
 */
export interface EgressClient {
  /**
   * Queries the resolver. Every response code is an answer; a timeout or a malformed response is a failure. If the
   * policy denies an A or AAAA record, the whole name fails with `egress_denied_name`, or with `egress_denied_mixed` if
   * other records are public. Returns at most 64 records.
   */
  lookup<T extends DnsType>(name: string, type: T, signal: AbortSignal): Promise<DnsAnswer<T>>;
  /** Writes a request and reads to the end; `truncated` if the answer exceeded `maxBytes` or timed out. */
  exchange(
    exchange: Exchange,
    signal: AbortSignal,
  ): Promise<{ readonly address: string; readonly bytes: Uint8Array; readonly truncated: boolean }>;
  /** Sends one HTTP request. Does not follow redirects. */
  fetchHop(request: HopRequest, signal: AbortSignal): Promise<Hop>;
  /**
   * Returns the peer of a TLS handshake, which need not be trusted: that of an earlier connection of this check, or one that is
   * in progress, else of a new one. `host` is also the server name (SNI).
   */
  handshake(peer: { readonly host: string; readonly port: number }, signal: AbortSignal): Promise<SeenPeer>;
  /** Opens a SOCKS5 listener on loopback that gives a browser the network access of this check, until it is closed. */
  openSocks(signal: AbortSignal): Promise<SocksListener>;
}

/** A TLS server at the address that answered. */
interface SeenPeer {
  readonly address: string;
  readonly tls: TlsPeer;
}

export interface EgressClientParts {
  readonly settings: Pick<EgressSettings, 'network' | 'header_bytes' | 'wire_bytes' | 'body_bytes'>;
  readonly policy: Policy;
  readonly resolver: Resolver;
  readonly connect: Connect;
  /** Connects for a browser, which opens many connections at a time. */
  readonly connectForBrowser: () => Connect;
  /** Returns the certificates to trust, parsed when first asked for. */
  readonly trust: () => SecureContext;
  readonly traced: Traced;
}

/** Maximum number of returned records. The policy checks all addresses before the cut. */
const MAX_RECORDS = 64;
const WHOIS_PORT = 43;
/** Port for the policy check of resolved addresses, because a lookup has no port. */
const WEB_PORT = 443;

/** Creates the egress client of one check. */
export function createEgressClient(parts: EgressClientParts): EgressClient {
  const { settings, policy, resolver, connect, trust, traced } = parts;
  let wireLeftBytes = settings.wire_bytes;
  const peers = createSeenPeers();

  function requireNetwork(mode: 'dns' | 'full'): void {
    if (settings.network === 'full' || settings.network === mode) return;
    throw new FailureError('egress_denied', `network: the setting "network" is ${settings.network}`);
  }

  function connectWithTls(destination: Destination, signal: AbortSignal): Promise<Secured> {
    const secured = startTls(destination, signal);
    peers.add(`${destination.host}:${destination.port}`, secured);
    return secured;
  }

  async function startTls(destination: Destination, signal: AbortSignal): Promise<Secured> {
    const connection = await connect(destination, signal);
    if (connection.reused) return securedOver(connection, connection.reused);
    try {
      const agree = () =>
        withDeadline(signal, Math.max(connection.connectLeftMs, 1), (soon) =>
          performTlsHandshake(connection.socket, destination.host, trust(), soon),
        );
      return securedOver(connection, await traced('tls', destination.host, agree, ({ peer }) => describePeer(peer)));
    } catch (error) {
      connection[Symbol.dispose]();
      throw error;
    }
  }

  async function connectHop(request: HopRequest, mayReuse: boolean, signal: AbortSignal): Promise<OpenHop> {
    const { url, keepOpen = false } = request;
    const destination = { host: url.host.text, port: url.port, mayReuse: mayReuse && keepOpen };
    if (url.scheme === 'http') return hopOver(await connect(destination, signal), null, false);
    // A reused connection is not among the peers that this check has seen: its handshake is that of an earlier check.
    const secured = await (keepOpen ? startTls(destination, signal) : connectWithTls(destination, signal));
    return hopOver(secured.connection, secured, keepOpen);
  }

  return {
    async lookup(name, type, signal) {
      requireNetwork('dns');
      enforce(policy.checkName(name));
      const { rcode, records, chain, authenticated } = await resolver.resolve(name, type, signal);
      if (type === 'A' || type === 'AAAA') {
        const addresses = records.map(({ data }) => String(data));
        enforce(policy.checkAddresses(name, addresses, WEB_PORT));
      }
      return { rcode, records: records.slice(0, MAX_RECORDS), chain, authenticated };
    },

    async exchange({ host, port, request, maxBytes, timeoutMs }, signal) {
      requireNetwork('full');
      return await withDeadline(signal, timeoutMs, async (soon) => {
        using connection = await connect({ host, port, protocolPort: WHOIS_PORT }, soon);
        const answer = await traced(
          'exchange',
          `${host}:${port}`,
          () => converse(connection.socket, request, maxBytes, soon),
          ({ bytes, truncated }) => describeBody(bytes, truncated),
        );
        return { address: connection.address, ...answer };
      });
    },

    async fetchHop(request, signal) {
      requireNetwork('full');
      const bodyBytes = Math.min(settings.body_bytes, request.bodyBytes ?? settings.body_bytes);
      const run = async (mayReuse: boolean, soon: AbortSignal): Promise<Hop> => {
        using connection = await connectHop(request, mayReuse, soon);
        const fault = connection.tls?.authorizationError ?? null;
        if (request.trustRequired && fault) throw new FailureError('tls_handshake_failed', fault);
        const limits = { headerBytes: settings.header_bytes, wireBytes: wireLeftBytes, bodyBytes };
        const hop = await traced(
          'http',
          request.url.requestUrl,
          () => performHop(request, connection, limits, soon),
          ({ status, body, truncated }) => `${status}, ${describeBody(body, truncated)}`,
        );
        wireLeftBytes = Math.max(0, wireLeftBytes - hop.wireBytes);
        return hop;
      };
      return await runInTime(request.timeoutMs, signal, run);
    },

    async handshake({ host, port }, signal) {
      requireNetwork('full');
      const seen = await peers.find(`${host}:${port}`, signal);
      if (seen !== null) return seen;
      using secured = await connectWithTls({ host, port }, signal);
      return { address: secured.connection.address, tls: secured.peer };
    },

    async openSocks(signal) {
      requireNetwork('full');
      const takeBytes = (count: number) => {
        wireLeftBytes -= count;
        return wireLeftBytes >= 0;
      };
      return await openSocksListener({ connect: parts.connectForBrowser(), takeBytes }, signal);
    },
  };
}

/** Creates the memory of the handshakes of one check by host and port, without those that failed. */
function createSeenPeers() {
  const peers = new Map<string, Promise<SeenPeer>>();
  return {
    add(key: string, secured: Promise<Secured>): void {
      if (peers.has(key)) return;
      const seen = secured.then(({ connection, peer }) => ({ address: connection.address, tls: peer }));
      peers.set(key, seen);
      seen.catch(() => peers.delete(key));
    },
    /** Waits for a handshake that is in progress. Returns null if there is none, or if its connection was stopped. */
    async find(key: string, signal: AbortSignal): Promise<SeenPeer | null> {
      const seen = peers.get(key);
      if (seen === undefined) return null;
      return await untilAborted<SeenPeer | null>(signal, (resolve, reject) => {
        seen.then(resolve, (error) => (isStopped(error) ? resolve(null) : reject(error)));
        return () => {};
      });
    },
  };
}

function isStopped(error: unknown): boolean {
  return error instanceof FailureError && error.code === 'aborted';
}

type Layer = Pick<SecuredConnection, 'socket' | 'peer'>;

interface Secured extends Layer, Disposable {
  readonly connection: Connection;
}

function describePeer({ protocol, authorizationError }: TlsPeer): string {
  return `${protocol}, ${authorizationError ?? 'trusted'}`;
}

function describeBody({ length }: Uint8Array, isTruncated: boolean): string {
  return `${length} bytes${isTruncated ? ', cut short' : ''}`;
}

/** Runs a hop, and once more over a new connection if it was given one that the server closed meanwhile. */
async function runInTime(
  timeoutMs: number | undefined,
  signal: AbortSignal,
  run: (mayReuse: boolean, signal: AbortSignal) => Promise<Hop>,
): Promise<Hop> {
  const runTwice = (soon: AbortSignal) =>
    run(true, soon).catch((error) => {
      if (error instanceof StaleConnectionError) return run(false, soon);
      throw error;
    });
  return await (timeoutMs === undefined ? runTwice(signal) : withDeadline(signal, timeoutMs, runTwice));
}

function securedOver(connection: Connection, layer: Layer): Secured {
  return { connection, ...layer, [Symbol.dispose]: () => disposeAll(layer.socket, connection) };
}

type OpenHop = HopConnection & Disposable;

function hopOver(connection: Connection, layer: Layer | null, keepOpen: boolean): OpenHop {
  const bytesBefore = connection.reused === null ? 0 : connection.socket.bytesRead;
  const socket = layer?.socket ?? connection.socket;
  return {
    socket,
    address: connection.address,
    tls: layer?.peer ?? null,
    wireBytes: () => connection.socket.bytesRead - bytesBefore,
    isReused: connection.reused !== null,
    ...(layer && keepOpen && { keepOpen: () => connection.keepOpen(layer.socket, layer.peer) }),
    [Symbol.dispose]: () => disposeAll(socket, connection),
  };
}

function disposeAll(socket: Socket, connection: Connection): void {
  if (!connection.isKeptOpen()) socket.destroy();
  connection[Symbol.dispose]();
}

/**
 * Writes a request and reads until the peer closes. Bytes received before a timeout, a reset or the limit are returned
 * as `truncated`. Fails with the timeout or reset if no byte was received.
 */
export async function converse(
  socket: Socket,
  request: Uint8Array,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly truncated: boolean }> {
  const sink = createByteSink(maxBytes);
  try {
    return await untilAborted(signal, (resolve, reject) => {
      socket.on('data', (chunk: Uint8Array) => {
        if (!sink.push(chunk)) resolve({ bytes: sink.bytes(), truncated: true });
      });
      socket.on('end', () => resolve({ bytes: sink.bytes(), truncated: false }));
      socket.on('error', (error) => reject(socketFailure(error, 'connection_reset')));
      socket.on('close', () => reject(() => socketFailure(new Error('closed'), 'connection_reset')));
      socket.write(request);
      return () => {};
    });
  } catch (error) {
    if (signal.aborted && abortFailure(signal).code !== 'timeout') throw error;
    if (sink.length === 0) throw error;
    return { bytes: sink.bytes(), truncated: true };
  } finally {
    socket.destroy();
  }
}
