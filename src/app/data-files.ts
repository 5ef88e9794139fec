import { AT_START, type DataFile, type FileFault, logRefused, WHILE_RUNNING } from '#src/admin/active/file-faults.ts';
import { auditFileIn, examineAuditEnd } from '#src/admin/audit/audit-log.ts';
import { type EndedSessions, openEndedSessions } from '#src/admin/keys/ended-sessions.ts';
import { type KeyRing, openKeyRing } from '#src/admin/keys/key-ring.ts';
import type { FleetSettings, SharedName } from '#src/checks/store/settings.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { type FollowedFile, followFile, stampOf } from '#src/core/base/files/followed-file.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { stateFileIn } from '#src/network/lists/stored/list-state.ts';
import { createSessions } from '#src/service/server/session/sessions.ts';
import type { Engine } from './engine.ts';
import { changeInFleet, changeKeys } from './parts/fleet-data.ts';
import { followScoring, scoringStamps } from './scoring/follow-scoring.ts';

/** A file of the data directory that the service follows. */
export interface FollowedDataFile {
  readonly name: DataFile | 'audit' | 'sessions';
  readonly followed: FollowedFile;
}

/** The files of a data directory that commands change beside the service. Disposing of it ends following them. */
export interface DataFiles extends Disposable {
  readonly keys: KeyRing;
  readonly endedSessions: EndedSessions;
  /** The files that are followed. */
  followed(): readonly FollowedDataFile[];
  /** Returns the files that are unusable now. */
  faults(): readonly FileFault[];
  /** Follows what an engine has read since this was opened. */
  follow(engine: FollowingEngine): void;
}

/** The engine that reloads the files. */
export type FollowingEngine = Pick<Engine, 'reloadStoredLists' | 'reloadScoring' | 'faults' | 'modelVersion'>;

/** Reads the keys and notes what the other files are now, before an engine reads them, so that no change goes unseen. */
export function openDataFiles(dataDir: string, logger: Pick<Logger, 'info' | 'error'>): DataFiles {
  const since = { lists: listStamp(dataDir), scoring: scoringStamps(dataDir) };
  const keys = openKeyRing(dataDir, systemClock, logger);
  const endedSessions = openEndedSessions(dataDir, systemClock, logger);
  const audit = followAudit(dataDir, logger);
  let followed: readonly FollowedDataFile[] = [
    { name: 'keys', followed: keys.file },
    { name: 'sessions', followed: endedSessions.file },
    { name: 'audit', followed: audit },
  ];
  let engineFaults: () => readonly FileFault[] = () => [];
  return {
    keys,
    endedSessions,
    followed: () => followed,
    faults: () => [...engineFaults(), ...keyFaults(keys), ...auditFaults(audit)],
    follow(engine) {
      engineFaults = engine.faults;
      for (const { file, problem } of engine.faults()) logger.error('file.unusable', { file, problem });
      followed = [
        ...followed,
        { name: 'lists', followed: followStoredLists(dataDir, since.lists, engine, logger) },
        ...followScoring(dataDir, since.scoring, engine, logger),
      ];
    },
    [Symbol.dispose]() {
      for (const one of followed) one.followed[Symbol.dispose]();
    },
  };
}

function keyFaults({ file, hasNeverBeenRead }: KeyRing): FileFault[] {
  const { problem } = file.state();
  if (problem === null) return [];
  return [{ file: 'keys', problem, notice: (hasNeverBeenRead() ? AT_START : WHILE_RUNNING).keys }];
}

const AUDIT_NOTICE =
  'The audit log is damaged or cannot be written: changes and signing in to the console are refused.';

/** Examines the end of the audit log now and whenever its file changes; the rest costs time, and `audit verify` reads it. */
function followAudit(dataDir: string, logger: Pick<Logger, 'error'>): FollowedFile {
  const followed: FollowedFile = followFile({
    path: auditFileIn(dataDir),
    since: { stamp: 'not examined', problem: null },
    apply: () => examineAuditEnd(dataDir),
    onProblem: () => logger.error('file.unusable', { file: 'audit', problem: followed.state().problem }),
  });
  void followed.checkNow();
  return followed;
}

function auditFaults(audit: FollowedFile): FileFault[] {
  const { problem } = audit.state();
  return problem === null ? [] : [{ file: 'audit', problem, notice: AUDIT_NOTICE }];
}

/**
 * Applies the lists of the data directory whenever they change, within two seconds. If they cannot be read, the current
 * ones stay active, and the operator is notified.
 *
 * @param sinceStamp the stamp of their file before the engine read it
 */
function followStoredLists(
  dataDir: string,
  sinceStamp: string,
  engine: Pick<Engine, 'reloadStoredLists' | 'faults'>,
  logger: Pick<Logger, 'info' | 'error'>,
): FollowedFile {
  const fault = engine.faults().find(({ file }) => file === 'lists');
  return followFile({
    path: stateFileIn(dataDir),
    since: { stamp: sinceStamp, problem: fault?.problem ?? null },
    async apply() {
      const { lists, hasChanged } = await engine.reloadStoredLists();
      if (hasChanged) logger.info('lists.reread', { lists: lists.length });
    },
    onProblem: logRefused('lists.kept', logger),
  });
}

/** The stamp of the file that names the active lists. */
const listStamp = (dataDir: string): string => stampOf(stateFileIn(dataDir));

/** Changes files of the data directory, for all nodes of a fleet, and applies them in this service. */
export async function changeDataFiles<T>(
  config: FleetSettings,
  dataFiles: Pick<DataFiles, 'followed'>,
  names: readonly SharedName[],
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await changeInFleet(config, names, change);
  } finally {
    for (const { name, followed } of dataFiles.followed()) {
      if (names.some((one) => one === name)) await followed.checkNow();
    }
  }
}

/**
 * Opens the keys and sessions of a service, and remembers when each key was used last.
 *
 * @param secret key of this installation, with which sessions are signed
 * @param onEnded called when a session ends, so that other nodes learn of it
 */
export function openAccess(
  config: Parameters<typeof changeKeys>[0] & { readonly data_dir: string },
  { keys, endedSessions }: Pick<DataFiles, 'keys' | 'endedSessions'>,
  secret: () => Buffer,
  onEnded: () => void,
) {
  const usedMs = new Map<string, number>();
  const ended = {
    has: endedSessions.has,
    end(id: string, untilMs: number) {
      endedSessions.end(id, untilMs);
      onEnded();
    },
  };
  return {
    sessions: createSessions({ keys, ended, secret, clock: systemClock }),
    async openKeyManager() {
      const { createKeyManager } = await import('#src/admin/keys/manage-keys.ts');
      return createKeyManager({
        dataDir: config.data_dir,
        async change(change) {
          await changeKeys(config, change);
          // A revoked or narrowed key, and its sessions, stop with the answer.
          await keys.file.checkNow();
        },
        clock: systemClock,
      });
    },
    /** Last use in milliseconds since the Unix epoch; null if the key was not used since the start. */
    keyUsedMs: (name: string) => usedMs.get(name) ?? null,
    noteUse: (name: string) => void usedMs.set(name, systemClock.now()),
  };
}
