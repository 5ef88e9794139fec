import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { giveToOwner } from '#src/checks/store/file/private-file.ts';

const FILE = 'timelines.json';

/** Highest timeline of each server cluster that this node has seen, across restarts. */
export interface SeenTimelines {
  /** Returns the highest timeline; 0 for an unknown cluster. */
  highestOf(cluster: string): number;
  note(cluster: string, timeline: number): void;
}

/**
 * Opens the file of a data directory with the timelines. A missing or damaged file is recreated: the databases know the
 * timelines as well.
 *
 * Without the data directory they are in memory only.
 */
export function openSeenTimelines(dataDir: string): SeenTimelines {
  const path = join(dataDir, FILE);
  const seen = readSeen(path);
  return {
    highestOf: (cluster) => seen.get(cluster) ?? 0,
    note(cluster, timeline) {
      if (cluster === '' || timeline <= (seen.get(cluster) ?? 0)) return;
      seen.set(cluster, timeline);
      if (!existsSync(dataDir)) return;
      // Another process may have seen other servers.
      for (const [other, known] of readSeen(path)) seen.set(other, Math.max(known, seen.get(other) ?? 0));
      const draft = `${path}.${process.pid}`;
      try {
        writeFileSync(draft, `${JSON.stringify(Object.fromEntries(seen))}\n`, { mode: 0o600, flush: true });
        giveToOwner(draft);
        renameSync(draft, path);
      } catch {
        // A full disk is reported elsewhere; until a restart, memory suffices.
      }
    },
  };
}

function readSeen(path: string): Map<string, number> {
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const entries = Object.entries(read !== null && typeof read === 'object' ? read : {});
    return new Map(entries.filter((entry): entry is [string, number] => Number.isInteger(entry[1])));
  } catch {
    return new Map();
  }
}
