import type { Io } from '#src/core/base/io.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import type { UpgradePaths } from './upgrade-paths.ts';

/** Dependencies of each step of an upgrade. */
export interface UpgradeContext {
  readonly paths: UpgradePaths;
  /** Maximum time until a service is ready. */
  readonly patienceMs: number;
  readonly now: () => number;
  /** Prints one line about a completed step. */
  say(text: string): Promise<void>;
  /** Prints a warning. */
  warn(text: string): Promise<void>;
}

/** Creates the context of an upgrade. */
export function createUpgradeContext(
  paths: UpgradePaths,
  { stdout, stderr }: Io,
  rest: Pick<UpgradeContext, 'patienceMs' | 'now'>,
): UpgradeContext {
  return {
    paths,
    ...rest,
    say: (text) => stdout.write(`${visibleInTerminal(text)}\n`),
    warn: (text) => stderr.write(`lurecheck: ${visibleInTerminal(text)}\n`),
  };
}
