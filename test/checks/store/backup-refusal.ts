import { BackupError } from '#src/parts/backup/archive/backup-format.ts';

/** Returns why something is refused. Throws if it is not. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof BackupError) return error.message;
  throw new Error(`not refused: ${error}`);
}
