import type { Registry } from 'prom-client';
import type { PictureStore } from '#src/checks/store/pictures/picture-store.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Notice } from '#src/core/base/text/condition.ts';
import type { TlsPair } from '#src/network/certificate/tls-pair.ts';
import type { Endpoint } from '#src/network/egress/endpoint.ts';
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
