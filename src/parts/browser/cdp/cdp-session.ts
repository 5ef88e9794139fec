import type { CdpCommands, CdpEvents } from './protocol.ts';
import { CdpError, type CdpTransport } from './transport.ts';

/** Options of a command. */
export interface CdpCallOptions {
  /** The page that it is for; absent for the browser. */
  readonly sessionId?: string | undefined;
  readonly timeoutMs?: number;
}

/** An event of a page, or of the browser without `sessionId`. */
export type CdpEvent = {
  readonly [Name in keyof CdpEvents]: {
    readonly method: Name;
    readonly params: CdpEvents[Name];
    readonly sessionId?: string;
  };
}[keyof CdpEvents];

/** A conversation with a browser over the Chrome DevTools Protocol. */
export interface CdpSession extends Disposable {
  /**
   * Sends a command. Throws CdpError. A page may be busy without end, a browser may not: the conversation ends if it does
   * not answer a command of its own in time.
   */
  call<Name extends keyof CdpCommands>(
    method: Name,
    params: CdpCommands[Name]['in'],
    options?: CdpCallOptions,
  ): Promise<CdpCommands[Name]['out']>;
  /** Calls a function with every event until the returned one is called. */
  listen(onEvent: (event: CdpEvent) => void): () => void;
  /** Resolves when the browser is gone, or does not answer any more. */
  readonly closed: Promise<CdpEnd>;
}

/** End of a conversation: the browser ended, or hangs. */
export type CdpEnd = 'ended' | 'hung';

/** Time for a command of which a browser makes nothing, in milliseconds. */
const CALL_TIMEOUT_MS = 5000;

interface Waiting {
  readonly method: string;
  resolve(result: never): void;
  reject(error: CdpError): void;
}

/** A message of the browser: the answer to a command, or an event. */
interface Received {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message?: string };
}

/** Opens a conversation over a transport, which it owns. */
export function createCdpSession(transport: CdpTransport): CdpSession {
  const waiting = new Map<number, Waiting>();
  const listeners = new Set<(event: CdpEvent) => void>();
  const closed = Promise.withResolvers<CdpEnd>();
  let isClosed = false;
  let last = 0;

  const settle = (id: number, end: (one: Waiting) => void) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (one) end(one);
  };
  const close = (how: CdpEnd) => {
    if (isClosed) return;
    isClosed = true;
    for (const id of [...waiting.keys()]) {
      settle(id, ({ method, reject }) => reject(new CdpError('closed', `the browser ${how} during ${method}`)));
    }
    closed.resolve(how);
  };
  const receive = (text: string) => {
    const { id, result, error, ...event }: Received & Record<string, unknown> = JSON.parse(text);
    if (id === undefined) {
      // Events that no visit uses are passed on as well; nobody reads them.
      for (const listener of listeners) listener(event as unknown as CdpEvent);
      return;
    }
    settle(id, ({ method, resolve, reject }) => {
      if (error) reject(new CdpError('refused', `${method}: ${error.message}`));
      else resolve(result as never);
    });
  };
  const dropLong = (head: string) => {
    const [, id] = /^\{"id":(\d+)/.exec(head) ?? [];
    settle(Number(id), ({ method, reject }) => reject(new CdpError('too_long', `the answer to ${method} is too long`)));
  };
  transport.receive({ message: receive, tooLong: dropLong, closed: () => close('ended') });

  return {
    call(method, params, { sessionId, timeoutMs = CALL_TIMEOUT_MS } = {}) {
      if (isClosed) return Promise.reject(new CdpError('closed', `the browser ended before ${method}`));
      const id = ++last;
      return new Promise((resolve, reject) => {
        const onTimeout = () => {
          settle(id, () => reject(new CdpError('timeout', `no answer to ${method} within ${timeoutMs} ms`)));
          if (sessionId !== undefined) return;
          close('hung');
          transport[Symbol.dispose]();
        };
        const timer = setTimeout(onTimeout, timeoutMs);
        const end =
          <T>(then: (value: T) => void) =>
          (value: T) => {
            clearTimeout(timer);
            then(value);
          };
        waiting.set(id, { method, resolve: end(resolve), reject: end(reject) });
        transport.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
      });
    },
    listen(onEvent) {
      listeners.add(onEvent);
      return () => void listeners.delete(onEvent);
    },
    closed: closed.promise,
    [Symbol.dispose]() {
      close('ended');
      transport[Symbol.dispose]();
    },
  };
}
