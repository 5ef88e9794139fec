import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { UpgradeError } from './upgrade-error.ts';

/** More than the slowest machine needs for any of it. */
const TIMEOUT_MS = 120_000;

/** Returns the version that an executable reports. Throws UpgradeError if it does not start here. */
export async function reportedVersion(program: string): Promise<string> {
  const said = await runProgram(program, ['version']);
  const version = /^lurecheck (\S+)\n$/.exec(said)?.[1];
  if (version === undefined)
    throw new UpgradeError(`The new executable does not report its version: ${visibleInTerminal(said)}`);
  return version;
}

/**
 * Runs an executable with an empty environment; returns its output.
 *
 * @throws UpgradeError with its output if it fails
 */
export async function runProgram(program: string, args: readonly string[]): Promise<string> {
  const what = `the new executable does not work on this host: ${args[0]}`;
  try {
    const child = Bun.spawn([program, ...args], { stdout: 'pipe', stderr: 'pipe', env: {}, timeout: TIMEOUT_MS });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    if ((await child.exited) === 0) return stdout;
    const said = visibleInTerminal(`${stdout}${stderr}`.trim().slice(0, 500));
    throw new UpgradeError(`${what} ended with ${child.signalCode ?? child.exitCode}: ${said}`);
  } catch (cause) {
    if (cause instanceof UpgradeError) throw cause;
    throw new UpgradeError(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
