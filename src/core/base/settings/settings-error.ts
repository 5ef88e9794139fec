import { OperationError } from '../errors/operation-error.ts';

/** Invalid settings; `problems` has one sentence per fault. */
export class SettingsError extends OperationError {
  override readonly name = 'SettingsError';

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super('settings', problems, options);
  }
}

/**
 * Waits for all that is made out of settings.
 *
 * @throws SettingsError with what every one of them finds wrong; any other error before that.
 */
export async function withAllProblems<const T extends readonly Promise<unknown>[]>(
  making: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  const settled = await Promise.allSettled(making);
  const errors = settled.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  for (const error of errors) if (!(error instanceof OperationError)) throw error;
  const problems = errors.flatMap((error) => (error instanceof OperationError ? error.problems : []));
  if (problems.length > 0) throw new SettingsError(problems);
  return await Promise.all(making);
}
