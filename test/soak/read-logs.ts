import { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { requestIdText } from '#src/core/base/request-id.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { expectSound } from '../checks/store/sound.ts';
import type { LogRow } from './ledger.ts';

/** What a log holds once its service has ended. */
export interface ReadLog {
  readonly rows: readonly LogRow[];
  readonly sizeBytes: number;
  /** What is wrong with the file itself. */
  readonly problems: readonly string[];
}

/** Reads a log as it lies on the disk, past the program that wrote it. */
export function readLog(dataDir: string, visibility: Visibility): ReadLog {
  const path = `${dataDir}/${visibility}.sqlite`;
  const problems: string[] = [];
  try {
    expectSound(path);
  } catch (error) {
    problems.push(`the ${visibility} log is not sound: ${String(error).slice(0, 500)}`);
  }
  using database = new Database(path, { readonly: true });
  const rows = database
    .query<Omit<LogRow, 'requestId'> & { requestId: Uint8Array }, []>(
      'select request_id as requestId, url, is_undelivered as isUndelivered from checks',
    )
    .all()
    .map((row) => ({ ...row, requestId: requestIdText(row.requestId) }));
  return { rows, sizeBytes: statSync(path).size, problems };
}
