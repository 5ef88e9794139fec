import { existsSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { keepNotice, noticePlace } from './notices.ts';

/** Keeps in mind for the next start that the log at `path` is damaged: a server that runs cannot begin it anew. */
export function noteDamage(path: string, visibility: Visibility, problem: string, logger: Logger): void {
  const notice = {
    message: `${basename(path)} is damaged, and no check is logged there. Start lurecheck anew: it keeps the file aside and begins another. Or stop it, restore a backup, and start it.`,
    publicMessage: `The ${visibility} log is damaged.`,
  };
  keepNotice(placeOf(path), notice, { problem }, logger);
}

/** Whether the last server found the log at `path` damaged. */
export function isDamageNoted(path: string): boolean {
  return existsSync(placeOf(path));
}

/** The log at `path` is sound, or another. */
export function forgetDamage(path: string): void {
  rmSync(placeOf(path), { force: true });
}

function placeOf(path: string): string {
  return noticePlace(path, 'damage');
}
