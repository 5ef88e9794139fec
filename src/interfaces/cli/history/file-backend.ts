import { quarantinedFilesIn } from '#src/checks/store/file/quarantine.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { awaitDeletion } from './await-deletion.ts';
import type { DeletionBackend } from './deletion-backend.ts';
import { describeEarlier } from './deletion-text.ts';

/** Asks for deletions from a log in a file. Throws StoreError where there is none. */
export async function openFileBackend(
  dataDir: string,
  visibility: Visibility,
  logger: Logger,
): Promise<DeletionBackend> {
  const log = await openLocalLog({ dataDir, access: 'read', clock: systemClock, logger });
  const { deletions } = log;
  return {
    count: (criterion) => Promise.resolve(deletions.count(visibility, criterion)),
    async remove(criterion) {
      const earlier = deletions.all(visibility).filter(({ doneAtMs }) => doneAtMs === null);
      const id = deletions.ask(visibility, criterion);
      const awaited = await awaitDeletion({ log, dataDir, visibility, id, logger });
      const before = earlier.flatMap((one) => deletions.find(visibility, one.id) ?? []).map(describeEarlier);
      const aside = quarantinedFilesIn(dataDir).map(
        (path) => `${path} is a copy that may still contain them; remove it when it is no longer needed`,
      );
      return { ...awaited, notes: [...before, ...aside] };
    },
    all: () => Promise.resolve(deletions.all(visibility)),
    hashOf: deletions.hashOf,
    [Symbol.asyncDispose]: () => log[Symbol.asyncDispose](),
  };
}
