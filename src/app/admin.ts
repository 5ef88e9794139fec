import { tcpPeer, unixPeer } from '#src/core/base/addresses/client-address.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { ListenAddress } from '#src/core/base/settings/listen-address.ts';
import { type AdminParts, createAdminServer } from '#src/service/server/admin-app.ts';
import type { LimiterStatus } from '#src/service/server/limiter/quota.ts';
import type { Background } from './background.ts';
import type { Engine } from './engine.ts';
import { type Listener, listen } from './listen/listener.ts';
import { PROVIDED, type Provided } from './parts.ts';

/** Timeout of a scrape, in milliseconds. */
const PATIENCE_MS = 1000;

/** Sources of the metrics. */
export type MeasuredParts = Pick<
  Parameters<Awaited<ReturnType<typeof PROVIDED.openMetrics>>>[0],
  'logs' | 'databases' | 'syslog' | 'isReady' | 'parts'
> & {
  readonly engine: Pick<Engine, 'modelVersion' | 'load' | 'lists'>;
  readonly background: Pick<Background, 'packs' | 'alerts' | 'nights'>;
  readonly notifier: Pick<Provided<'openNotifier'>, 'channels'>;
  /** Null if no limiter is configured. */
  readonly limiter: LimiterStatus | null;
};

/** Opens the metrics; what they read is queried at each scrape. */
export async function openEngineMetrics({
  engine,
  background,
  notifier,
  limiter,
  ...parts
}: MeasuredParts): Promise<Provided<'openMetrics'>> {
  // A service that measures nothing does not load the package.
  return await (await PROVIDED.openMetrics())({
    ...parts,
    packs: background.packs,
    alerts: background.alerts,
    rescored: background.nights.latest,
    notifications: notifier.channels,
    modelVersion: engine.modelVersion,
    load: engine.load,
    lists: () => engine.lists,
    limiter: () => limiter,
  });
}

/** Opens the listener for the operator. Throws ListenError. */
export async function openAdminListener(
  address: ListenAddress,
  parts: Omit<AdminParts, 'peerOf' | 'clock'>,
): Promise<Listener & AsyncDisposable> {
  const peerOf = address.kind === 'unix' ? unixPeer : tcpPeer;
  const listener = await listen(createAdminServer({ ...parts, peerOf, clock: systemClock }), address, {
    pair: null,
    isPortShared: false,
  });
  return { ...listener, [Symbol.asyncDispose]: () => listener.stop(PATIENCE_MS) };
}
