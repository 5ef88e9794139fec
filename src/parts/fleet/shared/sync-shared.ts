import { copyFileSync, existsSync, linkSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import type { DocumentVersion } from '#src/checks/store/database-access.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { FileBusyError, readIfExists, replaceLocked } from '#src/core/base/files/locked-file.ts';
import { createLogger, type Logger } from '#src/core/base/logger.ts';
import { databaseFaultOf } from '#src/parts/postgres/session/fault.ts';
import { onPublicPrimary } from '#src/parts/postgres/session/public-primary.ts';
import {
  type ContentSeal,
  createContentSeal,
  publishShared,
  readShared,
  readVersions,
  type SharedContent,
  type SharedDocument,
} from '#src/parts/postgres/shared-documents.ts';
import {
  type FleetPlace,
  type LastSync,
  nextStep,
  printOf,
  readLastSync,
  type SharedSet,
  writeLastSync,
} from './last-sync.ts';
import { describeFile, downloadFiles, sizeOf, uploadFiles } from './shared-files.ts';

/** Maximum attempts of a change if others change the document meanwhile. */
const MOST_TRIES = 50;

/** Wait for another process that changes the same file in the data directory, in milliseconds. */
const BUSY_MS = 20;

const QUIET = createLogger('error', () => {});

/** A connection to the database of a fleet. */
export interface FleetConnection {
  readonly db: BunSQLDatabase;
  readonly seal: ContentSeal;
  readonly place: FleetPlace;
  readonly logger: Logger;
}

/** Result of a synchronization. */
export interface Synced {
  readonly did: 'nothing' | 'adopted' | 'published';
  /** Folder with the replaced local files; null if nothing was replaced. */
  readonly aside: string | null;
}

/**
 * Runs work with the database of a fleet.
 *
 * @throws OperationError if the database cannot be used
 */
export async function onFleet<T>(
  place: FleetPlace,
  what: string,
  work: (fleet: FleetConnection) => Promise<T>,
  logger: Logger = QUIET,
): Promise<T> {
  const seal = createContentSeal(place.clientKey);
  try {
    return await onPublicPrimary(place, ({ db }) => work({ db, seal, place, logger }));
  } catch (cause) {
    const fault = databaseFaultOf(cause);
    if (!fault) throw cause;
    const problem = `the database that holds the ${what} of all nodes cannot be used: ${fault.matter}`;
    throw new OperationError('database_unusable', [problem], { cause });
  }
}

/**
 * Returns the step that is due for the version in the database; null if none is.
 *
 * @param base sync that a local change was made from; the last one by default
 */
export function stepFor(
  set: SharedSet,
  { seal, place: { dataDir } }: Pick<FleetConnection, 'seal' | 'place'>,
  found: DocumentVersion | null,
  base?: LastSync | null,
) {
  const latest = readLastSync(dataDir)[set.name] ?? null;
  const text = readIfExists(join(dataDir, set.path), set.name);
  const print = printOf(text);
  const taken = base === undefined || print === latest?.print ? latest : base;
  // The keyed hash needs the text, which is available only while it is the synchronized one.
  const isKnown = taken !== null && text !== null && print === taken.print;
  const isOther = isKnown && found !== null && found.print !== null && found.print !== seal.printOf(text);
  const step = nextStep(found, { taken, print, isOther });
  return step.what === 'nothing' ? null : { ...step, text };
}

/**
 * Synchronizes a data directory with the database: adopts newer content, and publishes local changes. If both changed,
 * the database wins, and the local version is set aside.
 *
 * @param base sync that a local change was made from, if a later one may have happened since
 * @throws OperationError if a local file is damaged; StoreError if the database's content is
 */
export async function syncShared(set: SharedSet, fleet: FleetConnection, base?: LastSync | null): Promise<Synced> {
  let busy: FileBusyError | null = null;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const step = stepFor(set, fleet, (await readVersions(fleet.db)).get(set.name) ?? null, base);
    if (step === null) return { did: 'nothing', aside: null };
    if (step.what === 'adopt') {
      const found = await readShared(fleet.db, fleet.seal, set.name);
      const adopted = found && (await adoptUnlessBusy(set, fleet, found));
      if (adopted instanceof FileBusyError) busy = adopted;
      else if (adopted) return { did: 'adopted', ...adopted };
    } else if (step.text !== null) {
      const { over, version, isOlder, text } = step;
      if (isOlder) fleet.logger.warn('fleet.database_older', { name: set.name, version: over ?? 0, own: version });
      if (await publish(set, fleet, { over, version, text })) return { did: 'published', aside: null };
    }
  }
  throw busy ?? new Error(`${set.name} changes all the time`);
}

/**
 * Changes the text in the database, then locally. A concurrent change is read first.
 *
 * @param change called with the present text, null for none, once per attempt; if it throws, nothing changes
 */
export async function changeShared(
  set: SharedSet,
  fleet: FleetConnection,
  change: (text: string | null) => string,
): Promise<void> {
  await syncShared(set, fleet);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const before = await readShared(fleet.db, fleet.seal, set.name);
    const next = { version: (before?.version ?? 0) + 1, text: change(before?.text ?? null), files: [] };
    const document = { ...next, changedBy: fleet.place.changedBy };
    if (!(await publishShared(fleet.db, fleet.seal, set.name, { ...document, over: before?.version ?? null })))
      continue;
    await syncShared(set, fleet);
    return;
  }
  throw new Error(`${set.name} changes all the time`);
}

async function publish(
  set: SharedSet,
  { db, seal, place, logger }: FleetConnection,
  { over, version, text }: { readonly over: number | null; readonly version: number; readonly text: string },
): Promise<boolean> {
  const { dataDir, changedBy } = place;
  const known = new Map(readLastSync(dataDir)[set.name]?.files.map((file) => [file.path, file]));
  // A file of unchanged size is unchanged: such files are replaced under another name, never modified.
  const files = pathsOf(set, text).flatMap((path) => {
    const former = known.get(path);
    const file = former && sizeOf(dataDir, path) === former.bytes ? former : describeFile(dataDir, path);
    return file ? [file] : [];
  });
  await uploadFiles(db, seal, dataDir, files);
  if (!(await publishShared(db, seal, set.name, { over, version, text, files, changedBy }))) return false;
  writeLastSync(dataDir, set.name, { version, print: printOf(text), files });
  logger.info('fleet.published', { name: set.name, version });
  return true;
}

/**
 * Adopts a version. If a command or the service of this data directory changes the file at the same time, it waits, and
 * returns the refusal.
 */
async function adoptUnlessBusy(set: SharedSet, fleet: FleetConnection, document: SharedDocument) {
  try {
    return { aside: await adopt(set, fleet, document) };
  } catch (error) {
    if (!(error instanceof FileBusyError)) throw error;
    await wait(BUSY_MS);
    return error;
  }
}

/**
 * Replaces the local version by the fleet's. Returns the folder of the replaced local files; null if there were none.
 */
async function adopt(set: SharedSet, fleet: FleetConnection, document: SharedDocument): Promise<string | null> {
  const { db, seal, place, logger } = fleet;
  const { dataDir } = place;
  const { version, changedBy } = document;
  const files = namedFiles(set, document);
  await downloadFiles(db, seal, dataDir, files);
  const target = join(dataDir, set.path);
  const taken = readLastSync(dataDir)[set.name];
  const local = readIfExists(target, set.name);
  const isOwn = local !== null && local !== document.text && printOf(local) !== taken?.print;
  // What is merged differs from the database's, and is published next.
  const text = isOwn && set.merge ? set.merge(local, document.text) : document.text;
  const aside = isOwn && !set.merge ? setAside(dataDir, set.name, version, [set.path, ...ownFiles(set, local)]) : null;
  if (aside !== null) logger.warn('fleet.set_aside', { file: target, to: aside });
  if (local !== text) {
    replaceLocked(target, set.name, () => {
      if (readIfExists(target, set.name) === local) return text;
      throw new FileBusyError(set.name);
    });
  }
  writeLastSync(dataDir, set.name, { version, print: printOf(document.text), files });
  logger.info('fleet.taken_up', { name: set.name, version, changed_by: changedBy });
  if (aside === null) forgetFiles(set, dataDir, local, text);
  return aside;
}

/** Removes the files that the previous text named and this one does not. */
function forgetFiles(set: SharedSet, dataDir: string, before: string | null, text: string): void {
  if (before === null || before === text) return;
  const named = new Set(pathsOf(set, text));
  for (const path of ownFiles(set, before)) if (!named.has(path)) rmSync(join(dataDir, path), { force: true });
}

/** Returns the files that a text names; none for a damaged text. */
function ownFiles(set: SharedSet, text: string): readonly string[] {
  try {
    return pathsOf(set, text);
  } catch (error) {
    if (error instanceof OperationError) return [];
    throw error;
  }
}

/** Paths inside the data directory that are not drafts. */
const PATH = /^(?:[A-Za-z0-9][\w.-]*\/)+[A-Za-z0-9][\w.-]*$/;

function pathsOf(set: SharedSet, text: string): readonly string[] {
  const paths = [...new Set(set.filesIn(text))];
  const bad = paths.find((path) => !PATH.test(path));
  if (bad !== undefined)
    throw new OperationError('file_damaged', [`the ${set.name} name a file that cannot be shared: ${bad}`]);
  return paths;
}

/** Returns the files of a document that its text names; no others are written. */
function namedFiles(set: SharedSet, { text, files }: SharedContent) {
  const named = new Set(pathsOf(set, text));
  return files.filter(({ path }) => named.has(path));
}

/**
 * Preserves local files that the fleet replaces in a folder laid out like a data directory. Missing files are left out.
 *
 * @returns the folder
 */
export function setAside(dataDir: string, name: string, version: number, paths: readonly string[]): string {
  const folder = freeFolder(join(dataDir, 'before-fleet', `${name}-${version}`));
  for (const path of paths) {
    const [from, to] = [join(dataDir, path), join(folder, path)];
    if (!existsSync(from)) continue;
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    // Hard links suffice, because files are replaced by renaming; without them, they are copied.
    try {
      linkSync(from, to);
    } catch {
      copyFileSync(from, to);
    }
  }
  return folder;
}

function freeFolder(folder: string): string {
  for (let number = 2, free = folder; ; free = `${folder}-${number++}`) if (!existsSync(free)) return free;
}
