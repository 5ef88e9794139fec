import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { type Guard, mapWith, objectWith, textLike } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { readIfThere, replaceLocked } from '#src/core/base/files/locked-file.ts';
import { createLogger, type Logger } from '#src/core/base/logger.ts';
import { repeated } from '#src/core/base/repeated.ts';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import type { DatabaseLog } from '../../scan-log.ts';
import { databaseFaultOf } from './fault.ts';
import { onPublicPrimary, type PublicPrimary } from './public-primary.ts';
import { type ContentSeal, createContentSeal } from '../shared/sealed-content.ts';
import type { DatabaseConnection } from './session.ts';
import { changeShared, publishFirst, readShared, type SharedDocument } from '../shared/shared-documents.ts';

/** A file of the data directory that belongs to the fleet. */
export interface SharedFile extends PublicPrimary {
  /** What the document is called, and messages call what the file holds, in the plural: `keys`. */
  readonly name: string;
  readonly path: string;
  /** The key in `client_key_file`. */
  readonly clientKey: Buffer;
  /** Who changes it: the name of the node or machine. */
  readonly changedBy: string;
}

/** How often a node asks for a newer version: one row by its primary key, over a connection that it has anyway. */
const POLL_MS = 1000;

const QUIET = createLogger('error', () => {});

/**
 * Changes the file in the database, and then the copy of this data directory.
 *
 * @param change is called with the present text, null for none, and again if another node changes it in between
 * @throws SettingsError if the database cannot be used; nothing is changed then
 */
export async function changeSharedFile(file: SharedFile, change: (text: string | null) => string): Promise<void> {
  const { name, changedBy } = file;
  await onFleet(file, async ({ db }, seal) => {
    await publishFirst(db, seal, name, { text: readIfThere(file.path, name), changedBy });
    takeUp(file, await changeShared(db, seal, name, { change, changedBy }), QUIET);
  });
}

/** Brings the copy of this data directory up to date. Throws SettingsError if the database cannot be used. */
export async function pullSharedFile(file: SharedFile): Promise<void> {
  await onFleet(file, async ({ db }, seal) => {
    const found = await readShared(db, seal, file.name);
    if (found) takeUp(file, found, QUIET);
  });
}

/**
 * Keeps the file of a node as it is in the database, a second behind at most. The first node of a fleet publishes its own; one
 * that joins takes that of the fleet, and sets its own aside. While the database is unreachable, the copy stays active.
 *
 * @param look has the service read the file now
 */
export function followSharedFile(
  file: SharedFile,
  databases: Pick<DatabaseLog, 'readShared'>,
  { logger, look }: { readonly logger: Logger; readonly look: () => Promise<unknown> },
): AsyncDisposable {
  const { name, dataDir, changedBy } = file;
  const seal = createContentSeal(file.clientKey);
  let problem: string | null = null;

  async function follow(): Promise<void> {
    const found = await databases.readShared(seal, name, readRecord(dataDir)[name]?.version ?? 0);
    if (found === 'none') {
      const first = { text: readIfThere(file.path, name), changedBy };
      await onFleet(file, ({ db }) => publishFirst(db, seal, name, first));
    } else if (found !== 'known') {
      takeUp(file, found, logger);
      await look();
    }
    problem = null;
  }

  const following = repeated(POLL_MS, async () => {
    try {
      await follow();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message !== problem) logger.warn('fleet.not_read', { name, problem: message });
      problem = message;
    }
  });
  void following.now();
  return { [Symbol.asyncDispose]: following.stop };
}

async function onFleet<T>(
  file: SharedFile,
  work: (connection: DatabaseConnection<unknown>, seal: ContentSeal) => Promise<T>,
): Promise<T> {
  const seal = createContentSeal(file.clientKey);
  try {
    return await onPublicPrimary(file, (connection) => work(connection, seal));
  } catch (cause) {
    const fault = databaseFaultOf(cause);
    if (!fault) throw cause;
    const problem = `the database that holds the ${file.name} of all nodes cannot be used: ${fault.matter}`;
    throw new SettingsError([problem], { cause });
  }
}

/** What was taken up last of the database. */
interface TakenUp {
  readonly version: number;
  /** SHA-256 of the text, in hexadecimal; empty for none. */
  readonly print: string;
}

const isVersion: Guard<number> = (value): value is number => Number.isSafeInteger(value);
const isRecord = mapWith(objectWith<TakenUp>({ version: isVersion, print: textLike(/^[\da-f]*$/) }));

const recordFile = (dataDir: string) => join(dataDir, 'shared.json');

function readRecord(dataDir: string): Readonly<Record<string, TakenUp>> {
  const json = parseJson(readIfThere(recordFile(dataDir), 'record of shared files') ?? '');
  return isRecord(json) ? json : {};
}

/** Makes a version of the fleet the file of this node. A file that the fleet never had is set aside. */
function takeUp(
  { dataDir, name, path }: SharedFile,
  { version, text, changedBy }: SharedDocument,
  logger: Logger,
): void {
  const record = readRecord(dataDir);
  const before = record[name];
  if (before !== undefined && before.version >= version) return;
  const local = readIfThere(path, name);
  if (local !== null && local !== text && printOf(local) !== before?.print) {
    const aside = `${path}.before-fleet-${version}`;
    renameSync(path, aside);
    logger.warn('fleet.set_aside', { file: path, to: aside });
  }
  if (text !== null) replaceLocked(path, name, () => text);
  const after = { ...record, [name]: { version, print: text === null ? '' : printOf(text) } };
  replaceLocked(recordFile(dataDir), 'record of shared files', () => `${JSON.stringify(after)}\n`);
  logger.info('fleet.taken_up', { name, version, changed_by: changedBy });
}

function printOf(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex');
}
