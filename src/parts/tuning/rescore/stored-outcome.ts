import { join } from 'node:path';
import { type StoredOutcome, StoredOutcomeSchema } from '#src/checks/record/stats.ts';
import { replaceFile } from '#src/core/base/files/locked-file.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';

/** Returns the path of the outcome of the last nightly run. */
export const outcomeFileIn = (dataDir: string): string => join(dataDir, 'rescored.json');

/** Reads the outcome of the last nightly run; null if there is none or it is invalid. */
export async function readOutcome(dataDir: string): Promise<StoredOutcome | null> {
  const file = Bun.file(outcomeFileIn(dataDir));
  if (!(await file.exists())) return null;
  const shaped = readShape(StoredOutcomeSchema, parseJson(await file.text()));
  return 'value' in shaped ? shaped.value : null;
}

/** Stores the outcome for the next start. */
export async function writeOutcome(dataDir: string, outcome: StoredOutcome): Promise<void> {
  await replaceFile(outcomeFileIn(dataDir), `${JSON.stringify(outcome)}\n`);
}
