import { tcpPeer, unixPeer } from '#src/core/base/addresses/peer.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { ListenAddress } from '#src/core/base/settings/listen-address.ts';
import type { LimiterStatus } from '#src/parts/fleet/limiter/redis-windows.ts';
import type { MetricSources, Metrics } from '#src/parts/monitoring/metrics/metrics.ts';
import type { Notifier } from '#src/parts/monitoring/notifications/notifier.ts';
import { type AdminParts, createAdminServer } from '#src/service/server/admin-app.ts';
import type { Background } from './background.ts';
import type { Engine } from './engine.ts';
import { type Listener, listen } from './listen/listener.ts';

/** Timeout of a scrape, in milliseconds. */
const PATIENCE_MS = 1000;

/** Sources of the metrics. */
export type MeasuredParts = Pick<MetricSources, 'logs' | 'databases' | 'syslog' | 'isReady' | 'parts'> & {
  readonly engine: Pick<Engine, 'modelVersion' | 'load' | 'lists'>;
  readonly background: Pick<Background, 'packs' | 'alerts' | 'nights'>;
  readonly notifier: Pick<Notifier, 'channels'>;
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
}: MeasuredParts): Promise<Metrics> {
  // A service that measures nothing does not load the package.
  const { openMetrics } = await import('#src/parts/monitoring/metrics/metrics.ts');
  return await openMetrics({
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
