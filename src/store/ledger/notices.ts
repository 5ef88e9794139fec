import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { parseJson, readShape } from '#src/base/json-shape.ts';
import type { Logger } from '#src/base/logger.ts';

/** Something that the operator has to know of a log. */
export interface Notice {
  /** For the operator. */
  readonly message: string;
  /** For everybody. */
  readonly publicMessage: string;
  /** The file in which it stands, for as long as that is there: to remove it says that it was read. Null where it stands nowhere. */
  readonly place: string | null;
}

const NAME = /^(public|private)\.notice-\w+\.json$/;

/**
 * Keeps a notice beside the log at `path`, under a label, with what else is worth keeping. Where that fails, on a full disk
 * for instance, the notice comes back without a place.
 */
export function keepNotice(
  path: string,
  label: string,
  notice: Pick<Notice, 'message' | 'publicMessage'>,
  details: Readonly<Record<string, unknown>>,
  logger: Logger,
): Notice {
  const place = placeOf(path, label);
  try {
    writeFileSync(place, `${JSON.stringify({ ...notice, ...details }, null, 2)}\n`, { mode: 0o600, flush: true });
    return { ...notice, place };
  } catch (error) {
    rmSync(place, { force: true });
    logger.warn('log.notice_failed', { place, error });
    return { ...notice, place: null };
  }
}

/** Whether a notice stands under the label. */
export function hasNotice(path: string, label: string): boolean {
  return existsSync(placeOf(path, label));
}

/** Takes a notice back, because it no longer holds. */
export function withdrawNotice(path: string, label: string): void {
  rmSync(placeOf(path, label), { force: true });
}

function placeOf(path: string, label: string): string {
  return path.replace(/\.sqlite$/, `.notice-${label}.json`);
}

/** The whole of a notice for the operator. */
export function describeNotice({ message, place }: Notice): string {
  return place === null ? message : `${message} Remove ${place} once you have seen to it.`;
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
    return { message: `${place} cannot be read.`, publicMessage: 'A notice on the logs cannot be read.', place };
  }
  const { message, publicMessage } = shaped.value;
  return { message, publicMessage, place };
}

function textOf(place: string): string {
  try {
    return readFileSync(place, 'utf8');
  } catch {
    return '';
  }
}
