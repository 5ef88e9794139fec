import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';

/** Formats a moment for a file name. */
export function fileStamp(nowMs: number): string {
  return new Date(nowMs).toISOString().replace(/[-:.]/g, '');
}

const ASIDE = '.damaged-';

/** Suffix of a file that exists until the checks of a quarantined file are copied back. */
const PENDING = '.recovering';

/** Ids of the checks that a quarantined file should have; null if unknown. */
export interface ExpectedIds {
  readonly oldestId: number | null;
  readonly newestId: number | null;
}

/** Renames an unusable file and its side files, and marks it for recovery. Returns its new path. */
export function quarantineFile(path: string, nowMs: number, expected: ExpectedIds): string {
  const aside = `${path}${ASIDE}${fileStamp(nowMs)}`;
  writeFileSync(aside + PENDING, `${JSON.stringify(expected)}\n`, { mode: 0o600, flush: true });
  // The file itself is renamed last: until then the next start finds the same damage and retries.
  for (const suffix of ['-shm', '-wal', '']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  return aside;
}

/** Returns the quarantined files of a data directory. */
export function quarantinedFilesIn(dataDir: string): string[] {
  return readdirSync(dataDir)
    .filter((name) => name.includes(ASIDE) && !name.endsWith(PENDING))
    .toSorted()
    .map((name) => join(dataDir, name));
}

/** Returns the log of which a quarantined file was a part; null if its name does not say so. */
export function visibilityOf(path: string): Visibility | null {
  return VISIBILITIES.find((visibility) => basename(path).startsWith(`${visibility}.sqlite`)) ?? null;
}

/** Returns the label of a quarantined file, which its notice has too. */
export function quarantineStamp(path: string): string {
  return path.slice(path.lastIndexOf(ASIDE) + ASIDE.length);
}

const Expected = Type.Object({
  oldestId: Type.Union([Type.Number(), Type.Null()]),
  newestId: Type.Union([Type.Number(), Type.Null()]),
});

/** Returns the quarantined files of a log whose checks are not copied back yet, oldest first. */
export function pendingRecoveries(dataDir: string, visibility: Visibility): { path: string; expected: ExpectedIds }[] {
  return readdirSync(dataDir)
    .filter((name) => name.startsWith(`${visibility}.sqlite${ASIDE}`) && name.endsWith(PENDING))
    .toSorted()
    .map((name) => {
      const shaped = readShape(Expected, parseJson(readFileSync(join(dataDir, name), 'utf8')));
      const expected = 'value' in shaped ? shaped.value : { oldestId: null, newestId: null };
      return { path: join(dataDir, name.slice(0, -PENDING.length)), expected };
    });
}

/** Marks a quarantined file as copied back. */
export function clearPendingRecovery(path: string): void {
  rmSync(path + PENDING, { force: true });
}
