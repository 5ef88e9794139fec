import { CdpError, type CdpTransport, MAX_CDP_BYTES } from './transport.ts';
/**
 * Connects to a running browser at a `ws://` address with its path; without a path, the browser is asked for it.
 *
 * @throws CdpError `closed` if no browser answers within the time
 */
export async function openSocketTransport(address: string, timeoutMs: number): Promise<CdpTransport> {
  const soon = AbortSignal.timeout(timeoutMs);
  const socket = new WebSocket(await endpointOf(address, soon));
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  const fail = () => reject(new CdpError('closed', `no browser answers at ${address}`));
  socket.addEventListener('open', () => resolve());
  socket.addEventListener('close', fail);
  socket.addEventListener('error', fail);
  soon.addEventListener('abort', fail);
  try {
    await opened;
  } catch (error) {
    socket.close();
    throw error;
  }
  return {
    send: (message) => socket.send(message),
    receive(receiver) {
      socket.addEventListener('message', ({ data }) => {
        const text = String(data);
        if (text.length > MAX_CDP_BYTES) receiver.tooLong(text.slice(0, 64));
        else receiver.message(text);
      });
      socket.addEventListener('close', () => receiver.closed());
    },
    [Symbol.dispose]: () => socket.close(),
  };
}

async function endpointOf(address: string, signal: AbortSignal): Promise<string> {
  const url = new URL(address);
  if (url.pathname !== '/') return address;
  try {
    const answer = await fetch(`http://${url.host}/json/version`, { signal, proxy: '' });
    const { webSocketDebuggerUrl: found } = (await answer.json()) as { webSocketDebuggerUrl?: unknown };
    // The browser names itself as it was asked for; only the path is its own.
    return typeof found === 'string' ? `ws://${url.host}${new URL(found).pathname}` : address;
  } catch {
    throw new CdpError('closed', `no browser answers at ${address}`);
  }
}
