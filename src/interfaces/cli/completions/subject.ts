import { SETTINGS } from '#src/app/config.ts';
import { settableIn } from '#src/core/base/settings/setting.ts';
import { flagOf } from '#src/core/base/settings/setting-reader.ts';
import type { Command } from '../command.ts';
import { type Flag, flagsOf } from '../flags.ts';
import { commandParts, isListed } from '../merged-commands.ts';

/** Description of a command for a shell. */
export interface Completable {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** True if help and completions list it by its own name. */
  readonly isListed: boolean;
  /** First operands, such as `add`. */
  readonly actions: readonly string[];
}

/** Settings that became constants; old units may contain their flags. */
const CONSTANTS: ReadonlySet<string> = new Set(
  Object.keys(SETTINGS)
    .filter((key) => !Object.hasOwn(settableIn(SETTINGS), key))
    .map(flagOf),
);

/** Everything that a shell can complete, out of the table of commands. */
export function completablesOf(commands: readonly Command[]): Completable[] {
  return commands.map((command) => {
    const { name, summary } = command;
    const parts = commandParts(name);
    const merged = parts.flatMap(([, of]) => commands.filter((one) => one.name === of));
    const flags = new Map([...merged, command].flatMap(flagsOf).map((flag) => [flag.name, flag]));
    return {
      name,
      summary,
      isListed: isListed(name),
      flags: [...flags.values()].filter(({ key }) => !CONSTANTS.has(key)),
      actions: [...actionsOf(command), ...parts.map(([part]) => part)],
    };
  });
}

const actionsOf = ({ operands }: Command): string[] =>
  operands.split(' | ').flatMap((operand) => /^\[?([a-z]+)\b(?!…)/.exec(operand)?.[1] ?? []);

/** Returns true if a flag takes a file. */
export const takesFile = ({ takes }: Flag): boolean =>
  takes !== null && /^(FILE|DIR|a (PEM )?file|a folder)\b/.test(takes);
