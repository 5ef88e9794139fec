import { settingsFor } from '#src/app/config.ts';
import type { SettingTable } from '#src/core/base/settings/setting.ts';
import { flagOf } from '#src/core/base/settings/setting-reader.ts';
import type { Grammar, Option } from './command.ts';

/** A flag as typed: `--rate-limit`, `--no-public-history`. */
export interface Flag {
  /** Without dashes. */
  readonly name: string;
  /** One-letter form without its dash; null if there is none. */
  readonly short: string | null;
  /** The option or setting that it gives, by its own name. */
  readonly key: string;
  /** Placeholder of its value; null for a switch. */
  readonly takes: string | null;
  /** Allowed values; empty if any text is. */
  readonly words: readonly string[];
  /** Value of a switch without one. */
  readonly impliedValue: 'true' | 'false';
  /** True if a switch may be followed by `true` or `false`. */
  readonly isSetting: boolean;
  readonly description: string;
}

/** The options of every command. */
export const COMMON_OPTIONS = {
  color: { type: 'string', words: ['auto', 'always', 'never'], description: 'Colour the output. Default: auto.' },
  quiet: { type: 'boolean', short: 'q', description: 'Print answers and errors only, no progress and no notices.' },
  help: { type: 'boolean', short: 'h', description: 'Show help for the command.' },
  version: { type: 'boolean', short: 'V', description: 'Print the version.' },
} as const satisfies Readonly<Record<string, Option>>;

/** The configuration file, which every command with settings takes. */
const CONFIG_OPTION: Option = { type: 'string', value: 'FILE', description: 'TOML file with settings.' };

/** Returns the options of a command, including `--config` if it has settings. */
export function optionsOf({ name, options }: Grammar): Readonly<Record<string, Option>> {
  return hasSettings(name) ? { ...options, config: CONFIG_OPTION } : options;
}

/** Returns true if any setting means something to a command. */
export const hasSettings = (command: string): boolean => Object.keys(settingsFor(command)).length > 0;

/** The keys of the settings that mean something to a command. */
export const settingsUsedBy = (command: string): ReadonlySet<string> => new Set(Object.keys(settingsFor(command)));

/** Returns the value of an option in help; empty for a switch. */
export function writtenValue({ type, words, value }: Option): string {
  return type === 'boolean' ? '' : (words?.join('|') ?? value ?? 'TEXT');
}

/** Every flag that a command understands. */
export function flagsOf(command: Grammar): Flag[] {
  const options = { ...optionsOf(command), ...COMMON_OPTIONS };
  return [
    ...Object.entries(options).map(([name, option]) => flagOfOption(name, option)),
    ...flagsOfSettings(settingsFor(command.name)),
  ];
}

function flagOfOption(name: string, option: Option): Flag {
  const { type, short = null, words = [], description } = option;
  const takes = type === 'boolean' ? null : writtenValue(option);
  return { name, short, key: name, takes, words, impliedValue: 'true', isSetting: false, description };
}

function flagsOfSettings(settings: SettingTable): Flag[] {
  return Object.entries(settings).flatMap(([key, { kind, description }]): Flag[] => {
    const name = flagOf(key);
    const isSwitch = kind.toml === 'boolean';
    const takes = isSwitch ? null : kind.expected;
    const words = kind.words ?? [];
    const flag = {
      name,
      short: null,
      key: name,
      takes,
      words,
      impliedValue: 'true',
      isSetting: true,
      description,
    } as const;
    return isSwitch ? [flag, { ...flag, name: `no-${name}`, impliedValue: 'false' }] : [flag];
  });
}
