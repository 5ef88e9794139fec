import { join } from 'node:path';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { replaceFile } from '#src/core/base/files/replace-file.ts';
import { type KeptOutcome, KeptOutcomeSchema } from '#src/checks/record/rescore-outcome.ts';

const FILE_NAME = 'rescored.json';

/** What the last night came to; null where there was none, or nobody can read what it left. */
export async function readOutcome(dataDir: string): Promise<KeptOutcome | null> {
  const file = Bun.file(join(dataDir, FILE_NAME));
  if (!(await file.exists())) return null;
  const shaped = readShape(KeptOutcomeSchema, parseJson(await file.text()));
  return 'value' in shaped ? shaped.value : null;
}

/** Keeps it for the next start. */
export async function writeOutcome(dataDir: string, outcome: KeptOutcome): Promise<void> {
  await replaceFile(join(dataDir, FILE_NAME), `${JSON.stringify(outcome)}\n`);
}
