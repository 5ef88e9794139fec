import type { ListenAddress } from '#src/core/base/settings/listen-address.ts';
import type { LateRoutes } from '#src/service/server/late-routes.ts';
import type { ConfigFor } from '../config.ts';
import type { OpenedPart } from './service.ts';

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
