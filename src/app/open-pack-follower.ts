import { followPacks, type PackFollower } from '#src/admin/pack-updates/follow-packs.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { ConfigFor } from './config.ts';
import type { Engine } from './engine.ts';

const NEWEST = { limit: 1, cursor: null, decision: null, domain: null, fromMs: null, untilMs: null };

/** Looks after the packs of a service. */
export function openPackFollower(
  running: () => ConfigFor<'serve'>,
  engine: Pick<Engine, 'packs'>,
  log: Pick<ScanLog, 'page'>,
  logger: Logger,
): PackFollower {
  const settings = running();
  const { data_dir: dataDir } = settings;
  const newestCheck = async () => (await log.page(NEWEST)).items[0]?.timestamp ?? null;
  const dropFolder = () => running().pack_dir;
  return followPacks({ dataDir, settings, dropFolder, active: engine.packs, newestCheck, logger });
}
