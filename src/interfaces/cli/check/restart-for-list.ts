import { IS_EXECUTABLE } from '#src/core/base/is-executable.ts';

/** An option of JavaScriptCore, which reads it from the environment when the process starts. */
const OPTION = 'BUN_JSC_thresholdForFTLOptimizeAfterWarmUp';

/**
 * Executions of a function before the last tier of the compiler takes it: 16 times the default, with which that tier takes a third
 * of the processor time of 20,000 lines. Lists of 200,000 lines take as long with either. Measured by `bun run bench --only pipe`.
 */
const LATE = '1000000';

/**
 * Restarts `check -` with another policy for the compiler: the same process executes the same program, before it has read from
 * standard input. Returns if the arguments name no list, if the option is set already, and if the restart fails.
 */
export function restartForList(argv: readonly string[]): void {
  if (!IS_EXECUTABLE || argv[0] !== 'check' || !argv.includes('-') || OPTION in process.env) return;
  try {
    process.execve?.(process.execPath, [process.argv0, ...argv], { ...process.env, [OPTION]: LATE });
  } catch {
    // Only the speed depends on it.
  }
}
