import type { Socket } from 'node:net';
import { FailureError } from '#src/core/base/failure.ts';
import { createCircuit } from '../budget/circuit.ts';
import { withDeadline } from '../budget/deadline.ts';
import type { EgressTools } from '../egress-tools.ts';
import type { Endpoint } from '../endpoint.ts';
import type { EgressSettings } from '../settings.ts';
import { dial } from './dial.ts';
import { tunnel } from './proxy.ts';

/** This machine's way out, directly or through the operator's proxy; it is the network's, and remembers no address. */
export interface Uplink extends Disposable {
  /** Connects to an address that has been judged. Fails with `unreachable` while connections rest, and as dialling does. */
  connect(to: Endpoint, signal: AbortSignal): Promise<Socket>;
  /** Whether connections rest, because neither a target nor the resolver has answered. */
  isResting(): boolean;
}

/** A way out. `isAlive` asks whether there is a network, where a target does not answer. */
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
      // A refusal is an answer too.
      else if (error.code === 'connection_refused') circuit.succeed();
    }
  }

  return {
    async connect(to, signal) {
      const next = settings.egress_proxy ?? to;
      if (circuit.isOpen()) {
        if (circuit.mayTry()) void tryAgain(next);
        throw new FailureError('unreachable', 'nothing has answered, and connections rest');
      }
      // Long before the time is up, so that it is known by then whether the network is to blame.
      const doubt = setTimeout(() => void circuit.suspect(), timeoutMs / 3);
      try {
        const socket = await dial(next, signal);
        circuit.succeed();
        if (settings.egress_proxy) await tunnel(socket, settings.egress_proxy, to, signal);
        return socket;
      } catch (error) {
        if (!settings.egress_proxy || signal.aborted || !(error instanceof FailureError)) throw error;
        throw new FailureError('proxy_failed', error.message);
      } finally {
        clearTimeout(doubt);
      }
    },
    isResting: () => circuit.isOpen(),
    [Symbol.dispose]() {
      closing.abort();
      circuit[Symbol.dispose]();
    },
  };
}
