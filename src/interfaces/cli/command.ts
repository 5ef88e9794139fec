import type { ConfigFor } from '#src/app/config.ts';
import type { SharedName } from '#src/checks/store/settings.ts';
import type { Actor } from '#src/core/base/actor.ts';
import type { Io } from '#src/core/base/io.ts';
import type { SettingsReading } from '#src/core/base/settings/setting-reader.ts';
import type { ColourChoice } from './colour.ts';
import type { ExitCode } from './exit-codes.ts';
import type { FileOperands } from './owner/named-files.ts';

/** A flag that is not a setting. */
export interface Option {
  readonly type: 'string' | 'boolean';
  /** One-letter form. */
  readonly short?: string;
  /** May be given several times. */
  readonly multiple?: boolean;
  /** The words of which one must be given. */
  readonly words?: readonly string[];
  /** Placeholder of the value in help: `FILE`, `DIR`. */
  readonly value?: string;
  readonly description: string;
}

/** A parsed command line with its configuration. */
export interface Invocation<Settings = unknown> {
  readonly positionals: readonly string[];
  readonly config: Settings;
  /** The configuration with its sources. */
  readonly settings: SettingsReading<Settings>;
  /** Reads the configuration as it is now. Throws OperationError. */
  reload(): Promise<SettingsReading<Settings>>;
  /** Returns the last value of an option; undefined if absent. */
  text(option: string): string | undefined;
  /** Every value of an option, in order. */
  texts(option: string): readonly string[];
  flag(option: string): boolean;
  /** Loads every command, for help, the man page and completions. */
  allCommands(): Promise<readonly Command[]>;
  /** The value of `--color`; undefined if it was not given. */
  readonly color: ColourChoice | undefined;
  /** True if progress and notices are unwanted. */
  readonly isQuiet: boolean;
  /** User of the command, for the audit log. */
  readonly actor: Actor;
  /** Returns the path by which to open a file that the operator named, see {@link Command.named}. */
  resolvePath(path: string): string;
}

/** A sub-command of the executable; it sees the settings whose rows name it. */
export interface Command<Name extends string = string> {
  readonly name: Name;
  /** Operands in help: `URL… | -`; empty if the command takes none. */
  readonly operands: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Two or three command lines for help, each with what it is for. */
  readonly examples: readonly [Example, Example, ...Example[]];
  /** Actions, by their first operand, that change the data directory: without an installation none is created for them. */
  readonly changes?: readonly string[];
  /** Data that a fleet shares: updated before the command, and published after a change. */
  readonly shares?: readonly SharedName[];
  /**
   * The files that the operator names, which root opens before it becomes the owner of the data directory; null for an
   * invocation that leaves the data directory alone.
   */
  readonly named?: (invocation: TypedInvocation) => FileOperands | null;
  /** Work of root before it becomes the owner of the data directory. */
  readonly asRoot?: (invocation: Pick<Invocation<ConfigFor<Name>>, 'config'>) => Promise<void>;
  run(invocation: Invocation<ConfigFor<Name>>, io: Io): Promise<ExitCode>;
}

/** Arguments and flags of a command, without its configuration. */
export type TypedInvocation = Pick<Invocation, 'positionals' | 'text' | 'texts' | 'flag'>;

/** Operands and options that a command accepts. */
export type Grammar = Pick<Command, 'name' | 'operands' | 'options'>;

/** An example of a command line. */
export interface Example {
  readonly line: string;
  readonly purpose: string;
}

/** Invalid command line; the message says what is expected. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Returns the value of an option with fixed words; undefined if absent.
 *
 * @throws UsageError for another word
 */
export function choice<const T extends string>(
  invocation: Pick<Invocation, 'text'>,
  option: string,
  words: readonly T[],
): T | undefined {
  const text = invocation.text(option);
  const word = words.find((one) => one === text);
  if (text !== undefined && word === undefined)
    throw new UsageError(`--${option} takes ${words.join(', ')}, not "${text}"`);
  return word;
}

/** Returns the value of `--seed`; 1 if absent. Throws UsageError unless it is a whole number. */
export function seedOf(invocation: Invocation): number {
  const text = invocation.text('seed') ?? '1';
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--seed takes a whole number, not "${text}"`);
  return Number(text);
}
