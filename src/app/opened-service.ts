import { setTimeout as wait } from 'node:timers/promises';
import type { LiveChecks } from '#src/checks/check/live-checks.ts';
import type { Notice } from '#src/core/base/text/condition.ts';
import type { AppLoggers, Checking, CheckingParts } from './checking.ts';
import type { LiveSettings } from './live-settings.ts';
import type { LogUpkeep, OpenedLog, OpenedPictures } from './open-log.ts';
import type { OpenedParts } from './parts/open-parts.ts';
import type { Provided } from './parts.ts';
import type { ShownOrigins } from './settings-shown.ts';

/** Dependencies of the service that the process provides. */
export interface AppTools extends AppLoggers {
  /** Source of each setting. */
  readonly origins: () => ShownOrigins;
  /** Notices on a reload that was refused. */
  readonly reloadNotices: () => readonly Notice[];
  /** Descriptors of listening sockets that the service manager passed on. */
  readonly inheritedSockets: readonly number[];
}

/** Phases of a stop: load balancers drain the node once `leaving` is aborted, waiting requests end with `stopping`. */
interface StopSignals {
  readonly leaving: AbortController;
  readonly stopping: AbortController;
}

/** Everything of a service that is open before it is watched and serves. */
export interface OpenedService {
  readonly live: LiveSettings;
  readonly openedLog: OpenedLog;
  readonly pictures: OpenedPictures;
  readonly upkeep: LogUpkeep;
  readonly notifier: CheckingParts['notifier'];
  readonly checking: Checking;
  readonly liveChecks: LiveChecks;
  readonly parts: OpenedParts;
  readonly rotations: Provided<'rotationsOf'>;
  readonly databaseAccess: CheckingParts['databaseAccess'];
  /** Key of this installation. */
  readonly key: () => Buffer;
  readonly stop: StopSignals;
  readonly tools: AppTools;
}

/** Lets load balancers drain the node, then ends waiting requests. */
export async function leave({ leaving, stopping }: StopSignals, delaySeconds: number): Promise<void> {
  leaving.abort();
  await wait(delaySeconds * 1000);
  stopping.abort();
}
