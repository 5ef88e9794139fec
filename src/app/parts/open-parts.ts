import type { Registry } from 'prom-client';
import type { ListenAddress } from '#src/core/base/settings/listen-address.ts';
import type { Notice } from '#src/core/base/text/condition.ts';
import type { TlsPair } from '#src/network/certificate/tls-pair.ts';
import type { Endpoint } from '#src/network/egress/endpoint.ts';
import type { LateRoutes } from '#src/service/server/late-routes.ts';
import { ALL_PARTS, type OpenedOf, type PartKey } from '../parts.ts';
import type { OpenedPart, PartRoutes, RoutedService, Service } from './service.ts';

/** Routes of a part of a service. */
interface OpenedRoutes extends LateRoutes {
  /** Returns their dependencies, on all addresses or on those that serve them alone. */
  own(isApart: boolean): object;
  readonly addresses: readonly ListenAddress[];
}

/** The open parts of a service. Disposing of them closes them in reverse order. */
export interface OpenedParts extends AsyncDisposable {
  /** Returns a part by its name; null if the settings do not enable it. */
  get<Key extends PartKey>(name: Key): OpenedOf<Key> | null;
  /** See {@link OpenedPart.addresses}. */
  addresses(): Readonly<Record<string, readonly string[]>>;
  endpoints(): readonly Endpoint[];
  notices(): readonly Notice[];
  /** Registers the metrics of all parts, also of those that are opened later. */
  measure(registry: Registry): Promise<void>;
  renew(pair: TlsPair): void;
  /** Returns the routes of all parts, also of those that are not open. */
  routes(running: Service['running'], pulled: RoutedService<never>['pulled']): readonly OpenedRoutes[];
  /** Applies changed settings, and opens the parts that they enable. Throws ListenError, SettingsError. */
  reload(): Promise<void>;
}

/** Opens the parts that the settings enable; nothing is loaded of the others. Throws ListenError, SettingsError. */
export async function openParts(service: Service): Promise<OpenedParts> {
  await using opened = new AsyncDisposableStack();
  const parts = new Map<string, OpenedPart>();
  let measuredIn: Registry | null = null;
  async function openEnabled(closing: AsyncDisposableStack): Promise<void> {
    for (const { name, isOn, open } of ALL_PARTS) {
      if (parts.has(name) || !isOn(service.running())) continue;
      const part = closing.use(await open(service));
      parts.set(name, part);
      if (measuredIn !== null) await part.measure?.(measuredIn);
    }
  }
  await openEnabled(opened);
  const closing = opened.move();
  const all = () => [...parts.values()];
  return {
    get: <Key extends PartKey>(name: Key) => (parts.get(name) ?? null) as OpenedOf<Key> | null,
    addresses: () => Object.assign({}, ...all().map(({ addresses }) => addresses)),
    endpoints: () => all().flatMap(({ endpoints }) => endpoints ?? []),
    notices: () => all().flatMap((part) => part.notices?.() ?? []),
    async measure(registry) {
      measuredIn = registry;
      for (const part of all()) await part.measure?.(registry);
    },
    routes: (running, pulled) =>
      ALL_PARTS.flatMap(({ name, routes }) =>
        routes.map(({ heads, load, own, apart }: PartRoutes) => ({
          ...{ heads, load, addresses: apart?.(running()) ?? [] },
          own: (isApart) => own?.({ running, pulled, isApart, opened: () => parts.get(name) ?? null }) ?? {},
        })),
      ),
    renew(pair) {
      for (const part of all()) part.renew?.(pair);
    },
    async reload() {
      for (const part of all()) part.reload?.();
      await openEnabled(closing);
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
