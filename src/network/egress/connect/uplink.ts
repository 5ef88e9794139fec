import type { Socket } from 'node:net';
import { FailureError } from '#src/core/base/failure.ts';
import { createByteSink } from '../budget/byte-sink.ts';
import { createCircuit } from '../budget/circuit.ts';
import { untilAborted, withDeadline } from '../budget/semaphore.ts';
import { type Endpoint, formatEndpoint } from '../endpoint.ts';
import type { EgressSettings, EgressTools, ProxyEndpoint } from '../settings.ts';
import { dial } from './dial.ts';

const MAX_ANSWER_BYTES = 8 * 1024;

/**
 * Opens a tunnel through an HTTP proxy to an address that the policy allows (RFC 9110 §9.3.6), never to a name, which
 * the proxy would resolve itself. Fails with `proxy_failed`.
 */
export async function openTunnel(
  socket: Socket,
  { credentials }: Pick<ProxyEndpoint, 'credentials'>,
  to: Endpoint,
  signal: AbortSignal,
): Promise<void> {
  const authority = formatEndpoint(to);
  const authorization =
    credentials === undefined ? '' : `Proxy-Authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n`;
  const answer = createByteSink(MAX_ANSWER_BYTES);
  try {
    await untilAborted<void>(signal, (resolve, reject) => {
      const fail = (detail: string) => reject(new FailureError('proxy_failed', `${authority}: ${detail}`));
      const listener = (chunk: Uint8Array) => {
        const fits = answer.push(chunk);
        const text = Buffer.from(answer.bytes()).toString('latin1');
        const end = text.indexOf('\r\n\r\n');
        if (end < 0) return fits ? undefined : fail('its answer has no end');
        const status = /^HTTP\/1\.[01] (\d{3})[ \r]/.exec(text)?.[1];
        if (status?.startsWith('2') !== true) return fail(`the proxy answered ${status ?? 'something else than HTTP'}`);
        // In TLS and HTTP the client sends first, so that no byte may follow yet.
        return text.length === end + 4 ? resolve() : fail('the proxy sent more than its answer');
      };
      socket.on('data', listener);
      socket.on('error', (error) => fail(error.message));
      socket.on('close', () => fail('the proxy hung up'));
      socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`);
      // Not paused: the next reader may not resume it.
      return () => socket.off('data', listener);
    });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Connects directly or through the operator's proxy. All compartments share it; it stores no addresses. */
export interface Uplink extends Disposable {
  /**
   * Connects to an address that the policy allows. Fails with `unreachable` while the circuit is open, and as `dial`
   * does.
   */
  connect(to: Endpoint, signal: AbortSignal): Promise<Socket>;
  /** Returns whether the circuit is open, because neither a target nor the resolver answered. */
  isCircuitOpen(): boolean;
}

/** Creates an uplink. `isAlive` tests the network when a target does not answer. */
export function openUplink(
  settings: Pick<EgressSettings, 'egress_proxy' | 'connect_timeout_seconds'>,
  isAlive: () => Promise<boolean>,
  { clock, logger }: EgressTools,
): Uplink {
  const timeoutMs = settings.connect_timeout_seconds * 1000;
  const closing = new AbortController();
  const circuit = createCircuit(clock, isAlive, (isOpen) =>
    logger.warn(isOpen ? 'connections.resting' : 'connections.answering'),
  );

  async function tryAgain(to: Endpoint): Promise<void> {
    try {
      const socket = await withDeadline(closing.signal, timeoutMs, (signal) => dial(to, signal));
      socket.destroy();
      circuit.succeed();
    } catch (error) {
      if (!(error instanceof FailureError)) logger.error('connections.fault', { error });
      // A refused connection proves that the network works.
      else if (error.code === 'connection_refused') circuit.succeed();
    }
  }

  return {
    async connect(to, signal) {
      const next = settings.egress_proxy ?? to;
      if (circuit.isOpen()) {
        if (circuit.takeTrial()) void tryAgain(next);
        throw new FailureError('unreachable', 'no host answers, and no connections are opened for a while');
      }
      // Started well before the timeout, so that the cause is known when it expires.
      const doubt = setTimeout(() => void circuit.suspect(), timeoutMs / 3);
      try {
        const socket = await dial(next, signal);
        circuit.succeed();
        if (settings.egress_proxy) await openTunnel(socket, settings.egress_proxy, to, signal);
        return socket;
      } catch (error) {
        if (!settings.egress_proxy || signal.aborted || !(error instanceof FailureError)) throw error;
        throw new FailureError('proxy_failed', error.message);
      } finally {
        clearTimeout(doubt);
      }
    },
    isCircuitOpen: () => circuit.isOpen(),
    [Symbol.dispose]() {
      closing.abort();
      circuit[Symbol.dispose]();
    },
  };
}
