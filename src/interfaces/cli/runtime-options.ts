import { IS_EXECUTABLE } from '#src/core/base/version.ts';

/** Variables of the environment that the runtime reads when a process starts. */
type RuntimeOptions = Readonly<Record<string, string>>;

/**
 * Options for a list of links: the last tier of the compiler copies only small functions into others. With the default, 170,
 * it takes a third of the processor time of 20,000 lines. Measured by `bun run bench --only pipe`.
 */
const OF_LIST: RuntimeOptions = { BUN_JSC_maximumFunctionForCallInlineCandidateBytecodeCostForFTL: '60' };

/** Options of a service. The units set the same, which spares the restart. */
export const OF_SERVICE: RuntimeOptions = {
  ...OF_LIST,
  // Garbage is collected as on a machine with 256 MiB, so that the service needs less memory.
  BUN_JSC_forceRAMSize: '268435456',
  // No garbage is collected below 32 MiB, since nearly all that a start makes stays in use.
  BUN_JSC_largeHeapSize: '33554432',
  // A second, not 0.1 s, between two searches for free memory, which would follow nearly each check of a quiet service.
  MIMALLOC_PURGE_HOLES_MIN_INTERVAL: '1000',
  // Memory of busy times is freed after two quiet minutes. After ten seconds, compiled code that is soon used again would go too.
  BUN_IDLE_GC_SECONDS: '120,480',
};

/**
 * Restarts the executable with options of the runtime that its command lacks: the same process executes the same program,
 * before it has read anything. What the operator set stays. Returns if the environment has all of them, if the restart would
 * lose something, and if it fails.
 */
export function restartWithOptions(argv: readonly string[]): void {
  const options = optionsOf(argv);
  const isComplete = Object.keys(options).every((name) => name in process.env);
  if (!IS_EXECUTABLE || isComplete || hasDescriptors(argv) || LOADER.test(process.execPath)) return;
  try {
    process.execve?.(process.execPath, [process.argv0, ...argv], { ...options, ...process.env });
  } catch {
    // Only speed and memory depend on it.
  }
}

/** The system's loader, where somebody started it with the executable as its operand: it would execute the command's name. */
const LOADER = /\/ld[-.][^/]*$/;

/**
 * Returns true if descriptors were passed on, which the runtime closes: sockets of a service manager (sd_listen_fds(3)), or
 * files of a shell (`--config <(…)`).
 */
function hasDescriptors(argv: readonly string[]): boolean {
  return (
    'LISTEN_FDS' in process.env || [...argv, ...Object.values(process.env)].some((word) => DESCRIPTOR.test(`${word}`))
  );
}

const DESCRIPTOR = /^(?:--[a-z-]+=)?\/(?:dev|proc\/(?:self|\d+))\/fd\/\d/;

function optionsOf([command, ...rest]: readonly string[]): RuntimeOptions {
  if (command === 'serve') return OF_SERVICE;
  return command === 'check' && rest.includes('-') ? OF_LIST : {};
}
