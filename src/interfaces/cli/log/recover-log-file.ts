import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigFor } from '#src/app/config.ts';
import { clearPendingRecovery, visibilityOf } from '#src/checks/store/file/open-or-replace.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { lossText } from '#src/checks/store/recovery/recoveries.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Io } from '#src/core/base/io.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { type Invocation, UsageError } from '../command.ts';
import type { ExitCode } from '../exit-codes.ts';

/** Copies the readable checks of a damaged file into the log of the data directory; 1 if some could not be read. */
export async function recoverLogFile(
  { config, positionals, flag, resolvePath }: Invocation<ConfigFor<'log'>>,
  io: Io,
  logger: Logger,
): Promise<ExitCode> {
  const [, name = ''] = positionals;
  const path = resolvePath(name);
  if (!existsSync(path) && !existsSync(`${path}-wal`)) throw new UsageError(`file not found: ${name}`);
  // The name says which log it is: nothing else in a private log does.
  const visibility = flag('private') ? 'private' : visibilityOf(path);
  if (visibility === null) {
    throw new UsageError(`${name}: rename the file so that its name begins with public.sqlite, or pass --private`);
  }
  const inUse = join(config.data_dir, `${visibility}.sqlite`);
  if (existsSync(inUse) && existsSync(path) && realpathSync(inUse) === realpathSync(path)) {
    throw new UsageError(`${name} is the log in use; lurecheck doctor examines it`);
  }
  await using log = await openLocalLog({ dataDir: config.data_dir, access: 'append', clock: systemClock, logger });
  const recovered = await log.recover(visibility, path);
  clearPendingRecovery(path);
  const { copied, present, erased, lost } = recovered;
  const others = [
    ...(present > 0 ? [`${present} were already there`] : []),
    ...(erased > 0 ? [`${erased} had been deleted on request and were left out`] : []),
  ];
  const said = [`${counted(copied, 'check')} copied into the ${visibility} log`, ...others].join(', ');
  await io.stdout.write(`${said}. ${lossText(recovered)}\n`);
  return lost === 0 ? 0 : 1;
}
