import type { Registry } from 'prom-client';
import type { PictureStore } from '#src/checks/store/pictures/picture-store.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { ListenAddress } from '#src/core/base/settings/listen-address.ts';
import type { Notice } from '#src/core/base/text/condition.ts';
import type { TlsPair } from '#src/network/certificate/tls-pair.ts';
import type { Endpoint } from '#src/network/egress/endpoint.ts';
import type { LateRoutes } from '#src/service/server/late-routes.ts';
import type { ConfigFor } from '../config.ts';
import type { Engine } from '../engine.ts';

/** Parts of the service that a part may use. */
export interface Service {
  /** Settings as they are now. */
  readonly running: () => ConfigFor<'serve'>;
  readonly engine: Engine;
  /** The logs; what a part appends is also shown live. */
  readonly log: Pick<ScanLog, 'append'>;
  /** Pictures of pages; see `PictureStore.hold`. */
  readonly pictures: Pick<PictureStore, 'isOn' | 'hold'>;
  /** Key of this installation, from which signatures are derived. */
  readonly key: () => Buffer;
  /** Certificate and key of the service; null without TLS. */
  readonly pair: TlsPair | null;
  readonly logger: Logger;
}

/** An open part of a service. Disposing of it completes what it is asked. */
export interface OpenedPart extends AsyncDisposable {
  /** Its addresses by the field of `server.listening`, such as `icap_urls`, in the order of the settings. */
  readonly addresses?: Readonly<Record<string, readonly string[]>>;
  /** Addresses of its own, which no check may reach. */
  readonly endpoints?: readonly Endpoint[];
  /** Notices for readiness. */
  notices?(): readonly Notice[];
  /** Registers its metrics, and counts in them from now on. */
  measure?(registry: Registry): Promise<void>;
  /** Uses another certificate from now on. */
  renew?(pair: TlsPair): void;
  /** Applies changed settings. */
  reload?(): void;
}

/** Dependencies of the routes of a part. */
export interface RoutedService<Opened> {
  readonly running: () => ConfigFor<'serve'>;
  /** The open part; null while the settings do not enable it. */
  readonly opened: () => Opened | null;
  /** True on the addresses of these routes alone. */
  readonly isApart: boolean;
  /** Notes that a client pulled a list; the name of the key is null for a client that needs none. */
  pulled(list: string, status: number, keyName: string | null, isStale: boolean): void;
}

/** Routes of a part, which are loaded with the first request to one of them. */
export interface PartRoutes<Opened = OpenedPart> extends LateRoutes {
  /** Returns their dependencies, beside those that a server gives all routes; there are none without it. */
  own?(service: RoutedService<Opened>): object;
  /** Addresses that serve these routes alone. */
  apart?(settings: ConfigFor<'serve'>): readonly ListenAddress[];
}
