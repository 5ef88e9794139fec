import { join } from 'node:path';

/** Where the executable lies, and what an upgrade of it puts beside. */
export interface UpgradePlace {
  readonly program: string;
  /** The executable that stood there before. */
  readonly previous: string;
  /** The one before that, and the journal of the upgrade from it, while another upgrade is not seen through. */
  readonly earlier: string;
  readonly earlierJournal: string;
  /** What an upgrade works in, on the same file system. */
  readonly folder: string;
  readonly lock: string;
  readonly journal: string;
}

/** The place of an executable, by its own path and no link to it. */
export function upgradePlace(program: string): UpgradePlace {
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
