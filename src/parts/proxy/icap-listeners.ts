import type { Socket } from 'node:net';
import { createPeerListeners, FAREWELL_MS, type PeerServing } from '#src/app/listen/peer-listeners.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { formatListenAddress, hostInUrl, type ListenAddress } from '#src/core/base/settings/listen-address.ts';
import type { TlsPair } from '#src/network/certificate/tls-pair.ts';
import {
  createIcapConnection,
  type IcapConnection,
  type IcapConnectionParts,
} from '#src/parts/proxy/icap/icap-connection.ts';

/** A silent connection is closed after this time. */
const SILENCE_MS = 120_000;

/** Dependencies of the ICAP listeners. */
interface IcapServing
  extends Pick<IcapConnectionParts, 'decide' | 'istag'>,
    Pick<PeerServing, 'peers' | 'maxConnections' | 'logger'> {
  readonly plain: readonly ListenAddress[];
  readonly tls: readonly ListenAddress[];
  /** Certificate of the TLS addresses. */
  readonly pair: TlsPair | null;
  /** Receives the processor time of requests that arrived together, in seconds; null without metrics. */
  readonly onHandled: () => ((cpuSeconds: number) => void) | null;
}

/** Opens every address of ICAP, or none. Disposing of them completes what is being received. Throws ListenError. */
export async function openIcapListeners(serving: IcapServing) {
  const { plain, tls, pair, peers, maxConnections, logger } = serving;
  await using opened = new AsyncDisposableStack();
  const listeners = opened.use(
    createPeerListeners({
      ...{ protocol: 'icap', peers, maxConnections, logger },
      serve: (socket) => serveSocket(socket, serving),
    }),
  );
  const serve = async (address: ListenAddress, secure: TlsPair | null) => {
    const endpoint = await listeners.listen(address, secure);
    const place = endpoint ? `${hostInUrl(endpoint.address)}:${endpoint.port}/reqmod` : formatListenAddress(address);
    return { url: endpoint ? `${secure ? 'icaps' : 'icap'}://${place}` : place, endpoint };
  };
  const served = [];
  for (const address of plain) served.push(await serve(address, null));
  for (const address of tls) served.push(await serve(address, pair));
  const closing = opened.move();
  return {
    /** `icap://` and `icaps://` addresses in the order of the settings. */
    urls: served.map(({ url }) => url),
    endpoints: served.flatMap(({ endpoint }) => endpoint ?? []),
    connections: listeners.connections,
    renew: listeners.renew,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

function serveSocket(socket: Socket, { decide, istag, maxConnections, onHandled }: IcapServing): IcapConnection {
  const connection = createIcapConnection({
    ...{ decide, istag, maxConnections, now: systemClock.now },
    write: (bytes) => socket.write(bytes),
    end() {
      socket.setTimeout(FAREWELL_MS);
      socket.end();
    },
  });
  const readOn = (mayRead: boolean) => {
    if (mayRead) socket.resume();
    else socket.pause();
  };
  socket.setTimeout(SILENCE_MS, () => socket.destroy());
  socket.setNoDelay(true);
  socket.on('data', (bytes: Buffer) => {
    const measure = onHandled();
    const start = measure && process.threadCpuUsage();
    readOn(connection.receive(bytes));
    if (measure === null || start === null) return;
    const { user, system } = process.threadCpuUsage(start);
    measure((user + system) / 1e6);
  });
  socket.on('drain', () => readOn(connection.proceed()));
  socket.on('error', () => socket.destroy());
  return connection;
}
