import { existsSync } from 'node:fs';
import { type Clock, systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { repeated } from '#src/core/base/repeated.ts';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import { PackError } from '#src/admin/packs/pack-error.ts';
import { packStateFile } from '#src/admin/packs/pack-state.ts';
import { openKnowledge } from '#src/admin/active/models.ts';
import { type BoxTime, boxTime, keepSeen } from './box-time.ts';
import { createDropFolder, type RefusedFile } from './drop-folder.ts';
import type { InstallOrder } from './install-pack.ts';
import { applyPackLists } from './pack-lists.ts';
import { notesOn, type PackStanding, standingOf } from '#src/admin/packs/pack-status.ts';
import type { PacksOverview } from '#src/admin/packs/active-packs.ts';

/** How often a drop folder is looked at, and the time is kept that the box has seen. */
const LOOK_EVERY_MS = 60_000;

/** How the packs of a service are. */
export interface PacksStatus {
  readonly packs: readonly PackStanding[];
  /** Files of the drop folder that are refused as things stand. */
  readonly refused: readonly RefusedFile[];
  /** What is to be known, a sentence each, as everybody may read it; none where all is well. */
  readonly notices: readonly string[];
}

/** Looks after the packs of a service. Disposing of it ends that. */
export interface PackKeeper extends AsyncDisposable {
  status(): PacksStatus;
  /** Looks into the drop folder, and at the time, now. Never throws: what is wrong is told. */
  look(): Promise<void>;
}

/** What a service hands to the keeper of its packs. */
export interface KeptPacks {
  readonly dataDir: string;
  readonly settings: InstallOrder['settings'];
  /** Where packs are put for it to find; null for nowhere. */
  readonly dropFolder: () => string | null;
  readonly inForce: () => PacksOverview;
  /** When the newest check was logged, ISO 8601 UTC; null where there is none. */
  readonly newestCheck: () => Promise<string | null>;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/**
 * Looks into the drop folder and at the time each minute. What is refused is told once, and stays in the status. What comes
 * into force is taken up by whoever watches the file that says so.
 */
export function keepPacks({ clock = systemClock, ...kept }: KeptPacks): PackKeeper {
  const { dataDir, settings, dropFolder, inForce, newestCheck, logger } = kept;
  let refused: readonly RefusedFile[] = [];
  /** Why the last look failed; null if it did not. */
  let failure: string | null = null;
  let time = timeNow();
  const drop = createDropFolder({ dataDir, clock, settings, openKnowledge });

  /** Without the newest time that was seen, if that cannot be read: checks go on. */
  function timeNow(): BoxTime {
    try {
      return boxTime(dataDir, clock);
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      logger.error('file.unusable', { file: 'packs', problem: error.message });
      return { nowMs: clock.now(), clockMs: clock.now(), isClockBehind: false };
    }
  }

  async function lookForPacks(folder: string): Promise<void> {
    const found = await drop.look(folder);
    for (const { name, version } of found.installed) logger.info('pack.installed', { pack: name, version });
    tellRefused(found.refused);
  }

  function tellRefused(now: readonly RefusedFile[]): void {
    for (const one of now) {
      if (!refused.some((before) => Bun.deepEquals(before, one))) logger.warn('pack.refused', { ...one });
    }
    refused = now;
  }

  /** Once for each failure, not each minute that it lasts. */
  function tellFailed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message !== failure)
      logger.error('pack.look_failed', error instanceof SettingsError ? { problems: error.problems } : { error });
    failure = message;
  }

  async function look(): Promise<void> {
    try {
      // A box that knows no publisher has nothing to hold against a time.
      const isUsed = existsSync(packStateFile(dataDir));
      if (isUsed) keepSeen(dataDir, [await newestCheck()]);
      const folder = dropFolder();
      if (folder === null) tellRefused([]);
      else await lookForPacks(folder);
      // What a command has begun beside the service, or a pack has become meanwhile.
      if (isUsed) await applyPackLists(dataDir, clock);
      failure = null;
    } catch (error) {
      if (error instanceof PackError) tellRefused([{ file: '', code: error.code, message: error.message }]);
      else tellFailed(error);
    }
    const before = time;
    time = timeNow();
    if (time.isClockBehind && !before.isClockBehind)
      logger.warn('clock.behind', { seen: new Date(time.nowMs).toISOString() });
  }

  const looking = repeated(LOOK_EVERY_MS, look);
  void looking.now();
  return {
    status() {
      const packs = standingOf(inForce(), Math.max(clock.now(), time.nowMs));
      return { packs, refused, notices: [...packs.flatMap(notesOn), ...timeNotice(time)] };
    },
    look: looking.now,
    [Symbol.asyncDispose]: looking.stop,
  };
}

/** What is to be known of the clock, a sentence; none where it is right as far as anybody knows. */
export function timeNotice({ isClockBehind, clockMs, nowMs }: BoxTime): string[] {
  if (!isClockBehind) return [];
  const [clock, seen] = [clockMs, nowMs].map((ms) => new Date(ms).toISOString());
  return [`The clock shows ${clock}, and this box has seen ${seen}: packs are held against the later.`];
}
