import type { ActPlace, ChangedFile } from '#src/admin/audit/act.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import type { Turns } from '#src/core/base/turns.ts';
import { changeInFleet } from '#src/parts/fleet/change-shared.ts';
import type { ConfigFor } from '../config.ts';
import type { DataFiles } from '../data-files.ts';
import type { Engine } from '../engine.ts';

/** Dependencies of the console's operations. */
export interface ConsoleService {
  /** The settings as they are now. */
  readonly running: () => ConfigFor<'serve'>;
  readonly engine: Pick<Engine, 'scoringContext'>;
  readonly log: Pick<ScanLog, 'read' | 'listHits'>;
  readonly dataFiles: Pick<DataFiles, 'followed'>;
  /** Previews and comparisons run one at a time, so that they take one core at most. */
  readonly heavy: Pick<Turns, 'run'>;
}

/** Returns the place of the acts of the console. */
export function consolePlace(service: Pick<ConsoleService, 'running' | 'dataFiles'>): ActPlace {
  return { dataDir: service.running().data_dir, change: (files, work) => changeActive(service, files, work) };
}

/** Changes files of the data directory, for all nodes of a fleet, and applies them in this service. */
async function changeActive<T>(
  { running, dataFiles }: Pick<ConsoleService, 'running' | 'dataFiles'>,
  names: readonly ChangedFile[],
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await changeInFleet(running(), names, change);
  } finally {
    for (const { name, followed } of dataFiles.followed()) {
      if (names.some((one) => one === name)) await followed.checkNow();
    }
  }
}
