import { tcpPeer, unixPeer } from '#src/core/base/addresses/peer.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { ListenAddress } from '#src/core/base/settings/listen-address.ts';
import type { MetricSources, Metrics } from '#src/service/metrics/metrics.ts';
import type { Notifier } from '#src/service/notifications/notifier.ts';
import { type AdminParts, createAdminServer } from '#src/service/server/admin-app.ts';
import type { Background } from './background.ts';
import type { Engine } from './engine.ts';
import { type Listener, listen } from './listen/listener.ts';

/** A scrape takes milliseconds; the service does not wait for one that hangs. */
const PATIENCE_MS = 1000;

/** What the metrics are read from, beside the engine. */
export type MeasuredParts = Pick<MetricSources, 'logs' | 'databases' | 'syslog' | 'isReady' | 'limiter'> & {
  readonly beside: () => Pick<Background, 'packs' | 'alerts' | 'nights'>;
  readonly notifier: Pick<Notifier, 'channels'>;
};

/** Begins to measure; `engine` is asked once somebody reads what was measured. */
export async function openEngineMetrics(
  engine: () => Engine,
  { beside, notifier, ...parts }: MeasuredParts,
): Promise<Metrics> {
  // Who measures nothing does not pay for the package.
  const { openMetrics } = await import('#src/service/metrics/metrics.ts');
  return openMetrics({
    ...parts,
    packs: () => beside().packs(),
    alerts: () => beside().alerts(),
    rescored: () => beside().nights.latest(),
    notifications: notifier.channels,
    modelVersion: () => engine().modelVersion(),
    load: (visibility) => engine().load(visibility),
    lists: () => engine().lists,
  });
}

/** Serves what is for the operator alone. Throws ListenError. */
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
