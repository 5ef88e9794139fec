import type { Actor } from '#src/core/base/actor.ts';
import type { SettingsReading } from '#src/core/base/settings/setting-reader.ts';
import type { ConfigFor } from '#src/app/config.ts';
import type { ColourChoice } from './colour.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Io } from '#src/core/base/io.ts';
import type { NamedFiles } from './owner/named-files.ts';

/** A flag that is no setting. */
export interface Option {
  readonly type: 'string' | 'boolean';
  /** One letter that stands for it. */
  readonly short?: string;
  /** May be given several times. */
  readonly multiple?: boolean;
  /** The words of which one must be given. */
  readonly words?: readonly string[];
  /** How help shows any other value: `FILE`, `DIR`. */
  readonly value?: string;
  readonly description: string;
}

/** What a person typed, understood. */
export interface Invocation<Settings = unknown> {
  readonly positionals: readonly string[];
  readonly config: Settings;
  /** The configuration with where it comes from. */
  readonly settings: SettingsReading<Settings>;
  /** Reads the configuration as it is now. Throws SettingsError. */
  readAgain(): Promise<SettingsReading<Settings>>;
  /** The last value of an option; undefined where it was not given. */
  text(option: string): string | undefined;
  /** Every value of an option, in order. */
  texts(option: string): readonly string[];
  flag(option: string): boolean;
  /** Every command, for what tells of the whole. */
  allCommands(): Promise<readonly Command[]>;
  /** What was said of colours; undefined where nothing was. */
  readonly color: ColourChoice | undefined;
  /** Whether progress and notices are unwanted. */
  readonly isQuiet: boolean;
  /** Who runs the command, for the audit log. */
  readonly actor: Actor;
  /** Returns the path by which to open a file that the operator named, see {@link Command.named}. */
  place(path: string): string;
}

/** A sub-command of the executable; it sees the settings whose rows name it. */
export interface Command<Name extends string = string> {
  readonly name: Name;
  /** What stands behind the name in help: `URL… | -`; empty where nothing may. */
  readonly operands: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Two or three command lines for help, each with what it is for. */
  readonly examples: readonly [Example, Example, ...Example[]];
  /** Actions, by their first operand, that change the data directory: without an installation none is created for them. */
  readonly changes?: readonly string[];
  /**
   * The files that the operator names, which root opens before it becomes the owner of the data directory; null for an
   * invocation that leaves the data directory alone.
   */
  readonly named?: (invocation: TypedInvocation) => NamedFiles | null;
  run(invocation: Invocation<ConfigFor<Name>>, io: Io): Promise<ExitCode>;
}

/** What was typed behind the name of a command. */
export type TypedInvocation = Pick<Invocation, 'positionals' | 'text' | 'texts' | 'flag'>;

/** What is behind the name of a command: words and flags. */
export type Grammar = Pick<Command, 'name' | 'operands' | 'options'>;

/** A command line, and what it is for. */
export interface Example {
  readonly line: string;
  readonly purpose: string;
}

/** The command line cannot be understood; the message says what to write. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * The value of an option that takes one of a few words; undefined where it was not given.
 *
 * @throws UsageError for another word.
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

/** The value of `--seed`, 1 where it was not given. Throws a UsageError for what is no whole number. */
export function seedOf(invocation: Invocation): number {
  const text = invocation.text('seed') ?? '1';
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--seed takes a whole number, not "${text}"`);
  return Number(text);
}
