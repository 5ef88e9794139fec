import { watchFile } from '#src/base/changed-file.ts';
import type { Logger } from '#src/base/logger.ts';
import { stateFileIn } from '#src/lists/kept/list-state.ts';
import type { Engine } from './engine.ts';

/**
 * Takes up the lists of the data directory whenever somebody changes them, within two seconds. Where they cannot be read then,
 * those before stay in force, and the operator is told. Disposing of it ends looking.
 */
export function followKeptLists(
  dataDir: string,
  engine: Pick<Engine, 'readKeptLists'>,
  logger: Pick<Logger, 'info' | 'error'>,
): Disposable {
  // One after the other, so that what was changed last is what stays.
  let reading = Promise.resolve();
  const read = (): void => {
    reading = reading.then(async () => {
      try {
        const { lists, hasChanged } = await engine.readKeptLists();
        if (hasChanged) logger.info('lists.reread', { lists: lists.length });
      } catch (error) {
        logger.error('lists.kept', { error });
      }
    });
  };
  const watch = watchFile(stateFileIn(dataDir), read);
  // What was changed since the start.
  read();
  return watch;
}
