import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import type { Logger } from '#src/core/base/logger.ts';

/** Something that the operator has to know of a log. */
export interface Notice {
  /** For the operator. */
  readonly message: string;
  /** For everybody. */
  readonly publicMessage: string;
}

const NAME = /^(public|private)\.notice-\w+\.json$/;

/** The file in which a notice on the log at `path` stands, for as long as that file is there. */
export function noticePlace(path: string, label: string): string {
  return path.replace(/\.sqlite$/, `.notice-${label}.json`);
}

/** Keeps a notice, with what else is worth keeping. False where that failed, on a full disk for instance. */
export function keepNotice(
  place: string,
  notice: Notice,
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

/** Every notice in a data directory, in the order of their names. */
export function readNotices(dataDir: string): Notice[] {
  return readdirSync(dataDir)
    .filter((name) => NAME.test(name))
    .toSorted()
    .map((name) => readNotice(join(dataDir, name)));
}

const NoticeSchema = Type.Object({ message: Type.String(), publicMessage: Type.String() });

/** What cannot be read is told as well: something is the matter. */
function readNotice(place: string): Notice {
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
