import { parseArgs } from 'node:util';
import { readNamedFile } from '#src/base/named-file.ts';
import { variableOf } from '#src/base/setting-environment.ts';
import { readSettingFile } from '#src/base/setting-file.ts';
import { flagOf, type SettingsReading } from '#src/base/setting-reader.ts';
import { suggest } from '#src/base/suggest.ts';
import { type Config, type ConfigFor, readConfig, settingsFor } from '#src/program/config.ts';
import type { Io } from './io.ts';

/** A flag that belongs to one command and is no setting. */
export interface Option {
  readonly type: 'string' | 'boolean';
  /** May be given several times. */
  readonly multiple?: boolean;
  /** How help shows the value: `FILE`. */
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
}

/** A sub-command of the executable; it sees the settings whose rows name it. */
export interface Command<Name extends string = string> {
  readonly name: Name;
  /** What stands behind the name in help: `URL… | -`. */
  readonly operands: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Resolves to the exit code. */
  run(invocation: Invocation<ConfigFor<Name>>, io: Io): Promise<number>;
}

/** The command line cannot be understood; the message says what to write. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The configuration file, which every command with settings takes. */
const CONFIG_OPTION: Option = { type: 'string', value: 'FILE', description: 'TOML file with settings.' };

/** The options of a command, those for everybody included. */
export function optionsOf({ name, options }: Command): Readonly<Record<string, Option>> {
  return hasSettings(name) ? { ...options, config: CONFIG_OPTION } : options;
}

const hasSettings = (command: string): boolean => Object.keys(settingsFor(command)).length > 0;

/**
 * Reads the arguments behind a command's name.
 *
 * @throws UsageError for an unknown flag; SettingsError for wrong settings.
 */
export async function parseInvocation(command: Command, argv: readonly string[], io: Io): Promise<Invocation<Config>> {
  const own = optionsOf(command);
  const { positionals, values } = parse(command, own, argv);
  const given = (name: string): readonly string[] => values.get(name) ?? [];
  const settingFlags = Object.fromEntries([...values].filter(([name]) => !Object.hasOwn(own, name)));
  const path = given('config').at(-1) ?? io.environment[variableOf('config')];
  const readAgain = async () => {
    const file = path === undefined ? null : await readSettingFile(path, await readNamedFile('config', path));
    return readConfig({ flags: settingFlags, environment: io.environment, file });
  };
  // To say its version, the program need not be well configured.
  const settings = hasSettings(command.name) ? await readAgain() : DEFAULT_SETTINGS;
  return {
    positionals,
    config: settings.values,
    settings,
    readAgain,
    text: (option) => given(option).at(-1),
    texts: given,
    flag: (option) => given(option).length > 0,
  };
}

const DEFAULT_SETTINGS = readConfig({ flags: {}, environment: {}, file: null });

/** The arguments by name, each with all its values; `parseArgs` refuses what it does not know. */
function parse(command: Command, own: Readonly<Record<string, Option>>, argv: readonly string[]) {
  const rows = Object.entries(settingsFor(command.name));
  const settings = rows.map(([key]) => [flagOf(key), { type: 'string', multiple: true }] as const);
  const switches = rows.filter(([, { kind }]) => kind.toml === 'boolean').map(([key]) => `--${flagOf(key)}`);
  const known = Object.fromEntries([
    ...Object.entries(own).map(([name, { type }]) => [name, { type, multiple: true }] as const),
    ...settings,
    ['help', { type: 'boolean', multiple: true }] as const,
  ]);
  try {
    const args = withYes(argv, switches);
    const { positionals, values } = parseArgs({ args, options: known, allowPositionals: true, strict: true });
    const texts = Object.entries(values).map(
      ([name, value]) => [name, [value].flat().map(String)] satisfies [string, string[]],
    );
    return { positionals, values: new Map(texts) };
  } catch (cause) {
    throw new UsageError(explain(cause, Object.keys(known)), { cause });
  }
}

/** `--public-history` alone says yes; it may also be followed by `true` or `false`. */
function withYes(argv: readonly string[], switches: readonly string[]): string[] {
  return argv.map((argument, index) => {
    const next = argv[index + 1];
    return switches.includes(argument) && next !== 'true' && next !== 'false' ? `${argument}=true` : argument;
  });
}

function explain(cause: unknown, known: readonly string[]): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const [, flag] = /Unknown option '--([^'=]+)/.exec(message) ?? [];
  if (flag === undefined) return message;
  const flags = known.map((name) => `--${name}`);
  return `there is no flag --${flag}${suggest(`--${flag}`, flags)}`;
}

/**
 * The value of an option that takes one of a few words; undefined where it was not given.
 *
 * @throws UsageError for another word.
 */
export function choice<const T extends string>(
  invocation: Invocation,
  option: string,
  words: readonly T[],
): T | undefined {
  const text = invocation.text(option);
  const word = words.find((one) => one === text);
  if (text !== undefined && word === undefined) throw new UsageError(`--${option} takes ${words.join(', ')}`);
  return word;
}

/** The value of `--seed`, 1 where it was not given. Throws a UsageError for what is no whole number. */
export function seedOf(invocation: Invocation): number {
  const text = invocation.text('seed') ?? '1';
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('--seed takes a whole number');
  return Number(text);
}
