import { existsSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { noticePlace, writeNotice } from './notices.ts';

/** Marks the log at `path` as damaged for the service, which looks for marks and replaces the file. */
export function noteDamage(path: string, visibility: Visibility, problem: string, logger: Logger): void {
  const notice = {
    message: `${basename(path)} is damaged. lurecheck serve sets it aside within seconds, or at its next start, and copies its readable checks into a new file.`,
    publicMessage: `The ${visibility} log is damaged.`,
  };
  writeNotice(placeOf(path), notice, { problem }, logger);
}

/** Returns true if a process found the log at `path` damaged. */
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
