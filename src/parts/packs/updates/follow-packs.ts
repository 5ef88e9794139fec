import { existsSync } from 'node:fs';
import type { PacksOverview } from '#src/admin/active/active-packs.ts';
import { packStateFile } from '#src/admin/active/pack-state.ts';
import { type Clock, systemClock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { lazily } from '#src/core/base/lazily.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { type Notice, notice } from '#src/core/base/text/condition.ts';
import { repeated } from '#src/core/base/timers.ts';
import { PackError } from '#src/parts/packs/packs/pack-error.ts';
import { type PackStatus, packNotices, packStatuses } from '#src/parts/packs/packs/pack-status.ts';
import { type PackTime, packTime, recordSeenTimes } from '#src/parts/packs/packs/pack-time.ts';
import type { ServicePart } from '#src/service/server/health-routes.ts';
import type { RefusedPack } from './drop-folder.ts';
import type { InstallOrder } from './install-pack.ts';

/** Interval in which the drop folder is examined and the latest time of the host is stored, in milliseconds. */
const CHECK_EVERY_MS = 60_000;

/** Status of the packs of a service. */
interface PacksStatus {
  readonly packs: readonly PackStatus[];
  /** Files of the drop folder that are currently refused. */
  readonly refused: readonly RefusedPack[];
  /** Notices for the public, in sentences; empty if there are none. */
  readonly notices: readonly Notice[];
  /** Their state in `/readyz`: faulty packs degrade the service; their content stays active. */
  readonly readiness: Omit<ServicePart, 'name'>;
}

/** Dependencies of following packs. */
interface FollowedPacks {
  readonly dataDir: string;
  readonly settings: InstallOrder['settings'];
  /** Returns the drop folder; null if there is none. */
  readonly dropFolder: () => string | null;
  readonly active: () => PacksOverview;
  /** Returns the time of the latest logged check, ISO 8601 UTC; null if there is none. */
  readonly newestCheck: () => Promise<string | null>;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/**
 * Scans the drop folder and checks the clock every minute. A refusal is logged once and stays in the status. Watchers of the
 * state file activate what was installed.
 */
export function followPacks({ clock = systemClock, ...stored }: FollowedPacks) {
  const { dataDir, settings, dropFolder, active, newestCheck, logger } = stored;
  let refused: readonly RefusedPack[] = [];
  /** Why the last look failed; null if it did not. */
  let failure: string | null = null;
  let time = timeNow();
  const drop = lazily(async () => {
    const { openKnowledge } = await import('#src/admin/active/models.ts');
    return (await import('./drop-folder.ts')).createDropFolder({ dataDir, clock, settings, openKnowledge });
  });

  /** Without the latest time that was seen, if that cannot be read: checks continue. */
  function timeNow(): PackTime {
    try {
      return packTime(dataDir, clock);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      logger.error('file.unusable', { file: 'packs', problem: error.message });
      return { nowMs: clock.now(), clockMs: clock.now(), isClockBehind: false };
    }
  }

  async function scanDropFolder(folder: string): Promise<void> {
    const found = await (await drop()).scan(folder);
    for (const { name, version } of found.installed) logger.info('pack.installed', { pack: name, version });
    reportRefused(found.refused);
  }

  function reportRefused(now: readonly RefusedPack[]): void {
    for (const one of now) {
      if (!refused.some((before) => Bun.deepEquals(before, one))) logger.warn('pack.refused', { ...one });
    }
    refused = now;
  }

  /** Once for each failure, not each minute that it lasts. */
  function reportFailure(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message !== failure)
      logger.error('pack.look_failed', error instanceof OperationError ? { problems: error.problems } : { error });
    failure = message;
  }

  async function check(): Promise<void> {
    try {
      // A host without any publisher has nothing to compare with a time.
      const isUsed = existsSync(packStateFile(dataDir));
      if (isUsed) recordSeenTimes(dataDir, [await newestCheck()]);
      const folder = dropFolder();
      if (folder === null) reportRefused([]);
      else await scanDropFolder(folder);
      // What a command has begun beside the service, or a pack has become meanwhile.
      if (isUsed) await (await import('./pack-lists.ts')).applyPackLists(dataDir, clock);
      failure = null;
    } catch (error) {
      if (error instanceof PackError) reportRefused([{ file: '', code: error.code, message: error.message }]);
      else reportFailure(error);
    }
    const before = time;
    time = timeNow();
    if (time.isClockBehind && !before.isClockBehind)
      logger.warn('clock.behind', { seen: new Date(time.nowMs).toISOString() });
  }

  const checking = repeated(CHECK_EVERY_MS, check);
  void checking.now();
  return {
    status() {
      const packs = packStatuses(active(), Math.max(clock.now(), time.nowMs));
      const notices = [...packs.flatMap(packNotices), ...timeNotice(time)];
      return { packs, refused, notices, readiness: readinessOfPacks(packs, refused, notices) };
    },
    /** Examines the drop folder, and the time, now. Never throws: problems are logged. */
    checkNow: checking.now,
    [Symbol.asyncDispose]: checking.stop,
  };
}

function readinessOfPacks(
  packs: PacksStatus['packs'],
  refused: PacksStatus['refused'],
  notices: PacksStatus['notices'],
): PacksStatus['readiness'] {
  const faults = notices.map(({ text }) => text);
  if (refused.length > 0) faults.push(`${refused.length} files of the drop folder are refused.`);
  if (faults.length > 0) return { state: 'degraded', detail: faults.join(' ') };
  if (packs.length === 0) return { state: 'off', detail: null };
  return { state: 'ok', detail: packs.map(({ name, version }) => `${name} ${version}`).join(', ') };
}

/** Returns a warning about a clock that went back; none otherwise. */
function timeNotice({ isClockBehind, clockMs, nowMs }: PackTime): Notice[] {
  if (!isClockBehind) return [];
  const [clock, seen] = [clockMs, nowMs].map((ms) => new Date(ms).toISOString());
  const text = `The clock shows ${clock}, and this host has observed ${seen}: the later one decides when packs expire.`;
  return [notice('clock_behind', text, { clock: clock ?? '', seen: seen ?? '' })];
}
