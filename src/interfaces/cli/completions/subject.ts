import { SETTINGS } from '#src/app/config.ts';
import { settableIn } from '#src/core/base/settings/setting.ts';
import { flagOf } from '#src/core/base/settings/setting-reader.ts';
import type { Command } from '../command.ts';
import { type Flag, flagsOf } from '../flags.ts';

/** Description of a command for a shell. */
export interface Completable {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** The words that may stand behind the name, such as `add`. */
  readonly actions: readonly string[];
}

/** Flags that old units may have, and nobody needs. */
const CONSTANTS: ReadonlySet<string> = new Set(
  Object.keys(SETTINGS)
    .filter((key) => !Object.hasOwn(settableIn(SETTINGS), key))
    .map(flagOf),
);

/** Everything that a shell can complete, out of the table of commands. */
export function completablesOf(commands: readonly Command[]): Completable[] {
  return commands.map((command) => ({
    name: command.name,
    summary: command.summary,
    flags: flagsOf(command).filter(({ key }) => !CONSTANTS.has(key)),
    actions: command.operands.split(' | ').flatMap((operand) => /^\[?([a-z]+)\b(?!…)/.exec(operand)?.[1] ?? []),
  }));
}

/** Returns true if a file is what should stand behind a flag. */
export const takesFile = ({ takes }: Flag): boolean =>
  takes !== null && /^(FILE|DIR|a (PEM )?file|a folder)\b/.test(takes);
