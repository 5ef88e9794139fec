import { IS_EXECUTABLE } from '#src/core/base/version.ts';

/** An option of JavaScriptCore, which reads it from the environment when the process starts. */
const OPTION = 'BUN_JSC_maximumFunctionForCallInlineCandidateBytecodeCostForFTL';

/**
 * Size up to which the last tier of the compiler copies a function into others, as in `lurecheck.service`. With the
 * default, 170, it takes a third of the processor time of 20,000 lines. Measured by `bun run bench --only pipe`.
 */
const SMALL = '60';

/**
 * Restarts `check -` with another policy for the compiler: the same process executes the same program, before it has read from
 * standard input. Returns if the arguments name no list, if the option is set already, and if the restart fails.
 */
export function restartForList(argv: readonly string[]): void {
  if (!IS_EXECUTABLE || argv[0] !== 'check' || !argv.includes('-') || OPTION in process.env) return;
  try {
    process.execve?.(process.execPath, [process.argv0, ...argv], { ...process.env, [OPTION]: SMALL });
  } catch {
    // Only the speed depends on it.
  }
}
