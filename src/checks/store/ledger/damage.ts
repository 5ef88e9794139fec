import { existsSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { noticePlace, writeNotice } from './notices.ts';

/** Marks the log at `path` as damaged for the next start: a running server cannot replace it. */
export function noteDamage(path: string, visibility: Visibility, problem: string, logger: Logger): void {
  const notice = {
    message: `${basename(path)} is damaged, and no check is logged there. Restart lurecheck: it quarantines the file and creates a new one. Or stop it, restore a backup, and start it.`,
    publicMessage: `The ${visibility} log is damaged.`,
  };
  writeNotice(placeOf(path), notice, { problem }, logger);
}

/** Returns true if the last server found the log at `path` damaged. */
export function isDamageNoted(path: string): boolean {
  return existsSync(placeOf(path));
}

/** Clears the mark once the log at `path` is intact or replaced. */
export function clearDamage(path: string): void {
  rmSync(placeOf(path), { force: true });
}

function placeOf(path: string): string {
  return noticePlace(path, 'damage');
}
