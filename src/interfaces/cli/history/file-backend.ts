import { systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { keptAsideIn } from '#src/checks/store/file/quarantine.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { awaitDeletion } from './await-deletion.ts';
import type { DeletionDesk } from './deletion-backend.ts';
import { describeEarlier } from './deletion-text.ts';

/** Asks for deletions from a log in a file. Throws StoreError where there is none. */
export async function openFileDesk(dataDir: string, visibility: Visibility, logger: Logger): Promise<DeletionDesk> {
  const log = await openLocalLog({ dataDir, access: 'read', clock: systemClock, logger });
  const { deletions } = log;
  return {
    count: (meant) => Promise.resolve(deletions.count(visibility, meant)),
    async remove(meant) {
      const earlier = deletions.all(visibility).filter(({ doneAtMs }) => doneAtMs === null);
      const id = deletions.ask(visibility, meant);
      const awaited = await awaitDeletion({ log, dataDir, visibility, id, logger });
      const before = earlier.flatMap((one) => deletions.find(visibility, one.id) ?? []).map(describeEarlier);
      const aside = keptAsideIn(dataDir).map(
        (path) => `${path} was kept aside and may still have them; remove it once it is not needed`,
      );
      return { ...awaited, notes: [...before, ...aside] };
    },
    all: () => Promise.resolve(deletions.all(visibility)),
    hashOf: deletions.hashOf,
    [Symbol.asyncDispose]: () => log[Symbol.asyncDispose](),
  };
}
