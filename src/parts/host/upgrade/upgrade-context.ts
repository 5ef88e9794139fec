import { lstatSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { faultOf } from '#src/checks/store/file/fault.ts';
import type { Io } from '#src/core/base/io.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';

/** An upgrade cannot continue: the reason, and what has changed on the host, in sentences. */
export class UpgradeError extends Error {
  override readonly name = 'UpgradeError';
}

/** Converts the system's refusal to change files beside an executable to a sentence; returns other errors unchanged. */
export function asRefusal(error: unknown, program: string): unknown {
  const fault = error instanceof Error && 'syscall' in error ? faultOf(error) : null;
  if (fault === null) return error;
  return new UpgradeError(`Nothing can be written to ${dirname(program)}: ${fault.matter}.`, { cause: error });
}

/** Dependencies of each step of an upgrade. */
export interface UpgradeContext {
  readonly paths: UpgradePaths;
  /** Maximum time until a service is ready. */
  readonly patienceMs: number;
  readonly now: () => number;
  /** Prints one line about a completed step. */
  say(text: string): Promise<void>;
  /** Prints a warning. */
  warn(text: string): Promise<void>;
}

/** Creates the context of an upgrade. */
export function createUpgradeContext(
  paths: UpgradePaths,
  { stdout, stderr }: Io,
  rest: Pick<UpgradeContext, 'patienceMs' | 'now'>,
): UpgradeContext {
  return {
    paths,
    ...rest,
    say: (text) => stdout.write(`${visibleInTerminal(text)}\n`),
    warn: (text) => stderr.write(`lurecheck: ${visibleInTerminal(text)}\n`),
  };
}

/** Paths of the executable and of an upgrade's files. */
export interface UpgradePaths {
  readonly program: string;
  /** The executable that stood there before. */
  readonly previous: string;
  /** The one before that, and the journal of the upgrade from it, while another upgrade is not seen through. */
  readonly earlier: string;
  readonly earlierJournal: string;
  /** Working folder of an upgrade, on the same file system. */
  readonly folder: string;
  readonly lock: string;
  readonly journal: string;
}

/** Returns the paths for an executable, given by its real path. */
export function upgradePaths(program: string): UpgradePaths {
  const folder = `${program}.upgrade`;
  const previous = `${program}.previous`;
  return {
    program,
    previous,
    earlier: `${program}.earlier`,
    earlierJournal: join(folder, 'earlier.json'),
    folder,
    lock: join(folder, 'lock'),
    journal: join(folder, 'journal.json'),
  };
}

/**
 * Rejects a folder in which another user could replace the verified executable: a link, a folder of a user who may not
 * write beside the executable, or one that others may write to.
 *
 * @throws UpgradeError
 */
export function refuseSharedFolder({ folder, program }: UpgradePaths): void {
  const found = lstatSync(folder);
  const trusted = [0, process.geteuid?.() ?? 0, statSync(dirname(program)).uid];
  if (found.isDirectory() && trusted.includes(found.uid) && (found.mode & 0o022) === 0) return;
  throw new UpgradeError(
    `${folder} is a link, belongs to another user, or is writable by others: remove it. Nothing was changed.`,
  );
}
