import { join } from 'node:path';

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
