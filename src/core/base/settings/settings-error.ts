/** Invalid settings; `problems` has one sentence per fault. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options);
    this.problems = problems;
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
  for (const error of errors) if (!(error instanceof SettingsError)) throw error;
  const problems = errors.flatMap((error) => (error instanceof SettingsError ? error.problems : []));
  if (problems.length > 0) throw new SettingsError(problems);
  return await Promise.all(making);
}
