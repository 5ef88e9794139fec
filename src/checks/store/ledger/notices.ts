import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Type } from '@sinclair/typebox';
import type { Logger } from '#src/core/base/logger.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import type { Visibility } from '#src/core/base/visibility.ts';

/** Texts of a notice on a log. */
export interface NoticeTexts {
  /** For the operator. */
  readonly message: string;
  /** For the public. */
  readonly publicMessage: string;
}

/** A notice on a log. */
export interface LedgerNotice extends NoticeTexts {
  readonly log: Visibility;
}

const NAME = /^(public|private)\.notice-\w+\.json$/;

/** Returns the path of a notice on the log at `path`. The notice is open while the file exists. */
export function noticePlace(path: string, label: string): string {
  return path.replace(/\.sqlite$/, `.notice-${label}.json`);
}

/** Writes a notice with details. Returns false if that failed, for instance on a full disk. */
export function writeNotice(
  place: string,
  notice: NoticeTexts,
  details: Readonly<Record<string, unknown>>,
  logger: Logger,
): boolean {
  try {
    writeFileSync(place, `${JSON.stringify({ ...notice, ...details }, null, 2)}\n`, { mode: 0o600, flush: true });
    return true;
  } catch (error) {
    rmSync(place, { force: true });
    logger.warn('log.notice_failed', { place, error });
    return false;
  }
}

/** Reads all notices of a data directory, by file name. */
export function readNotices(dataDir: string): LedgerNotice[] {
  return readdirSync(dataDir)
    .filter((name) => NAME.test(name))
    .toSorted()
    .map((name) => ({ ...readNotice(join(dataDir, name)), log: name.startsWith('public.') ? 'public' : 'private' }));
}

const NoticeSchema = Type.Object({ message: Type.String(), publicMessage: Type.String() });

/** An unreadable notice is reported as well. */
function readNotice(place: string): NoticeTexts {
  const shaped = readShape(NoticeSchema, parseJson(textOf(place)));
  if ('problem' in shaped) {
    return { message: `${place} cannot be read.`, publicMessage: 'A notice on the logs cannot be read.' };
  }
  const { message, publicMessage } = shaped.value;
  return { message, publicMessage };
}

function textOf(place: string): string {
  try {
    return readFileSync(place, 'utf8');
  } catch {
    return '';
  }
}

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
