import type { Socket } from 'node:net';
import { FailureError } from '#src/core/base/failure.ts';
import { createCircuit } from '../budget/circuit.ts';
import { withDeadline } from '../budget/deadline.ts';
import type { EgressTools } from '../egress-tools.ts';
import type { Endpoint } from '../endpoint.ts';
import type { EgressSettings } from '../settings.ts';
import { dial } from './dial.ts';
import { openTunnel } from './proxy.ts';

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
