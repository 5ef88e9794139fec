import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { notice } from '#src/core/base/text/condition.ts';
import { oncePerRound } from '#src/core/base/timers.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { createDeletions, type Deletions } from './deletions/deletions.ts';
import { type ExportRecord, openExportRecord } from './exports/export-record.ts';
import { backUp } from './file/backup.ts';
import { lockDirectory, makePrivateDirectory } from './file/directory-lock.ts';
import { freeDiskBytes } from './file/file-system.ts';
import type { LogFile } from './file/log-file.ts';
import type { LoggedMessage, MessageLog } from './messages/stored-message.ts';
import { type LocalLogOptions, type LogAccess, type OpenFiles, openFiles } from './open-files.ts';
import { newestMsOf } from './read/find-checks.ts';
import { tailLog } from './read/history.ts';
import type { CountedHits } from './read/list-hits.ts';
import { findEntry, findMessage, readLogEntries, readMessageEntries } from './read/read-entries.ts';
import { readStoredChecks, readStoredMessages } from './read/read-stored.ts';
import type { Recovered } from './recovery/recover-log.ts';
import { recoverFile } from './recovery/recoveries.ts';
import { type Repair, startRepair } from './repair.ts';
import type { ScanLog } from './scan-log.ts';
import { type Bounds, type LogSize, logSizeOf } from './upkeep/log-size.ts';
import { createMaintenance, type Maintenance } from './upkeep/maintenance.ts';
import { openClientHash } from './write/client-hash.ts';
import type { LogWriter } from './write/log-writer.ts';
import type { LoggedCheck } from './write/stored-check.ts';

/** The checks of messages in local files. */
export interface LocalMessages extends MessageLog {
  /** As `LocalLog.storedAfter`. */
  storedAfter(visibility: Visibility, afterId: number, limit: number): Promise<readonly LoggedMessage[]>;
}

/** The two logs as local files. */
export interface LocalLog extends ScanLog {
  readonly messages: LocalMessages;
  /**
   * Removes checks that began before a moment, without a trace in any file. Resolves with their number. A check that
   * was logged after one that stays is kept, because a clock that jumped may have dated it. New checks are appended
   * meanwhile, and freed space is returned to the system. Upgrade backups beside the file are removed as well. Only
   * with access `serve`.
   */
  purge(visibility: Visibility, beforeMs: number): Promise<number>;
  /**
   * Removes the oldest checks of a log that exceeds its bounds or must free space, as {@link purge} does. Resolves with
   * their number.
   */
  trim(visibility: Visibility, bounds: Bounds, missingBytes: number): Promise<number>;
  /** Deletions requested by the operator. */
  readonly deletions: Deletions;
  /** Record of exports of private checks. */
  readonly exports: ExportRecord;
  /** Returns the first `limit` checks logged after `afterId`, in their stored form. Throws StoreError. */
  storedAfter(visibility: Visibility, afterId: number, limit: number): readonly LoggedCheck[];
  /** Start of the latest check of a log, in milliseconds since the Unix epoch; null if the log is empty. */
  newestMs(visibility: Visibility): number | null;
  /** Returns the size of a log. Throws if its file cannot be read. */
  size(visibility: Visibility): LogSize;
  /** Returns the free bytes of the logs' disk. */
  freeDiskBytes(): number;
  /** Losses found in the logs, with what to do about them, as sentences for the operator. */
  notices(): readonly string[];
  /**
   * Examines a log, and returns the damage that it finds; null if there is none. With access `serve`, a damaged file is
   * replaced, and the call resolves once its readable checks are copied back; else it is left to the service.
   */
  examine(visibility: Visibility): Promise<string | null>;
  /** Copies the readable checks of a damaged file into a log, each once. Throws StoreError. */
  recover(visibility: Visibility, path: string): Promise<Recovered>;
  /** Writes a compact copy of one log to a new file. */
  backUp(visibility: Visibility, path: string): void;
}

/**
 * Opens the logs of a data directory.
 *
 * @throws StoreError if the directory is in use, not accessible, damaged, or of a newer version
 */
export function openLocalLog(options: LocalLogOptions): Promise<LocalLog> {
  return new Promise((resolve) => resolve(openNow(options)));
}

function openNow(options: LocalLogOptions): LocalLog {
  const { dataDir, access, clock, logger } = options;
  using opening = new DisposableStack();
  if (access !== 'read') makePrivateDirectory(dataDir, logger);
  const lock = access === 'serve' ? opening.use(lockDirectory(dataDir)) : null;
  const files = opening.use(
    openFiles(options, {
      committed(visibility) {
        maintenance.committed(visibility);
        // What fails is tried again an hour later: until then the hours are counted as they are asked for.
        if (access !== 'serve') return;
        history[visibility].settle(clock.now(), () => writerOf(visibility).unlessHeld()).catch(() => {});
      },
      damaged: (log, problem) => repair.damaged(log, problem),
    }),
  );
  const { logs, history, writerOf } = files;
  const nextStep = oncePerRound();
  const maintenance = createMaintenance(logs, writerOf, logger);
  const marker = access === 'serve' ? beginRun(dataDir) : null;
  const deletions = openDeletions(logs, maintenance, options);
  const repair = startRepair({ files, maintenance, hashOf: deletions.hashOf, marker, options });
  // From here on the caller closes what is open.
  opening.move();

  const find = (visibility: Visibility, requestId: string) =>
    repair.watched(visibility, () => findEntry(history[visibility].file, requestId));

  function problemOf(visibility: Visibility): string | null {
    const problem = writerOf(visibility).state.problem();
    return problem === null ? null : `The ${visibility} log cannot be written: ${problem}.`;
  }

  return {
    append: (record) => appendIn(files, record.visibility, (writer) => writer.append(record)),
    markUndelivered: (visibility, requestId) => writerOf(visibility).markUndelivered(requestId),
    messages: openMessages(files, repair),
    page: (query, visibility = 'public') => history[visibility].page(query),
    summary: (filter) => history.public.summary(filter),
    walk: (query) => history.public.walk(query),
    activity: (visibility) => history[visibility].activity(clock.now()),
    read: (visibility, filter, together) =>
      repair.watching(visibility, () => readLogEntries(history[visibility].file, filter, together)),
    tail: async (visibility, filter) => tailLog(logs[visibility], filter),
    find,
    missing: (visibility, ids) => missingOf(ids, (id) => find(visibility, id)),
    purge: async (visibility, beforeMs) => {
      onlyAsServer(access);
      return await maintenance.purge(visibility, beforeMs, clock.now());
    },
    trim: async (visibility, bounds, missingBytes) => {
      onlyAsServer(access);
      return await maintenance.trim(visibility, bounds, missingBytes);
    },
    deletions,
    get exports() {
      return openExports(logs.private, options);
    },
    storedAfter: (visibility, afterId, limit) => readStoredChecks(logs[visibility], afterId, limit),
    newestMs: (visibility) => newestMsOf(logs[visibility]),
    size: (visibility) => logSizeOf(logs[visibility]),
    freeDiskBytes: () => freeDiskBytes(dataDir),
    async listHits(sinceMs) {
      const { countHits, sumHits } = await import('./read/list-hits.ts');
      const counts: CountedHits = new Map();
      for (const visibility of VISIBILITIES) {
        await history[visibility].reading(async () => {
          for (const some of countHits(logs[visibility], sinceMs)) {
            sumHits(counts, some);
            await nextStep();
          }
        }, 'statistics');
      }
      return counts;
    },
    stats: () => history.public.stats(dataDir, clock.now()),
    notices: () => files.notices().map(({ message }) => message),
    examine: repair.examine,
    recover: (visibility, path) => recoverFile(logs[visibility], path, deletions.hashOf),
    health: async () => {
      await maintenance.trials.run();
      repair.mend();
      const problems = { public: problemOf('public'), private: problemOf('private') };
      const problem = problems.public ?? problems.private;
      // A missing folder has no notices.
      const said = problem === null ? files.notices() : [];
      const noticesOf = (name: Visibility) =>
        said.filter(({ log }) => log === name).map(({ publicMessage }) => notice('log_damaged', publicMessage));
      const [ofPublic, ofPrivate] = [noticesOf('public'), noticesOf('private')];
      const notices = [...ofPublic, ...ofPrivate];
      return { problem, problems, notices, noticesOf: { public: ofPublic, private: ofPrivate } };
    },
    backUp: (visibility, path) => backUp(logs[visibility].database, path),
    async [Symbol.asyncDispose]() {
      files.stopWriting();
      await repair[Symbol.asyncDispose]();
      await maintenance[Symbol.asyncDispose]();
      files[Symbol.dispose]();
      marker?.end();
      lock?.[Symbol.dispose]();
    },
  };
}

/** Looks for ids one by one, each in its own round of the event loop. */
async function missingOf(ids: readonly string[], find: (id: string) => Promise<unknown>): Promise<string[]> {
  const nextStep = oncePerRound();
  const missing: string[] = [];
  for (const id of ids) {
    if (!(await find(id))) missing.push(id);
    await nextStep();
  }
  return missing;
}

/** Appends to the present file, or to the one that has just taken its place. */
async function appendIn(
  { writerOf }: Pick<OpenFiles, 'writerOf'>,
  visibility: Visibility,
  append: (writer: LogWriter) => Promise<void>,
): Promise<void> {
  const writer = writerOf(visibility);
  try {
    await append(writer);
  } catch (error) {
    if (writerOf(visibility) === writer) throw error;
    await append(writerOf(visibility));
  }
}

function openMessages(files: OpenFiles, repair: Pick<Repair, 'watching' | 'watched'>): LocalMessages {
  const { logs, history, writerOf } = files;
  return {
    append: (message) => appendIn(files, message.visibility, (writer) => writer.appendMessage(message)),
    markUndelivered: (visibility, requestId) => writerOf(visibility).markUndelivered(requestId, 'message'),
    page: (query, visibility) => history[visibility].messagePage(query),
    read: (visibility, filter) =>
      repair.watching(visibility, () => readMessageEntries(history[visibility].file, filter)),
    storedAfter: async (visibility, afterId, limit) => readStoredMessages(logs[visibility], afterId, limit),
    find: (visibility, requestId) => repair.watched(visibility, () => findMessage(history[visibility].file, requestId)),
  };
}

function openDeletions(
  logs: Readonly<Record<Visibility, LogFile>>,
  maintenance: Pick<Maintenance, 'erase'>,
  { dataDir, access, clock }: LocalLogOptions,
): Deletions {
  return createDeletions(logs, {
    erase: async (visibility, plan) => {
      onlyAsServer(access);
      return await maintenance.erase(visibility, plan);
    },
    // The prefix separates these hashes from those of clients, which may look like a domain.
    hashOf: (wanted) => openClientHash(dataDir)(`deletion of ${wanted}`),
    now: clock.now,
  });
}

function openExports(log: LogFile, { dataDir, clock }: LocalLogOptions): ExportRecord {
  return openExportRecord(log, {
    hashOf: (selection) => openClientHash(dataDir)(`export of ${selection}`),
    now: clock.now,
  });
}

/** Only the serving process may pause appends. */
function onlyAsServer(access: LogAccess): void {
  if (access !== 'serve') throw new Error('Only the process that serves from the data directory may delete checks.');
}

/** A file that exists while a server runs. */
export interface RunMarker {
  /** True if the previous server was killed or lost power. */
  readonly wasUnclean: boolean;
  /** Marks a clean stop. */
  end(): void;
}

/** Starts a run. Only the holder of the directory's lock may call it. */
function beginRun(dataDir: string): RunMarker {
  const path = `${dataDir}/serve.running`;
  const wasUnclean = existsSync(path);
  if (!wasUnclean) writeFileSync(path, '', { mode: 0o600 });
  return { wasUnclean, end: () => rmSync(path, { force: true }) };
}
