import type { Logger } from '#src/core/base/logger.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import type { ConfigFor } from './config.ts';
import type { Engine } from './engine.ts';
import { keepPacks, type PackKeeper } from '#src/admin/pack-updates/follow-packs.ts';

const NEWEST = { limit: 1, cursor: null, decision: null, domain: null, fromMs: null, untilMs: null };

/** Looks after the packs of a service. */
export function openPackKeeper(
  running: () => ConfigFor<'serve'>,
  engine: Pick<Engine, 'packs'>,
  log: Pick<ScanLog, 'page'>,
  logger: Logger,
): PackKeeper {
  const settings = running();
  const { data_dir: dataDir } = settings;
  const newestCheck = async () => (await log.page(NEWEST)).items[0]?.timestamp ?? null;
  const dropFolder = () => running().pack_dir;
  return keepPacks({ dataDir, settings, dropFolder, inForce: engine.packs, newestCheck, logger });
}
