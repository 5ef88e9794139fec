import type { ConfigFor } from '#src/app/config.ts';
import type { Engine } from '#src/app/engine.ts';
import type { DatabaseAccess } from '#src/checks/store/database-access.ts';
import type { DatabaseLog } from '#src/checks/store/scan-log.ts';
import { isFleet } from '#src/checks/store/settings.ts';
import { readClientKey } from '#src/checks/store/write/client-hash.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { FollowedFile } from '#src/core/base/files/followed-file.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { listsVersion } from '#src/network/lists/lists-version.ts';
import type { FollowedSets } from '#src/parts/fleet/shared/follow-shared.ts';
import { followFeedback } from './feedback.ts';
import { nodePrints } from './node-prints.ts';
import { followFleet } from './shared-state.ts';

/** Dependencies of a node of a fleet. */
interface JoiningParts {
  /** The settings as they are now. */
  readonly running: () => ConfigFor<'serve'>;
  readonly engine: Pick<Engine, 'modelVersion' | 'lists'>;
  /** Files of the data directory that the node follows. */
  readonly dataFiles: {
    followed(): readonly { readonly name: string; readonly followed: Pick<FollowedFile, 'checkNow'> }[];
  };
  readonly databaseAccess: DatabaseAccess;
  readonly logger: Logger;
}

/** Reports to other nodes that this one is alive and what should be the same on all of them, and follows what they share. */
export async function joinFleet(
  databases: DatabaseLog,
  { running, engine, dataFiles, logger, databaseAccess }: JoiningParts,
  onRescored: () => Promise<void>,
): Promise<AsyncDisposable & { readonly followed: FollowedSets | null }> {
  const clientKey = await readClientKey(running());
  const fleet = new AsyncDisposableStack();
  const reload = async (name: string) => {
    if (name === 'rescored') await onRescored();
    for (const file of dataFiles.followed()) if (file.name === name) await file.followed.checkNow();
  };
  const tools = { databases, clock: systemClock, logger, databaseAccess, reload };
  const followed = isFleet(running()) ? fleet.use(await followFleet(running(), tools)) : null;
  fleet.use(followFeedback(running(), { databaseAccess, logger }));
  const scoring = () => ({ modelVersion: engine.modelVersion(), listsVersion: listsVersion(engine.lists) });
  fleet.use(databases.announce(() => ({ ...scoring(), prints: nodePrints(running(), clientKey) })));
  return { followed, [Symbol.asyncDispose]: () => fleet.disposeAsync() };
}
